import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated, systemOnly } from './isolation.js';

/** What several nodes count together, and what finds few rows among many. */
export class Scale1700000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table sliding_windows (
        key bytea primary key,
        times timestamptz[] not null,
        ends_at timestamptz not null
      );
      create index sliding_windows_end on sliding_windows (ends_at);
      ${systemOnly('sliding_windows')}
    `);
    await runner.query(taskAssignees);
    await runner.query(guestsCalled);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function guests_called;
      drop trigger tasks_gain_assignees on tasks;
      drop trigger tasks_change_assignees on tasks;
      drop function keep_task_assignees;
      drop table task_assignees, sliding_windows;
      create index tasks_by_assignee on tasks using gin (org_id, assignee_ids);
    `);
  }
}

/**
 * The tasks of a member, in order, whatever their number. It follows tasks.assignee_ids, whose own index row security
 * leaves unused: it lets only leakproof operators go before it, which equality of ids is and `@>` is not.
 */
const taskAssignees = `
  create table task_assignees (
    org_id uuid not null,
    assignee_id uuid not null,
    task_id uuid not null,
    primary key (org_id, assignee_id, task_id),
    foreign key (org_id, assignee_id) references members (org_id, id),
    foreign key (org_id, task_id) references tasks (org_id, id) on delete cascade
  );
  create index task_assignees_by_task on task_assignees (org_id, task_id);
  ${isolated('task_assignees')}
  insert into task_assignees (org_id, assignee_id, task_id)
    select distinct org_id, assignee_id, id from tasks, unnest(assignee_ids) assignee_id;

  create function keep_task_assignees() returns trigger language plpgsql as $$
  begin
    if tg_op = 'UPDATE' then
      delete from task_assignees where org_id = new.org_id and task_id = new.id;
    end if;
    insert into task_assignees (org_id, assignee_id, task_id)
      select distinct new.org_id, assignee_id, new.id from unnest(new.assignee_ids) assignee_id;
    return null;
  end $$;
  create trigger tasks_gain_assignees after insert on tasks for each row
    when (new.assignee_ids <> '{}') execute function keep_task_assignees();
  create trigger tasks_change_assignees after update of assignee_ids on tasks for each row
    when (old.assignee_ids is distinct from new.assignee_ids) execute function keep_task_assignees();
  drop index tasks_by_assignee;
`;

/**
 * The ids of the organization's guests whose names match, by the index guests_by_name, which row security leaves unused
 * too. So this runs as the owner, past row security, holds to the organization of the transaction itself, and tells ids
 * alone: whoever reads the guests behind them does so under row security. The plan is made without looking at the
 * pattern: a word that is common elsewhere would be looked for in every guest of the organization.
 */
const guestsCalled = `
  create function guests_called(pattern text) returns setof uuid language sql stable security definer
    set search_path = pg_catalog, public
    set plan_cache_mode = force_generic_plan
    set enable_seqscan = off
    set enable_indexscan = off
  as $$
    select id from guests where org_id = nullif(current_setting('app.org_id', true), '')::uuid and name ilike pattern
  $$;
  revoke execute on function guests_called from public;
  grant execute on function guests_called to app_user;
`;
