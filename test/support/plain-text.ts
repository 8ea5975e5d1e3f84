import pg from 'pg';

/** The tables with a row that contains a text as it is, or its bytes, whichever organization it belongs to. */
export async function tablesWith(ownersUrl: string, text: string): Promise<string[]> {
  const client = new pg.Client({ connectionString: ownersUrl });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      `select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' order by 1`,
    );
    const found: string[] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(
        `select 1 from ${name} t
          where position($1 in t::text) > 0 or position(encode($1::text::bytea, 'hex') in t::text) > 0 limit 1`,
        [text],
      );
      if (rows.length > 0) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}
