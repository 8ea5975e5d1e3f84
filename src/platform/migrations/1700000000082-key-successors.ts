import type { MigrationInterface, QueryRunner } from 'typeorm';

/** What took over from an API key that was rotated. */
export class KeySuccessors1700000000082 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table api_keys add column successor_id uuid,
        add constraint api_keys_successor foreign key (org_id, successor_id) references api_keys (org_id, id);
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table api_keys drop column successor_id;');
  }
}
