import { randomBytes } from 'node:crypto';
import pg from 'pg';

export interface FreshDatabase {
  /** The owner's URL. */
  url: string;
  drop(): Promise<void>;
}

/** A copy of the migrated template, for one test file. */
export async function freshDatabase(): Promise<FreshDatabase> {
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
  await run(`create database ${name} template app strategy file_copy`);
  const url = template.replace('/app?', `/${name}?`);
  return { url, drop: () => run(`drop database ${name} with (force)`) };
}

/** Every row of every table as text, to look for what must not be there. */
export async function dumpOf(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const tables = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname not in ('pg_catalog', 'information_schema')`,
    );
    const parts: string[] = [];
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ row: string }>(`select t::text as row from ${name} t`);
      parts.push(...rows.map(({ row }) => row));
    }
    // bytea is written in hex: what it says as text belongs to the dump too.
    const hidden = [...parts.join(' ').matchAll(/\\\\x([0-9a-f]+)/g)].map(([, hex]) =>
      Buffer.from(hex ?? '', 'hex').toString(),
    );
    return [...parts, ...hidden].join('\n');
  } finally {
    await client.end();
  }
}
