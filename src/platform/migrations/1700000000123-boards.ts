import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What finds the stays and the work of one day at a property, among all that are to come. */
export class Boards1700000000123 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index stay_segments_whole on stay_segments (org_id, property_id, until_date, from_date)
        where unit_id is null and unit_type_id is null;
      create index reservations_arriving on reservations (org_id, property_id, check_in_date)
        where status = 'confirmed';
      create index reservations_in_house on reservations (org_id, property_id, check_out_date)
        where stay_status = 'checked_in';
      drop index tasks_open_at;
      create index tasks_open_at on tasks (org_id, property_id, (case when due_at is not null then due_at when can_start_at is not null then can_start_at else '-infinity'::timestamptz end))
        include (unit_id, priority) where status in ('pending', 'in_progress') and archived_at is null;

      create index reservations_over on reservations using gist (org_id, daterange(check_in_date, check_out_date));
      -- As guests_called, which says why it is needed: row security leaves the index unused.
      create function stays_over(night date) returns setof uuid language sql stable security definer
        set search_path = pg_catalog, public
        set enable_seqscan = off
      as $$
        select id from reservations
         where org_id = nullif(current_setting('app.org_id', true), '')::uuid
           and daterange(check_in_date, check_out_date) @> night
      $$;
      revoke execute on function stays_over from public;
      grant execute on function stays_over to app_user;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function stays_over;
      drop index stay_segments_whole, reservations_arriving, reservations_in_house, reservations_over;
    `);
  }
}
