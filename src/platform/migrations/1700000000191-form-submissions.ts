import type { MigrationInterface, QueryRunner } from 'typeorm';
import { systemOnly } from './isolation.js';

/** The forms that were sent, so that one that a browser sends again does nothing twice. */
export class FormSubmissions1700000000191 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create table form_submissions (
        hash bytea primary key,
        created_at timestamptz not null
      );
      create index form_submissions_by_time on form_submissions (created_at);
      ${systemOnly('form_submissions')}
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop table form_submissions;');
  }
}
