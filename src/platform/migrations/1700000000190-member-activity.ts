import type { MigrationInterface, QueryRunner } from 'typeorm';

/** When a person was last at the console of an organization; what keys and applications did is known already. */
export class MemberActivity1700000000190 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table members add column last_active_at timestamptz;');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table members drop column last_active_at;');
  }
}
