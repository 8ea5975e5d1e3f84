import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Work that a language model does, and how much of it an organization may ask for. */
export class ModelJobs1700000000018 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table organizations add column model_calls_per_minute integer not null default 10
        check (model_calls_per_minute > 0);

      create table model_jobs (
        org_id uuid not null references organizations (id),
        id uuid not null,
        operation text not null,
        property_id uuid,
        status text not null check (status in ('queued', 'running', 'succeeded', 'failed', 'cancelled')),
        requested_by uuid not null,
        caller jsonb not null,
        input jsonb not null,
        result jsonb,
        error jsonb,
        usage jsonb not null,
        attempts integer not null,
        due_at timestamptz,
        started_at timestamptz,
        finished_at timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id),
        foreign key (org_id, requested_by) references members (org_id, id),
        check ((due_at is null) = (status in ('succeeded', 'failed', 'cancelled')))
      );
      create index model_jobs_due on model_jobs (due_at) where due_at is not null;
      create index model_jobs_finished on model_jobs (finished_at) where finished_at is not null;
      ${isolated('model_jobs')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table model_jobs;
      alter table organizations drop column model_calls_per_minute;
    `);
  }
}
