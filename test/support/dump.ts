import pg from 'pg';

/** Every row of every table as text, bytes in hexadecimal: what someone who stole a backup would read. */
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
    return texts.join('\n');
  } finally {
    await client.end();
  }
}
