import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/**
 * Entries are only ever added, and sealed into a chain beside them: neither role of the service may change or delete
 * one. Seals refer to entries by no foreign key, because a seal tells of an entry that is gone.
 */
export class Audit1700000000011 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      -- Made anew: its entries from before, of authorizations alone, cannot be signed here, and no release had them.
      drop table audit_entries;
      create table audit_entries (
        org_id uuid not null references organizations (id),
        id uuid not null,
        transaction_id xid8 not null default pg_current_xact_id(),
        actor_type text not null,
        actor_id text,
        credential json,
        on_behalf_of text,
        action text not null,
        target_type text not null,
        target_id text not null,
        property_id uuid,
        -- As they were written, since the signature and the chain are over the text.
        before json,
        after json,
        request_id text,
        created_at timestamptz not null,
        signature bytea not null,
        primary key (org_id, id)
      );
      create index audit_entries_order on audit_entries (org_id, transaction_id, id);
      create index audit_entries_by_target on audit_entries (org_id, target_id, id);
      create index audit_entries_by_actor on audit_entries (org_id, actor_id, id);
      create index audit_entries_by_action on audit_entries (org_id, action, id);
      create index audit_entries_by_request on audit_entries (org_id, request_id);
      create index audit_entries_age on audit_entries using brin (created_at);
      ${isolated('audit_entries')}
      revoke update, delete on audit_entries from app_user, app_system;

      create table audit_seals (
        org_id uuid not null references organizations (id),
        position bigint not null,
        entry_id uuid not null,
        hash bytea not null,
        primary key (org_id, position)
      );
      create unique index audit_seals_by_entry on audit_seals (org_id, entry_id);
      ${isolated('audit_seals')}
      revoke insert, update, delete on audit_seals from app_user;
      revoke update, delete on audit_seals from app_system;

      create table audit_heads (
        org_id uuid not null references organizations (id),
        position bigint not null,
        hash bytea not null,
        signature bytea not null,
        transaction_id xid8 not null,
        entry_id uuid not null,
        sealed_at timestamptz not null,
        primary key (org_id)
      );
      ${isolated('audit_heads')}
      revoke insert, update, delete on audit_heads from app_user;
      revoke delete on audit_heads from app_system;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table audit_heads, audit_seals, audit_entries;
      create table audit_entries (
        org_id uuid not null references organizations (id),
        id uuid not null,
        actor jsonb not null,
        action text not null,
        target jsonb not null,
        before jsonb,
        after jsonb,
        request_id text,
        created_at timestamptz not null,
        primary key (org_id, id)
      );
      ${isolated('audit_entries')}
      revoke update, delete on audit_entries from app_user, app_system;
    `);
  }
}
