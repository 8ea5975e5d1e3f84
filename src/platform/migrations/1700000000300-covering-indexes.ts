import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * Indexes that contain what lists look at, so that rows are read only for the page: the stays of a night, also of some
 * properties, and the open tasks by the time when they are due. `stays_over(date)` remains for nodes of the release before.
 */
export class CoveringIndexes1700000000300 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index reservations_over;
      create index reservations_over on reservations using gist (org_id, daterange(check_in_date, check_out_date))
        include (id, property_id, check_in_date, check_out_date) where check_in_date < check_out_date;
      -- Of properties, or of all where they are null. As guests_called, which says why it is needed.
      create function stays_over(night date, properties uuid[]) returns uuid[] language sql stable security definer
        set search_path = pg_catalog, public
        set enable_seqscan = off
      as $$
        select array(
          select id from reservations
           where org_id = nullif(current_setting('app.org_id', true), '')::uuid
             and daterange(check_in_date, check_out_date) @> night and check_in_date < check_out_date
             and (properties is null or property_id = any(properties)))
      $$;
      revoke execute on function stays_over(date, uuid[]) from public;
      grant execute on function stays_over(date, uuid[]) to app_user;

      drop index tasks_open_by_due;
      create index tasks_open_by_due on tasks (org_id, (${dueOrInfinity}), id) include (due_at)
        where status in ('pending', 'in_progress') and archived_at is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index tasks_open_by_due;
      create index tasks_open_by_due on tasks (org_id, (${dueOrInfinity}), id) where status in ('pending', 'in_progress');
      drop function stays_over(date, uuid[]);
      drop index reservations_over;
      create index reservations_over on reservations using gist (org_id, daterange(check_in_date, check_out_date))
        where check_in_date < check_out_date;
    `);
  }
}

const dueOrInfinity = `case when due_at is null then 'infinity'::timestamptz else due_at end`;
