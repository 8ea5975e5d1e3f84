import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** What happened, in the order of transactions; and how far each subject has counted. */
export class Events1700000000009 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table events (
        org_id uuid not null references organizations (id),
        id uuid not null,
        transaction_id xid8 not null,
        position bigint not null generated always as identity,
        type text not null,
        subject_type text not null,
        subject_id text not null,
        sequence bigint not null,
        actor jsonb not null,
        property_id uuid,
        data jsonb not null,
        occurred_at timestamptz not null,
        primary key (org_id, id)
      );
      create index events_feed on events (org_id, transaction_id, position);
      create index events_by_subject on events (org_id, subject_id, transaction_id, position);
      create index events_age on events using brin (occurred_at);
      ${isolated('events')}

      create table event_sequences (
        org_id uuid not null references organizations (id),
        subject_id text not null,
        sequence bigint not null,
        transaction_id xid8 not null,
        primary key (org_id, subject_id)
      ) with (fillfactor = 80);
      ${isolated('event_sequences')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table event_sequences, events;');
  }
}
