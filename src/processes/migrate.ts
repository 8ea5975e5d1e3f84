import { DataSource } from 'typeorm';
import { appRoles, dataSourceOptions } from './data-source.js';

/** Nodes that start together take turns with an advisory lock, whose number only this service uses. */
const migrationLock = 4_207_311_985;

/**
 * Migrates the database to this release, as its owner, and checks that the other roles cannot bypass row security.
 *
 * @throws Error if a role is a superuser, has BYPASSRLS or owns a table.
 */
export async function migrate(url: string): Promise<void> {
  // Migrations are statements; what TypeORM knows of entities takes a while to put together.
  const owner = new DataSource({ ...dataSourceOptions({ url, max: 2 }), entities: [] });
  await owner.initialize();
  try {
    const runner = owner.createQueryRunner();
    await runner.query(`select pg_advisory_lock(${migrationLock})`);
    try {
      await runner.query(`set lock_timeout = '2s'; set statement_timeout = 0`);
      await makeRoles(runner.query.bind(runner));
      await owner.runMigrations();
      await refuseStrongRoles(runner.query.bind(runner));
    } finally {
      await runner.query(`select pg_advisory_unlock(${migrationLock})`);
      await runner.release();
    }
  } finally {
    await owner.destroy();
  }
}

type Query = (sql: string, values?: unknown[]) => Promise<unknown>;

async function makeRoles(query: Query): Promise<void> {
  for (const role of Object.values(appRoles)) {
    const [existing] = (await query('select 1 from pg_roles where rolname = $1', [role])) as unknown[];
    if (!existing) await query(`create role ${role} nologin nosuperuser nobypassrls`);
    await query(`grant ${role} to current_user`);
    await query(`grant usage on schema public to ${role}`);
  }
}

async function refuseStrongRoles(query: Query): Promise<void> {
  const strong = (await query(
    `select rolname, rolsuper, rolbypassrls, exists (select 1 from pg_class where relowner = r.oid and relkind in ('r', 'p')) as owner
       from pg_roles r where rolname = any($1)`,
    [Object.values(appRoles)],
  )) as { rolname: string; rolsuper: boolean; rolbypassrls: boolean; owner: boolean }[];
  for (const { rolname, rolsuper, rolbypassrls, owner } of strong) {
    const why = rolsuper ? 'is a superuser' : rolbypassrls ? 'has BYPASSRLS' : owner ? 'owns a table' : undefined;
    if (why)
      throw new Error(
        `The role ${rolname} ${why}, so row security would not apply to it. Remove that and start again.`,
      );
  }
}
