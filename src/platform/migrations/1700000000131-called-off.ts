import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Which tasks and codes ended with their stay: they come back with it. */
export class CalledOff1700000000131 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table tasks add column called_off boolean not null default false;
      alter table access_codes add column called_off boolean not null default false;
      create index reservations_overlapping on reservations (org_id, property_id) where overlapping;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query(`
      drop index reservations_overlapping;
      alter table access_codes drop column called_off;
      alter table tasks drop column called_off;
    `);
  }
}
