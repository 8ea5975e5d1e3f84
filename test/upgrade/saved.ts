import { readFileSync } from 'node:fs';
import { brotliDecompressSync } from 'node:zlib';
import pg from 'pg';
import type { KeyringData } from '#secrets';
import type { Json } from '../support/api.js';

/** A data directory of an old release, and the responses of that release. */
export interface Saved {
  /** When it was read: its times are shown as of then. */
  readAt: string;
  keyring: KeyringData;
  /** What is under DATA_DIR/attachments, in base64, by path. */
  files: Record<string, string>;
  database: SavedDatabase;
  credentials: Credentials;
  /** By path below /api/v1. */
  answers: Record<string, Json>;
  /** By path of the operation, which is a POST. */
  reveals: Record<string, Json>;
}

export interface Credentials {
  key: string;
  owner: { email: string; password: string };
  /** A person who also signs in with an authenticator app. */
  second: { email: string; password: string; secret: string };
  application: { client_id: string; access_token: string; refresh_token: string };
  /** A write that succeeded. */
  idempotent: { key: string; input: object; data: Json };
}

export interface SavedDatabase {
  /** Names of the migrations that have run. */
  migrations: string[];
  /** Its columns, constraints, indexes, policies and triggers, as SQL. */
  schema: string[];
  /** By table, as a JSON array. */
  rows: Record<string, string>;
  /** By name, the last number of each sequence. */
  sequences: Record<string, string>;
  /** The number of its newest transaction, because events store theirs. */
  transaction: string;
}

/** MCP_URL, which tokens are issued for: the same then and now, whatever the port. */
export const mcpUrl = 'http://mcp.tests.example';

export const readSaved = (file: string): Saved =>
  JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as Saved;

/** Connects as the owner, who bypasses row security. */
export async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url, options: '-c timezone=UTC' });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Of the public schema, which contains everything but the queue, and that is filled again from due rows. */
export async function schemaOf(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ line: string }>(`
    select concat_ws(' ', 'column', table_name, column_name, data_type, udt_name, is_nullable, column_default,
        identity_generation, generation_expression) as line
      from information_schema.columns where table_schema = 'public'
    union all
    select concat_ws(' ', 'constraint', conrelid::regclass, conname, pg_get_constraintdef(oid))
      from pg_constraint where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select indexdef from pg_indexes where schemaname = 'public'
    union all
    select concat_ws(' ', 'policy', tablename, policyname, roles, cmd, qual, with_check) from pg_policies
      where schemaname = 'public'
    union all select pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    order by 1`);
  return rows.map(({ line }) => line);
}

/** The tables except that of the migrations, with the columns that are written. */
async function tablesOf(client: pg.Client): Promise<{ name: string; columns: string }[]> {
  const { rows } = await client.query<{ name: string; columns: string }>(`
    select c.relname as name, string_agg(quote_ident(a.attname), ', ' order by a.attnum) as columns
      from pg_class c join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
     where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and a.attgenerated = ''
       and c.relname <> 'migrations'
     group by c.relname order by c.relname`);
  return rows;
}

export async function saveDatabase(client: pg.Client): Promise<SavedDatabase> {
  const one = async (text: string): Promise<string> =>
    (await client.query<{ one: string }>(text)).rows[0]?.one as string;
  const rows: Record<string, string> = {};
  for (const { name, columns } of await tablesOf(client)) {
    // Not as jsonb, which would change the sealed JSON text of the audit trail.
    const text = await one(`select json_agg(to_json(t))::text as one from (select ${columns} from ${name}) t`);
    if (text) rows[name] = text;
  }
  const sequences = await client.query<{ name: string; last: string | null }>(
    `select sequencename as name, last_value::text as last from pg_sequences where schemaname = 'public'`,
  );
  const migrations = await client.query<{ name: string }>('select name from migrations order by id');
  return {
    migrations: migrations.rows.map(({ name }) => name),
    schema: await schemaOf(client),
    rows,
    sequences: Object.fromEntries(
      sequences.rows.flatMap(({ name, last }) =>
        last === null || name.startsWith('migrations') ? [] : [[name, last]],
      ),
    ),
    transaction: await one('select pg_current_xact_id()::text as one'),
  };
}

/** Fills a database on which the migrations of that release have run. */
export async function fill(client: pg.Client, { rows, sequences, transaction }: SavedDatabase): Promise<void> {
  const tables = new Map((await tablesOf(client)).map(({ name, columns }) => [name, columns]));
  await client.query('set session_replication_role = replica');
  for (const [name, values] of Object.entries(rows)) {
    const columns = tables.get(name) as string;
    const text = `insert into ${name} (${columns}) overriding system value
      select ${columns} from json_populate_recordset(null::${name}, $1::json)`;
    await client.query(text, [values]);
  }
  for (const [name, last] of Object.entries(sequences)) await client.query('select setval($1, $2)', [name, last]);
  // A data directory keeps its transaction numbers; another server may have to catch up.
  await client.query(
    `do $$ begin while pg_current_xact_id()::text::bigint <= ${BigInt(transaction)} loop commit; end loop; end $$`,
  );
}
