import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Boards and charts show day uses, which stay_segments does not have: an index of only these finds them among all stays. */
export class DayUses1700000000297 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index reservations_of_a_day on reservations (org_id, property_id, check_in_date)
        where check_in_date = check_out_date and status = 'confirmed';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index reservations_of_a_day');
  }
}
