import type { MigrationInterface, QueryRunner } from 'typeorm';
import { migrateQueue } from '#jobs';

/**
 * The queue that jobs are handed out by. A BullMQ with another schema needs a migration like this one;
 * test/integration/jobs tells when.
 */
export class Jobs1700000000012 implements MigrationInterface {
  /** BullMQ has a transaction of its own around it. */
  readonly transaction = false;

  async up(runner: QueryRunner): Promise<void> {
    await migrateQueue(runner.query.bind(runner), 'app_system');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop schema bullmq cascade;');
  }
}
