import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The progress of a sync, which may take longer than a request waits. */
export class CurrentSyncs1700000000255 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table connections add column current_sync jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table connections drop column current_sync');
  }
}
