import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Room state that follows work where a property wants it, the flags of a room, and what is open at a place. */
export class RoomState1700000000122 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table properties
        add room_status_follows_work boolean not null default false,
        add next_morning_at timestamptz;
      create index properties_next_morning on properties (org_id, next_morning_at)
        where next_morning_at is not null;
      alter table units add do_not_disturb_until timestamptz, add make_up_room_until timestamptz;
      create index tasks_open_at on tasks (org_id, property_id, (case when due_at is null then '-infinity'::timestamptz else due_at end))
        where status in ('pending', 'in_progress') and archived_at is null;
      create index tasks_urgent_at on tasks (org_id, property_id, unit_id)
        where status in ('pending', 'in_progress') and archived_at is null and priority = 'urgent';
      create index reservations_unassigned on reservations (org_id, property_id, check_in_date)
        where unit_id is null and unit_type_id is not null;
      create index reservations_by_group on reservations (org_id, group_ref, id) where group_ref is not null;
      create index reservations_by_day_left on reservations (org_id, departed_on, id) where departed_on is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index tasks_open_at, tasks_urgent_at, reservations_unassigned, reservations_by_group, reservations_by_day_left;
      alter table units drop do_not_disturb_until, drop make_up_room_until;
      alter table properties drop room_status_follows_work, drop next_morning_at;
    `);
  }
}
