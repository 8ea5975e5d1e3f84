import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdirSync, openSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { httpRequest } from '../client.js';
import type { Fixtures } from '../fixtures.js';
import { createTask } from '../scenarios.js';
import { freePort, killWithThis, stop, type Target } from '../target.js';

/** Installed once below `.data`, because no test and no service needs it. */
const folder = resolve('.data', 'bench', 'directus');
const version = '12.4.0';
const token = 'bench-of-the-property-operations-service';
const longestStartMs = 120_000;

/** What it is asked. The floors of all scenarios and it would have more connections than PostgreSQL accepts. */
export const scenariosOfDirectus: readonly string[] = ['list 20', 'get one', 'create'];

/** The columns and the index of the service's table that these requests use; Directus allows no key of two columns. */
const table = `create table tasks (
  id uuid primary key default uuidv7(), name text not null, description text, type text not null, status text not null default 'pending',
  priority text not null, assignee_ids uuid[] not null default '{}', due_at timestamptz, duration_minutes integer, checklist jsonb not null,
  metadata jsonb not null, external_refs jsonb not null default '[]', source text not null default 'manual', version integer not null default 1,
  created_at timestamptz not null default now(), updated_at timestamptz not null default now())`;

const rows = `insert into tasks (name, description, type, priority, due_at, duration_minutes, checklist, metadata)
  select 'Clean apartment ' || n, 'Linen is in the hall; the code of the safe has changed.', 'cleaning', 'normal',
         now() + n % 365 * interval '1 day', 90,
         '[{"id":"item_1","title":"Change the linen","required":true,"done":false},
           {"id":"item_2","title":"Water the plants","required":false,"done":false}]', '{"floor":"2"}'
    from generate_series(1, $1::int) n returning id`;

/**
 * Directus on a database of its own in the same PostgreSQL, with as many tasks as the reader has and an administrator's
 * token, for which it checks no permissions. It is installed at first use, and runs on the Node that `PEER_NODE` names if
 * its native modules were built for another one.
 */
export async function startDirectus(fixtures: Fixtures, tasks: number): Promise<Target> {
  install();
  await fixtures.query('create database directus');
  const databaseUrl = new URL(fixtures.databaseUrl);
  databaseUrl.pathname = '/directus';
  const port = await freePort();
  const env = {
    ...process.env,
    PORT: String(port),
    HOST: '127.0.0.1',
    PUBLIC_URL: `http://127.0.0.1:${port}`,
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: databaseUrl.href,
    DB_POOL__MAX: '16',
    SECRET: token,
    ADMIN_EMAIL: 'bench@example.com',
    ADMIN_PASSWORD: token,
    ADMIN_TOKEN: token,
    LOG_LEVEL: 'error',
    TELEMETRY: 'false',
    CACHE_ENABLED: 'false',
    RATE_LIMITER_ENABLED: 'false',
  };
  const log = openSync(join(fixtures.dataDir, 'directus.log'), 'a');
  const [node, program] = [process.env.PEER_NODE ?? process.execPath, join(folder, 'node_modules/directus/cli.js')];
  execFileSync(node, [program, 'bootstrap'], { cwd: folder, env, stdio: ['ignore', log, log] });
  const taskIds = await fill(databaseUrl.href, tasks);
  const child = spawn(node, [program, 'start'], { cwd: folder, env, stdio: ['ignore', log, log] });
  killWithThis(child);
  await responds(`http://127.0.0.1:${port}/server/ping`);
  return { name: 'directus', port, pid: child.pid as number, stop: () => stop(child), asks: asksOf(taskIds) };
}

function install(): void {
  if (existsSync(join(folder, 'node_modules/directus'))) return;
  mkdirSync(folder, { recursive: true });
  const words = ['install', '--prefix', folder, '--no-audit', '--no-fund', '--legacy-peer-deps', `directus@${version}`];
  execFileSync('npm', words, { stdio: ['ignore', 2, 2] });
}

async function fill(connectionString: string, tasks: number): Promise<string[]> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  await client.query(table);
  const filled = await client.query<{ id: string }>(rows, [tasks]);
  await client.query('vacuum (analyze) tasks');
  await client.end();
  return filled.rows.map(({ id }) => id);
}

async function responds(url: string): Promise<void> {
  for (const end = performance.now() + longestStartMs; performance.now() < end; await wait(200)) {
    const isReady = await fetch(url).then(
      ({ ok }) => ok,
      () => false,
    );
    if (isReady) return;
  }
  throw new Error(`Directus does not respond at ${url}.`);
}

function asksOf(taskIds: readonly string[]): Target['asks'] {
  const {
    dueAt: due_at,
    durationMinutes: duration_minutes,
    ...others
  } = JSON.parse(createTask) as Record<string, unknown>;
  const body = JSON.stringify({ ...others, due_at, duration_minutes });
  return {
    'list 20': { status: 200, request: () => httpRequest('GET /items/tasks?limit=20&sort=-id', { token }) },
    'get one': {
      status: 200,
      request: (_token, _tenant, index) =>
        httpRequest(`GET /items/tasks/${taskIds[index % taskIds.length]}`, { token }),
    },
    create: { status: 200, request: () => httpRequest('POST /items/tasks', { token, body }) },
  };
}
