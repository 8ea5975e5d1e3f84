import type { MigrationInterface, QueryRunner } from 'typeorm';

/** Other keys with which a request was repeated while it waited for a person: they stand for it too. */
export class JoinedKeys1700000000235 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      alter table approvals add column joined_keys text[] not null default '{}';
      create index approvals_joined on approvals (org_id, principal) where joined_keys <> '{}';
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('alter table approvals drop column joined_keys');
  }
}
