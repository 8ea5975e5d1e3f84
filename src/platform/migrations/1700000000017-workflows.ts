import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Workflows with their versions, how far each organization's events have been looked through for them, and their runs. */
export class Workflows1700000000017 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table workflows (
        org_id uuid not null references organizations (id),
        id uuid not null,
        name text not null,
        description text,
        status text not null check (status in ('draft', 'active', 'paused', 'archived')),
        trigger_kind text not null,
        latest_version integer not null,
        active_version integer,
        activated_at timestamptz,
        paused_reason text,
        next_occurrence_at timestamptz,
        metadata jsonb not null,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        check (status <> 'active' or (active_version is not null and activated_at is not null))
      );
      create index workflows_by_update on workflows (org_id, updated_at, id);
      create index workflows_by_name on workflows (org_id, name, id);
      create index workflows_active on workflows (trigger_kind, org_id) where status = 'active';
      create index workflows_scheduled on workflows (next_occurrence_at) where next_occurrence_at is not null;
      ${isolated('workflows')}

      create table workflow_versions (
        org_id uuid not null,
        workflow_id uuid not null,
        number integer not null,
        trigger jsonb not null,
        conditions jsonb,
        steps jsonb not null,
        run_as_member_id uuid not null,
        origin text not null check (origin in ('given', 'model')),
        created_by uuid not null,
        created_at timestamptz not null,
        primary key (org_id, workflow_id, number),
        foreign key (org_id, workflow_id) references workflows (org_id, id),
        foreign key (org_id, run_as_member_id) references members (org_id, id),
        foreign key (org_id, created_by) references members (org_id, id)
      );
      ${isolated('workflow_versions')}

      -- Behind which event the workflows of an organization have not looked yet.
      create table workflow_feeds (
        org_id uuid primary key references organizations (id),
        transaction_id xid8 not null,
        position bigint not null,
        revision bigint not null
      );
      ${isolated('workflow_feeds')}

      create table workflow_runs (
        org_id uuid not null,
        id uuid not null,
        workflow_id uuid not null,
        workflow_version integer not null,
        trigger_key text not null,
        trigger jsonb not null,
        subject_id text,
        reservation_id uuid,
        property_id uuid,
        chain jsonb not null,
        status text not null
          check (status in ('queued', 'running', 'waiting', 'succeeded', 'failed', 'cancelled', 'skipped')),
        steps jsonb not null,
        waits_for text check (waits_for in ('arrival', 'departure')),
        wait_offset_minutes integer,
        error jsonb,
        claims integer not null,
        due_at timestamptz,
        finished_at timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        constraint workflow_runs_once unique (org_id, workflow_id, trigger_key),
        foreign key (org_id, workflow_id, workflow_version) references workflow_versions (org_id, workflow_id, number),
        foreign key (org_id, reservation_id) references reservations (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id),
        check ((due_at is null) = (status in ('succeeded', 'failed', 'cancelled', 'skipped')))
      );
      create index workflow_runs_due on workflow_runs (due_at) where due_at is not null;
      create index workflow_runs_finished on workflow_runs (finished_at) where finished_at is not null;
      create index workflow_runs_by_workflow on workflow_runs (org_id, workflow_id, id);
      create index workflow_runs_by_subject on workflow_runs (org_id, workflow_id, subject_id, created_at);
      create index workflow_runs_open_of_stay on workflow_runs (org_id, reservation_id) where due_at is not null;
      ${isolated('workflow_runs')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table workflow_runs, workflow_feeds, workflow_versions, workflows;');
  }
}
