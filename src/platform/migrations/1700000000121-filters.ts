import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What finds few rows among many for the filters of lists. */
export class Filters1700000000121 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    for (const table of searched) await runner.query(called(table));
    await runner.query(`
      create index units_by_name on units (org_id, name, id);
      create index units_by_status on units (org_id, cleaning_status, id);
      create index units_by_update on units (org_id, updated_at, id);
      create index tasks_by_unit on tasks (org_id, unit_id, id) where unit_id is not null;
      create index tasks_open on tasks (org_id, id) where status in ('pending', 'in_progress');
      create index tasks_open_by_due on tasks (org_id, (case when due_at is null then 'infinity'::timestamptz else due_at end), id)
        where status in ('pending', 'in_progress');
      create index reservations_by_channel on reservations (org_id, channel, id) where channel is not null;
      create index reservations_by_code on reservations (org_id, confirmation_code, id) where confirmation_code is not null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index units_by_name, units_by_status, units_by_update, tasks_by_unit, tasks_open, tasks_open_by_due, reservations_by_channel,
        reservations_by_code;
    `);
    for (const table of searched) await runner.query(`drop function ${table}_called; drop index ${table}_by_text;`);
  }
}

const searched = ['properties', 'units', 'tasks', 'devices'];

/** As guests_called, which says why it is needed: ids of the transaction's own organization, past row security. */
const called = (table: string): string => `
  create index ${table}_by_text on ${table} using gin (org_id, name gin_trgm_ops);
  create function ${table}_called(pattern text) returns setof uuid language sql stable security definer
    set search_path = pg_catalog, public
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    set enable_indexscan = off
  as $$
    select id from ${table} where org_id = nullif(current_setting('app.org_id', true), '')::uuid and name ilike pattern
  $$;
  revoke execute on function ${table}_called from public;
  grant execute on function ${table}_called to app_user;
`;
