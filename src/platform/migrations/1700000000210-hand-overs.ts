import type { MigrationInterface, QueryRunner } from 'typeorm';
import { isolated } from './isolation.js';

/** The disconnected connections of which stays are still to be handed over. */
export class HandOvers1700000000210 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table hand_overs (
        org_id uuid not null,
        -- The connection.
        id uuid not null,
        due_at timestamptz not null,
        -- By whom, as the audit trail names it; null for the service.
        act jsonb,
        stays text not null check (stays in ('keep', 'cancel')),
        primary key (org_id, id),
        foreign key (org_id, id) references connections (org_id, id) on delete cascade
      );
      create index hand_overs_due on hand_overs (org_id, due_at);
      ${isolated('hand_overs')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table hand_overs');
  }
}
