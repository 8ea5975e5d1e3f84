import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemOnly } from './isolation.js';

/** What several nodes count together. */
export class Scale1700000000019 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table sliding_windows (
        key bytea primary key,
        times timestamptz[] not null,
        ends_at timestamptz not null
      );
      create index sliding_windows_end on sliding_windows (ends_at);
      ${systemOnly('sliding_windows')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table sliding_windows');
  }
}
