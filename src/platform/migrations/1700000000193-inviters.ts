import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Who invited a member. */
export class Inviters1700000000193 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table members add column invited_by uuid;');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table members drop column invited_by;');
  }
}
