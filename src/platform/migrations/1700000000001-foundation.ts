import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated, systemOnly } from './isolation.js';

/** Organizations and those who act in them, properties, tasks, API keys, idempotency records. */
export class Foundation1700000000001 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create extension if not exists btree_gin;

      create table cell (
        only_row boolean primary key default true check (only_row),
        region text not null,
        environment text not null,
        keyring text not null,
        created_at timestamptz not null
      );
      ${systemOnly('cell')}

      create table users (
        id uuid primary key,
        email text not null,
        name text not null,
        password_hash text,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      create unique index users_email on users (lower(email));
      ${systemOnly('users')}

      create table organizations (
        id uuid primary key,
        name text not null,
        slug text not null constraint organizations_slug unique,
        region text not null,
        timezone text not null,
        currency text not null,
        locales text[] not null,
        require_two_factor boolean not null,
        status text not null check (status in ('active', 'suspended', 'closed')),
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null
      );
      ${isolated('organizations', 'id')}

      create table roles (
        org_id uuid not null references organizations (id),
        id uuid not null,
        name text not null,
        built_in text check (built_in in ('owner', 'manager', 'coordinator', 'cleaner', 'viewer')),
        permissions text[] not null,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        constraint roles_name unique (org_id, name)
      );
      ${isolated('roles')}

      create table members (
        org_id uuid not null references organizations (id),
        id uuid not null,
        kind text not null check (kind in ('user', 'machine')),
        name text not null,
        email text,
        user_id uuid references users (id),
        role_id uuid,
        property_ids uuid[],
        status text not null check (status in ('invited', 'active', 'suspended', 'removed')),
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, role_id) references roles (org_id, id),
        check (kind = 'machine' or (email is not null and role_id is not null))
      );
      create unique index members_user on members (org_id, user_id) where status <> 'removed';
      create index members_by_user on members (user_id) where user_id is not null;
      ${isolated('members')}

      create table properties (
        org_id uuid not null references organizations (id),
        id uuid not null,
        name text not null,
        timezone text not null,
        type text not null,
        check_in_time text not null,
        check_out_time text not null,
        tags text[] not null,
        metadata jsonb not null,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id)
      );
      ${isolated('properties')}

      create table tasks (
        org_id uuid not null references organizations (id),
        id uuid not null,
        name text not null,
        description text,
        type text not null,
        status text not null check (status in ('pending', 'in_progress', 'completed', 'cancelled')),
        priority text not null,
        property_id uuid,
        assignee_ids uuid[] not null,
        can_start_at timestamptz,
        due_at timestamptz,
        duration_minutes integer,
        checklist jsonb not null,
        metadata jsonb not null,
        external_refs jsonb not null,
        source text not null,
        completed_at timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id)
      );
      create index tasks_by_status on tasks (org_id, status, id);
      create index tasks_by_type on tasks (org_id, type, id);
      create index tasks_by_priority on tasks (org_id, priority, id);
      create index tasks_by_property on tasks (org_id, property_id, id);
      create index tasks_by_assignee on tasks using gin (org_id, assignee_ids);
      create index tasks_by_update on tasks (org_id, updated_at, id);
      create index tasks_by_due_first on tasks (org_id, (case when due_at is null then 'infinity'::timestamptz else due_at end), id);
      create index tasks_by_due_last on tasks (org_id, (case when due_at is null then '-infinity'::timestamptz else due_at end), id);
      ${isolated('tasks')}

      create table api_keys (
        org_id uuid not null references organizations (id),
        id uuid not null,
        name text not null,
        member_id uuid not null,
        hash bytea not null constraint api_keys_hash unique,
        prefix text not null,
        scopes text[] not null,
        property_ids uuid[],
        rate_per_minute integer not null check (rate_per_minute between 1000 and 60000),
        expires_at timestamptz,
        revoked_at timestamptz,
        last_used_at timestamptz,
        created_by uuid,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, member_id) references members (org_id, id)
      );
      ${isolated('api_keys')}
    `);
    await runner.query(idempotency);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop function claim_idempotency_key;
      drop table idempotency_records, api_keys, tasks, properties, members, roles, organizations, users, cell;
    `);
  }
}

/** A volatile function: the advisory lock is held before the snapshot that looks for the record is taken. */
const idempotency = `
  create table idempotency_records (
    org_id uuid not null references organizations (id),
    principal text not null,
    key text not null,
    operation text not null,
    fingerprint text not null,
    request_id text not null,
    status integer not null,
    headers jsonb not null,
    body bytea not null,
    encrypted boolean not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    primary key (org_id, principal, key)
  );
  create index idempotency_records_expiry on idempotency_records (expires_at);
  ${isolated('idempotency_records')}

  create function claim_idempotency_key(p_org uuid, p_principal text, p_key text, p_fingerprint text, p_now timestamptz)
  returns table (verdict text, status integer, request_id text, headers jsonb, body bytea, encrypted boolean)
  language plpgsql volatile as $$
  declare
    kept idempotency_records;
  begin
    if not pg_try_advisory_xact_lock(hashtextextended(p_org::text || p_principal || chr(1) || p_key, 0)) then
      return query select 'in_flight', null::integer, null::text, null::jsonb, null::bytea, null::boolean;
      return;
    end if;
    select * into kept from idempotency_records r
      where r.org_id = p_org and r.principal = p_principal and r.key = p_key;
    if found and kept.expires_at <= p_now then
      delete from idempotency_records r where r.org_id = p_org and r.principal = p_principal and r.key = p_key;
      kept := null;
    end if;
    if kept.key is null then
      return query select 'new', null::integer, null::text, null::jsonb, null::bytea, null::boolean;
    elsif kept.fingerprint <> p_fingerprint then
      return query select 'mismatch', null::integer, null::text, null::jsonb, null::bytea, null::boolean;
    else
      return query select 'replay', kept.status, kept.request_id, kept.headers, kept.body, kept.encrypted;
    end if;
  end $$;
  grant execute on function claim_idempotency_key to app_user;
`;
