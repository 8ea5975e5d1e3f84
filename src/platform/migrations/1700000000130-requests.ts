import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Seven days that are shown, today, and two to spare: the oldest is emptied before its turn. */
const slots = Array.from({ length: 10 }, (_, slot) => slot);

/**
 * What was requested in the last days, and how much in the last months. Each day has a partition, which is truncated as
 * a whole: no row is deleted. The tenant role reaches partitions only through the table.
 */
export class Requests1700000000130 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table requests (
        org_id uuid not null,
        id uuid not null,
        slot smallint not null,
        request_id text,
        at timestamptz not null,
        door text not null,
        operation text,
        status smallint not null,
        code text,
        credential_kind text not null,
        credential_id text not null,
        application_id uuid,
        member_id uuid not null,
        milliseconds double precision not null,
        bytes integer,
        replayed boolean not null,
        dry_run boolean not null,
        sampled boolean not null,
        invalid_fields text[],
        primary key (org_id, id, slot)
      ) partition by list (slot);
      create index requests_by_request_id on requests (org_id, request_id) where request_id is not null;
      ${isolated('requests')}
      ${slots.map(partition).join('')}

      create table request_usage (
        org_id uuid not null references organizations (id),
        per text not null check (per in ('hour', 'day')),
        at timestamptz not null,
        credential_kind text not null,
        credential_id text not null,
        operation text not null,
        requests integer not null,
        errors integer not null,
        rate_limited integer not null,
        milliseconds double precision not null,
        primary key (org_id, per, at, credential_id, operation)
      );
      create index request_usage_age on request_usage (per, at);
      ${isolated('request_usage')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table request_usage, requests;');
  }
}

const partition = (slot: number): string => `
  create table requests_${slot} partition of requests for values in (${slot});
  grant select, truncate on requests_${slot} to app_system;`;
