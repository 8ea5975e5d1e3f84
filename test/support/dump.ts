import pg from 'pg';

/** Every row of every table as text, with bytes raw and decoded: what a person with a stolen backup would read. */
export async function dumpOf(databaseUrl: string): Promise<string> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(tablename) as name from pg_tables where schemaname = 'public'`,
    );
    await client.query('set role app_system');
    const texts = [];
    for (const { name } of tables.filter((table) => table.name !== 'migrations')) {
      const { rows } = await client.query<{ text: string }>(`select t::text as text from ${name} t`);
      texts.push(...rows.map(({ text }) => text));
    }
    const decoded = Array.from(texts.join(' ').matchAll(/\\\\x([0-9a-f]+)/g), ([, hex]) =>
      Buffer.from(hex ?? '', 'hex').toString(),
    );
    return [...texts, ...decoded].join('\n');
  } finally {
    await client.end();
  }
}

/** Tables and columns that background work, or even a read, changes at any moment. */
const restless = {
  // Every request is counted, including a rehearsal.
  tables:
    /^(migrations|audit_seals|audit_heads|webhook_deliveries|cell|sliding_windows|request_usage|request_peaks|requests(_\d+)?)$/,
  columns: ['last_used_at', 'last_used_from', 'last_used_agent', 'lease', 'leased_until', 'failing_since'],
};

/** All rows by table, without what the background changes, to compare a database with itself a moment later. */
export async function rowsOf(databaseUrl: string): Promise<Record<string, string[]>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select tablename as name from pg_tables where schemaname = 'public' order by 1`,
    );
    await client.query('set role app_system');
    const all: Record<string, string[]> = {};
    for (const { name } of tables.filter((table) => !restless.tables.test(table.name))) {
      const { rows } = await client.query<{ row: string }>(
        `select (to_jsonb(t) - $1::text[])::text as row from ${client.escapeIdentifier(name)} t order by 1`,
        [restless.columns],
      );
      all[name] = rows.map(({ row }) => row);
    }
    return all;
  } finally {
    await client.end();
  }
}
