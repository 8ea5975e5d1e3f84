import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface FreshDatabase {
  /** The owner's URL. */
  url: string;
  drop(): Promise<void>;
}

/** A copy of the migrated template, for one test file. */
export const freshDatabase = (): Promise<FreshDatabase> => createDatabase('app');

/** A database without migrations. */
export const emptyDatabase = (): Promise<FreshDatabase> => createDatabase('template0');

async function createDatabase(origin: string): Promise<FreshDatabase> {
  const template = process.env.TEST_TEMPLATE_URL as string;
  const name = `test_${randomBytes(6).toString('hex')}`;
  const run = async (sql: string): Promise<void> => {
    const client = new pg.Client({ connectionString: template.replace('/app?', '/postgres?') });
    await client.connect();
    try {
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  await run(`create database ${name} template ${origin} strategy file_copy`);
  const url = template.replace('/app?', `/${name}?`);
  return { url, drop: () => run(`drop database ${name} with (force)`) };
}
