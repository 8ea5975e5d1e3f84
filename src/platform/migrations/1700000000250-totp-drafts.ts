import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The session that is shown the secret of an authenticator app which is not confirmed yet. */
export class TotpDrafts1700000000250 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query('alter table totp_factors add column session_id uuid');
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table totp_factors drop column session_id');
  }
}
