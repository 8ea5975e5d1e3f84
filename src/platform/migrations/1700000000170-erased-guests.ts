import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/**
 * That a guest was erased, and where they had stayed, so that programs which follow changes can erase their own copy. The
 * view has both those who are there and those who are gone, in one order of change.
 */
export class ErasedGuests1700000000170 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table erased_guests (
        org_id uuid not null references organizations (id),
        id uuid not null,
        property_ids uuid[] not null,
        erased_at timestamptz not null,
        primary key (org_id, id)
      );
      create index erased_guests_by_time on erased_guests (org_id, erased_at, id);
      ${isolated('erased_guests')}
      create view guest_changes with (security_invoker = true) as
        select org_id, id, merged_into, null::uuid[] as property_ids, null::timestamptz as erased_at, updated_at from guests
        union all
        select org_id, id, null, property_ids, erased_at, erased_at from erased_guests;
      grant select on guest_changes to app_user, app_system;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop view guest_changes; drop table erased_guests;');
  }
}
