import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Each stay that is shown says whether its place is blocked: an index of only the blocks of whole properties finds those. */
export class BlockedProperties1700000000299 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create index unit_blocks_of_properties on unit_blocks (org_id, property_id, until_date) where unit_id is null;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop index unit_blocks_of_properties');
  }
}
