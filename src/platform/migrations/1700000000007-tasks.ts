import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Tasks in full: stays, units, costs, files, recurrence, comments. */
export class Tasks1700000000007 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks
        add unit_id uuid,
        add reservation_id uuid,
        add time_rule jsonb,
        add cost jsonb,
        add recurrence text,
        add series_start timestamptz,
        add next_occurrence_at timestamptz,
        add files jsonb not null default '[]',
        add started_at timestamptz,
        add cancelled_at timestamptz,
        add archived_at timestamptz,
        add foreign key (org_id, property_id, unit_id) references units (org_id, property_id, id),
        add foreign key (org_id, reservation_id) references reservations (org_id, id);
      create index tasks_by_reservation on tasks (org_id, reservation_id, id);
      create index tasks_archived on tasks (org_id, id) where archived_at is not null;
      create index tasks_next_occurrence on tasks (next_occurrence_at) where next_occurrence_at is not null;

      create table task_comments (
        org_id uuid not null references organizations (id),
        id uuid not null,
        task_id uuid not null,
        member_id uuid not null,
        text text not null,
        created_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, task_id) references tasks (org_id, id),
        foreign key (org_id, member_id) references members (org_id, id)
      );
      create index task_comments_by_task on task_comments (org_id, task_id, id);
      ${isolated('task_comments')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table task_comments;
      alter table tasks drop unit_id, drop reservation_id, drop time_rule, drop cost, drop recurrence, drop series_start,
        drop next_occurrence_at, drop files, drop started_at, drop cancelled_at, drop archived_at;
    `);
  }
}
