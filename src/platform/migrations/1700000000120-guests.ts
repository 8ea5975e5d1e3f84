import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Guests who are merged, companions of stays, and what finds guests by their address. */
export class Guests1700000000120 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table guests
        add merged_into uuid,
        add email_key text generated always as (lower(email)) stored,
        add foreign key (org_id, merged_into) references guests (org_id, id);
      create index guests_merged on guests (org_id, merged_into) where merged_into is not null;
      create index guests_by_email on guests (org_id, email_key) where email_key is not null;

      alter table reservations add companion_ids uuid[] not null default '{}';
      create table reservation_companions (
        org_id uuid not null,
        guest_id uuid not null,
        reservation_id uuid not null,
        primary key (org_id, guest_id, reservation_id),
        foreign key (org_id, guest_id) references guests (org_id, id),
        foreign key (org_id, reservation_id) references reservations (org_id, id) on delete cascade
      );
      create index reservation_companions_by_reservation on reservation_companions (org_id, reservation_id);
      ${isolated('reservation_companions')}

      -- It follows reservations.companion_ids, as task_assignees follows tasks.assignee_ids.
      create function keep_companions() returns trigger language plpgsql as $$
      begin
        if tg_op = 'UPDATE' then
          delete from reservation_companions where org_id = new.org_id and reservation_id = new.id;
        end if;
        insert into reservation_companions (org_id, guest_id, reservation_id)
          select new.org_id, guest_id, new.id from unnest(new.companion_ids) guest_id;
        return null;
      end $$;
      create trigger reservations_gain_companions after insert on reservations for each row
        when (new.companion_ids <> '{}') execute function keep_companions();
      create trigger reservations_change_companions after update of companion_ids on reservations for each row
        when (old.companion_ids is distinct from new.companion_ids) execute function keep_companions();
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop trigger reservations_gain_companions on reservations;
      drop trigger reservations_change_companions on reservations;
      drop function keep_companions;
      drop table reservation_companions;
      alter table reservations drop companion_ids;
      alter table guests drop merged_into, drop email_key;
    `);
  }
}
