import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { startEmbeddedPostgres } from '#embedded-postgres';
import { newApiKey } from '#regions';
import type { Keyring } from '#secrets';
import { loadKeyring } from '../src/processes/keyring-file.js';
import { migrate } from '../src/processes/migrate.js';
import { permissionNames } from '../src/platform/callers/permissions.js';
import { type Approvals, addApprovals, type Query } from './approvals.js';

/** An organization with API keys with the highest limit, and with people who approved. */
export interface Tenant {
  orgId: string;
  tokens: string[];
  /** Ids of the API, `task_…`, of some of its tasks. */
  taskIds: string[];
  approvals: Approvals;
}

/** The database that all servers of a run share, with rows. */
export interface Fixtures {
  dataDir: string;
  databaseUrl: string;
  postgresPid: number;
  query: Query;
  /** A new organization with this many tasks. */
  addTenant: (tasks: number) => Promise<Tenant>;
  /** What autovacuum does within a minute: statistics of the rows, and which pages have only rows that all can see. */
  tidy: () => Promise<void>;
  remove: () => Promise<void>;
}

/** Enough that no key comes near its 1,000 requests in a second, however quick the machine. */
const keysPerTenant = 40;
const idsKept = 1_000;

/**
 * A new cluster in a temporary folder, with fsync on as in production. Autovacuum is off, and there are no checkpoints,
 * because they would affect some cells: after each, the first change of a page writes all of it to the log.
 */
export async function prepareFixtures(): Promise<Fixtures> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-bench-'));
  process.once('exit', () => rmSync(dataDir, { recursive: true, force: true }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres') });
  await migrate(postgres.url);
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  await client.query('alter system set autovacuum = off');
  await client.query(`alter system set checkpoint_timeout = '1d'`);
  await client.query(`alter system set max_wal_size = '64GB'`);
  await client.query('select pg_reload_conf()');
  const query: Query = async (sql, values) => (await client.query<Record<string, unknown>>(sql, values)).rows;
  const keyring = loadKeyring(dataDir);
  return {
    dataDir,
    databaseUrl: postgres.url,
    postgresPid: postgres.pid,
    query,
    addTenant: (tasks) => addTenant(query, keyring, tasks),
    tidy: async () => void (await query('vacuum (analyze)')),
    remove: async () => {
      await client.end();
      await postgres.stop();
    },
  };
}

async function addTenant(query: Fixtures['query'], keyring: Keyring, tasks: number): Promise<Tenant> {
  const [orgId, memberId] = [randomUUID(), randomUUID()];
  await query(
    `insert into organizations values ($1, 'Bench', $1::uuid::text, 'us', 'UTC', 'EUR', '{en}', false, 'active', 1, now(), now())`,
    [orgId],
  );
  await query(
    `insert into members (org_id, id, kind, name, status, version, created_at, updated_at)
     values ($1, $2, 'machine', 'Bench', 'active', 1, now(), now())`,
    [orgId, memberId],
  );
  const tokens = Array.from({ length: keysPerTenant }, () => newApiKey('live', 'us'));
  for (const token of tokens) {
    await query(
      `insert into api_keys (org_id, id, name, member_id, hash, prefix, scopes, rate_per_minute, version, created_at, updated_at)
       values ($1, uuidv7(), 'Bench', $2, $3, 'sk_live_us_', $4, 60000, 1, now(), now())`,
      [orgId, memberId, keyring.hash(token), permissionNames],
    );
  }
  await addTasks(query, orgId, tasks);
  await query('vacuum tasks, task_assignees');
  const rows = await query('select id from tasks where org_id = $1 order by id desc limit $2', [orgId, idsKept]);
  const taskIds = rows.map(({ id }) => `task_${String(id).replaceAll('-', '')}`);
  return {
    orgId,
    tokens,
    taskIds,
    approvals: await addApprovals(query, keyring, orgId),
  };
}

/** Tasks as clients create them: most pending, due over the coming year, two steps each, a tenth for the machine. */
export async function addTasks(query: Fixtures['query'], orgId: string, tasks: number): Promise<void> {
  await query(
    `insert into tasks (org_id, id, name, description, type, status, priority, assignee_ids, due_at, duration_minutes,
                        checklist, metadata, external_refs, source, version, created_at, updated_at)
     select $1, uuidv7(), 'Clean ' || case when n = 300 then 'the Quixote suite' else 'apartment ' || n end, 'Linen is in the hall; the code of the safe has changed.',
            (array['cleaning', 'maintenance', 'inspection'])[n % 3 + 1],
            (array['pending', 'pending', 'in_progress', 'completed'])[n % 4 + 1],
            (array['low', 'normal', 'normal', 'high'])[n % 4 + 1],
            case when n % 10 = 0 then array(select id from members where org_id = $1 and kind = 'machine') else '{}' end,
            now() + n % 365 * interval '1 day', 90,
            '[{"id":"item_1","title":"Change the linen","required":true,"done":false},
              {"id":"item_2","title":"Water the plants","required":false,"done":false}]',
            '{"floor":"2"}', '[]', 'manual', 1, now(), now()
       from generate_series(1, $2::int) n`,
    [orgId, tasks],
  );
  await query('analyze tasks, task_assignees');
}

/** Stays of one property from a provider, four for each guest; every twentieth is cancelled. */
export async function addStays(query: Fixtures['query'], orgId: string, stays: number): Promise<void> {
  const [property] = await query(
    `insert into properties (org_id, id, name, timezone, type, check_in_time, check_out_time, tags, metadata, feed_token,
                             feed_hash, version, created_at, updated_at)
     values ($1, uuidv7(), 'Bench', 'UTC', 'apartment', '15:00', '11:00', '{}', '{}', '', $2, 1, now(), now())
     returning id`,
    [orgId, randomBytes(32)],
  );
  await query(
    `with numbers as materialized (select n, uuidv7() as id, current_date + n % 365 as arrives from generate_series(1, $2::int) n),
     new_guests as (
       insert into guests (org_id, id, name, metadata, version, created_at, updated_at)
       select $1, id, case when n = 300 then 'Rare Quixote ' else 'Guest ' end || n, '{}', 1, now(), now()
         from numbers where n % 4 = 0)
     insert into reservations (org_id, id, property_id, check_in_date, check_out_date, arrival_at, departure_at,
                               guest_id, confirmation_code, channel, status, stay_status, source, exempt, overlapping, metadata,
                               external_refs, version, created_at, updated_at)
     select $1, id, $3, arrives, arrives + 3, arrives, arrives + 3,
            case when n % 4 = 0 then id end, 'BENCH-' || n, 'direct',
            case when n % 20 = 7 then 'cancelled' else 'confirmed' end, 'not_arrived', 'provider', true, false, '{}', '[]', 1, now(), now()
       from numbers`,
    [orgId, stays, property?.id],
  );
  await query('analyze reservations, guests');
}
