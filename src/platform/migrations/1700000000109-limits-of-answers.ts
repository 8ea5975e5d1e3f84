import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * The property limit of the caller that an answer was kept for: a JSON null where it had none. Answers from before,
 * which are kept for a day, have no value and are replayed as they were.
 */
export class LimitsOfAnswers1700000000109 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table idempotency_records add column property_limit jsonb');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table idempotency_records drop column property_limit');
  }
}
