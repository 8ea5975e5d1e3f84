import pg from 'pg';

/** Every row of every table as text, bytes as they are and as what they say: what someone who stole a backup would read. */
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
