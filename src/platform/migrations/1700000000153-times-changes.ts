import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** The time zone of each stay's times, and the properties whose stays are still to follow their times. */
export class TimesChanges1700000000153 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table reservations add column timezone text;
      alter table reservations no force row level security;
      alter table properties no force row level security;
      update reservations r set timezone = p.timezone from properties p where p.org_id = r.org_id and p.id = r.property_id;
      alter table reservations force row level security;
      alter table properties force row level security;
      -- A process of the last release, which runs beside this one for a while, knows no time zone.
      create function take_timezone() returns trigger language plpgsql as $$
        begin
          select timezone into new.timezone from properties where org_id = new.org_id and id = new.property_id;
          return new;
        end $$;
      create trigger reservations_take_timezone before insert on reservations for each row
        when (new.timezone is null) execute function take_timezone();
      alter table reservations alter column timezone set not null;

      create table times_changes (
        org_id uuid not null,
        -- The property.
        id uuid not null,
        due_at timestamptz not null,
        -- By whom, as the audit trail names it; null for the service.
        act jsonb,
        -- The stay up to which stays have followed, in the order of places.
        after jsonb,
        primary key (org_id, id),
        foreign key (org_id, id) references properties (org_id, id) on delete cascade
      );
      create index times_changes_due on times_changes (org_id, due_at);
      ${isolated('times_changes')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table times_changes;
      drop trigger reservations_take_timezone on reservations;
      drop function take_timezone();
      alter table reservations drop column timezone;
    `);
  }
}
