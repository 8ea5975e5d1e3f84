import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrateQueue } from '#jobs';
import { systemOnly } from './isolation.js';

/**
 * The queue that jobs are handed out by, and when what comes again and again is due. A BullMQ with another schema needs a migration like this one;
 * test/integration/jobs tells when.
 */
export class Jobs1700000000012 implements MigrationInterface {
  /** BullMQ has a transaction of its own around it. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await migrateQueue(runner.query.bind(runner), 'app_system');
    await runner.query(`
      create table schedules (
        name text primary key,
        due_at timestamptz not null
      );
      ${systemOnly('schedules')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table schedules; drop schema bullmq cascade;');
  }
}
