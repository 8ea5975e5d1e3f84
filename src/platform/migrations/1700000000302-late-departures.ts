import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Guests who left days after their booked departure, of whom there are few: they were in house on the days between. */
export class LateDepartures1700000000302 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index reservations_by_late_departure on reservations (org_id, departed_on, id) include (check_out_date, property_id)
        where departed_on > check_out_date + 1
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index reservations_by_late_departure');
  }
}
