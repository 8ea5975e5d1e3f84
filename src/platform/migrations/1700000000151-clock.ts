import type { MigrationInterface, QueryRunner } from 'typeorm';

/** How far the time of a test environment is ahead. */
export class Clock1700000000151 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cell add column clock_offset_seconds bigint not null default 0;');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table cell drop column clock_offset_seconds;');
  }
}
