import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The messages that ended first, over all organizations, which have had their time first. */
export class MessagesByEnd1700000000022 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index messages_by_end on messages (updated_at)
        where status in ('sent', 'failed', 'suppressed', 'unknown');
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index messages_by_end;');
  }
}
