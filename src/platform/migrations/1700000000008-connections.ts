import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Connections to other systems, the reservations they bring, and idempotency records of requests that call out. */
export class Connections1700000000008 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table connections (
        org_id uuid not null references organizations (id),
        id uuid not null,
        provider text not null,
        kind text not null check (kind in ('device', 'pms')),
        name text not null,
        property_id uuid,
        created_by uuid not null,
        credentials bytea,
        settings jsonb not null,
        status text not null check (status in ('connecting', 'connected', 'degraded', 'disconnected')),
        reason text,
        last_sync_at timestamptz,
        last_sync jsonb,
        next_sync_at timestamptz,
        errors jsonb not null,
        syncs integer not null,
        failures integer not null,
        sync_lease_until timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, property_id) references properties (org_id, id),
        foreign key (org_id, created_by) references members (org_id, id)
      );
      create index connections_due on connections (next_sync_at) where next_sync_at is not null;
      ${isolated('connections')}

      alter table reservations add constraint reservations_connection
        foreign key (org_id, connection_id) references connections (org_id, id);

      alter table idempotency_records
        add lease_until timestamptz,
        alter status drop not null,
        alter headers drop not null,
        alter body drop not null,
        add constraint idempotency_records_answered check ((status is null) = (lease_until is not null));
      ${claimFunction('kept.expires_at <= p_now or kept.lease_until <= p_now', 'kept.lease_until is not null')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      delete from idempotency_records where status is null;
      ${claimFunction('kept.expires_at <= p_now', 'false')}
      alter table idempotency_records
        drop constraint idempotency_records_answered,
        drop lease_until,
        alter status set not null,
        alter headers set not null,
        alter body set not null;
      alter table reservations drop constraint reservations_connection;
      drop table connections;
    `);
  }
}

/** Claims a key: under its lock the record is looked for; one that is over is gone, one without an answer is in flight. */
const claimFunction = (isOver: string, isInFlight: string): string => `
  create or replace function claim_idempotency_key(p_org uuid, p_principal text, p_key text, p_fingerprint text, p_now timestamptz)
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
    if found and (${isOver}) then
      delete from idempotency_records r where r.org_id = p_org and r.principal = p_principal and r.key = p_key;
      kept := null;
    end if;
    if kept.key is null then
      return query select 'new', null::integer, null::text, null::jsonb, null::bytea, null::boolean;
    elsif kept.fingerprint <> p_fingerprint then
      return query select 'mismatch', null::integer, null::text, null::jsonb, null::bytea, null::boolean;
    elsif ${isInFlight} then
      return query select 'in_flight', null::integer, null::text, null::jsonb, null::bytea, null::boolean;
    else
      return query select 'replay', kept.status, kept.request_id, kept.headers, kept.body, kept.encrypted;
    end if;
  end $$;
`;
