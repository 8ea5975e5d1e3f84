import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/**
 * Writes and reveals that wait until a person decides: the rules of the organization, what each person chose when they
 * approved an application, and what waits or was decided. The request and its response are encrypted, and removed a day
 * after the end.
 */
export class Approvals1700000000180 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table organizations
        add column approval_minutes integer not null default 30 check (approval_minutes between 1 and 720),
        add column approval_by_others boolean not null default false;
      alter table oauth_grants add column ask_before text not null default 'nothing'
        check (ask_before in ('nothing', 'destructive', 'write'));
      alter table audit_entries add column approval_id uuid;

      create table approval_rules (
        org_id uuid not null references organizations (id),
        id uuid not null,
        who text not null,
        user_id uuid references users (id),
        what text not null,
        mode text not null check (mode in ('auto', 'ask', 'forbid')),
        created_by uuid,
        created_at timestamptz not null,
        primary key (org_id, id),
        unique nulls not distinct (org_id, who, user_id, what)
      );
      ${isolated('approval_rules')}

      create table approvals (
        org_id uuid not null references organizations (id),
        id uuid not null,
        status text not null check (status in
          ('pending', 'approved', 'done', 'failed', 'refused', 'withdrawn', 'expired')),
        principal text not null,
        fingerprint text not null,
        idempotency_key text,
        operation text not null,
        summary text not null,
        reason text,
        caller jsonb not null,
        requested_by uuid not null,
        input bytea,
        response bytea,
        property_ids uuid[] not null,
        effects_hash text not null,
        effects_total integer not null,
        note text,
        decided_by uuid,
        decided_at timestamptz,
        ended_at timestamptz,
        expires_at timestamptz not null,
        attempts integer not null,
        due_at timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, requested_by) references members (org_id, id)
      );
      create unique index approvals_by_key on approvals (org_id, principal, idempotency_key)
       where idempotency_key is not null;
      create unique index approvals_pending on approvals (org_id, principal, fingerprint) where status = 'pending';
      create index approvals_due on approvals (org_id, due_at) where due_at is not null;
      create index approvals_ended on approvals (ended_at) where ended_at is not null;
      create index approvals_of_principal on approvals (org_id, principal, id);
      ${isolated('approvals')}

      -- Members who are to get a letter about what waits for them, and when the last one went out.
      create table approval_letters (
        org_id uuid not null,
        id uuid not null,
        due_at timestamptz,
        sent_at timestamptz,
        primary key (org_id, id),
        foreign key (org_id, id) references members (org_id, id)
      );
      create index approval_letters_due on approval_letters (org_id, due_at) where due_at is not null;
      ${isolated('approval_letters')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table approval_letters, approvals, approval_rules;
      alter table audit_entries drop column approval_id;
      alter table oauth_grants drop column ask_before;
      alter table organizations drop column approval_minutes, drop column approval_by_others;
    `);
  }
}
