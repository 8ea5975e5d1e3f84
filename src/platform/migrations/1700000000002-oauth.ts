import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated, systemOnly } from './isolation.js';

/** Applications, approvals, their tokens (hashes alone), and the records of what was authorized. */
export class OAuth1700000000002 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table oauth_clients (
        id text primary key,
        name text not null,
        verified boolean not null,
        metadata jsonb not null,
        secret_hash bytea,
        created_at timestamptz not null
      );
      ${systemOnly('oauth_clients')}

      create table oauth_interactions (
        hash bytea primary key,
        payload jsonb not null,
        expires_at timestamptz not null
      );
      create index oauth_interactions_expiry on oauth_interactions (expires_at);
      ${systemOnly('oauth_interactions')}

      create table oauth_grants (
        org_id uuid not null references organizations (id),
        id uuid not null constraint oauth_grants_id unique,
        client_id text not null,
        client_name text not null,
        verified boolean not null,
        user_id uuid not null references users (id),
        scopes text[] not null,
        offline boolean not null,
        audience text not null,
        last_used_at timestamptz,
        revoked_at timestamptz,
        revoked_because text check (revoked_because in ('replaced', 'revoked', 'reuse', 'unused')),
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id)
      );
      create unique index oauth_grants_live on oauth_grants (org_id, user_id, client_id) where revoked_at is null;
      create index oauth_grants_by_user on oauth_grants (user_id) where revoked_at is null;
      create index oauth_grants_by_client on oauth_grants (client_id);
      ${isolated('oauth_grants')}

      create table oauth_tokens (
        hash bytea primary key,
        org_id uuid not null,
        grant_id uuid not null,
        kind text not null check (kind in ('at', 'rt', 'ac')),
        scope text not null,
        audience text not null,
        payload jsonb not null,
        parent bytea,
        consumed_at timestamptz,
        expires_at timestamptz not null,
        foreign key (org_id, grant_id) references oauth_grants (org_id, id) on delete cascade
      );
      create index oauth_tokens_by_grant on oauth_tokens (org_id, grant_id);
      create index oauth_tokens_expiry on oauth_tokens (expires_at);
      create unique index oauth_tokens_successor on oauth_tokens (parent) where parent is not null;
      ${isolated('oauth_tokens')}

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

      create table security_events (
        id uuid primary key,
        actor jsonb not null,
        action text not null,
        target jsonb not null,
        details jsonb,
        request_id text,
        created_at timestamptz not null
      );
      ${systemOnly('security_events')}
      revoke update, delete on security_events from app_system;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop table security_events, audit_entries, oauth_tokens, oauth_grants, oauth_interactions, oauth_clients;
    `);
  }
}
