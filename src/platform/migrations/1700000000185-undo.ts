import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** What it takes to undo each change of the last days, and which entry of the audit trail a change undoes. */
export class Undo1700000000185 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table audit_entries add column undoes uuid;
      create index audit_entries_by_undone on audit_entries (org_id, undoes) where undoes is not null;

      create table undo_steps (
        org_id uuid not null references organizations (id),
        -- The audit entry of the change.
        entry_id uuid not null,
        event_id uuid not null,
        event_type text not null,
        subject_id text not null,
        follows boolean not null,
        -- Why the change cannot be undone; null where it can.
        reason text,
        -- How it is undone, with the values before and after, encrypted.
        sealed bytea,
        created_at timestamptz not null,
        primary key (org_id, entry_id),
        check (reason is not null or sealed is not null)
      );
      create index undo_steps_by_subject on undo_steps (org_id, subject_id);
      create index undo_steps_age on undo_steps using brin (created_at);
      ${isolated('undo_steps')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table undo_steps;
      alter table audit_entries drop column undoes;
    `);
  }
}
