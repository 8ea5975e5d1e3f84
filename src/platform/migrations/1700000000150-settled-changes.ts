import type { MigrationInterface, QueryRunner } from 'typeorm';

/**
 * For how long the oldest transaction of this database has been in progress, but for one's own: what it changes may
 * have an earlier time than what is committed already. The application's roles may not see other sessions, and
 * they learn only this number of them.
 */
export class SettledChanges1700000000150 implements MigrationInterface {
  async up(runner: QueryRunner): Promise<void> {
    await runner.query(`
      create function oldest_transaction_ms() returns double precision language sql volatile security definer
        set search_path = pg_catalog
      as $$
        select extract(epoch from clock_timestamp() - min(xact_start)) * 1000 from pg_stat_activity
         where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      $$;
      revoke execute on function oldest_transaction_ms from public;
      grant execute on function oldest_transaction_ms to app_user;
    `);
  }

  async down(runner: QueryRunner): Promise<void> {
    await runner.query('drop function oldest_transaction_ms;');
  }
}
