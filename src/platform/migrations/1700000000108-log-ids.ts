import type { MigrationInterface, QueryRunner } from 'typeorm';

/** The service's own id of a request, beside the one that its client may have chosen; entries from before have none. */
export class LogIds1700000000108 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table audit_entries add column log_id uuid;
      alter table security_events add column log_id uuid;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table security_events drop column log_id;
      alter table audit_entries drop column log_id;
    `);
  }
}
