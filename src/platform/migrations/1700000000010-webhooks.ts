import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** Where events are sent, and what became of each delivery. */
export class Webhooks1700000000010 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table webhook_endpoints (
        org_id uuid not null references organizations (id),
        id uuid not null,
        url text not null,
        description text,
        event_types text[] not null,
        property_ids uuid[],
        status text not null check (status in ('enabled', 'degraded', 'disabled')),
        failing_since timestamptz,
        secret bytea not null,
        previous_secret bytea,
        previous_secret_until timestamptz,
        lease bigint not null default 0,
        leased_until timestamptz,
        version integer not null,
        created_at timestamptz not null,
        updated_at timestamptz not null,
        primary key (org_id, id)
      );
      ${isolated('webhook_endpoints')}

      create table webhook_deliveries (
        org_id uuid not null,
        id uuid not null default uuidv7(),
        endpoint_id uuid not null,
        event_id uuid not null,
        event_type text not null,
        subject_id text not null,
        sequence bigint not null,
        status text not null default 'pending' check (status in ('pending', 'succeeded', 'failed')),
        due_at timestamptz not null,
        attempts jsonb not null default '[]',
        attempt_count integer not null default 0,
        request jsonb,
        response jsonb,
        finished_at timestamptz,
        created_at timestamptz not null,
        primary key (org_id, id),
        foreign key (org_id, endpoint_id) references webhook_endpoints (org_id, id) on delete cascade,
        foreign key (org_id, event_id) references events (org_id, id) on delete cascade
      );
      create index webhook_deliveries_due on webhook_deliveries (org_id, endpoint_id, due_at) where status = 'pending';
      create index webhook_deliveries_order on webhook_deliveries (org_id, endpoint_id, subject_id, sequence)
        where status = 'pending';
      create index webhook_deliveries_by_endpoint on webhook_deliveries (org_id, endpoint_id, id);
      create index webhook_deliveries_by_event on webhook_deliveries (org_id, event_id);
      create index webhook_deliveries_age on webhook_deliveries using brin (created_at);
      ${isolated('webhook_deliveries')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table webhook_deliveries, webhook_endpoints;');
  }
}
