import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What finds the stay before another one at its place, among all that were there. */
export class StaysBefore1700000000274 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index reservations_by_leaving on reservations
        (org_id, place_id, (case when departed_at is null then departure_at else departed_at end))
        where status = 'confirmed' and not released;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index reservations_by_leaving;');
  }
}
