import { mkdirSync, rmSync } from 'node:fs';
import pg from 'pg';
import { FirstStart } from '../../src/processes/first-start.js';
import { clock, clockFollowers } from './clock.js';
import { expectDeclared } from './refusals.js';
import type { Service } from './start-app.js';

/** A service between two test files. */
interface Kept {
  service: Service;
  owner: pg.Client;
  /** The rows of `schedules` after the start, which no test may change for the next. */
  schedules: string;
}

/** Only what a service can be started with more than once: no port, and no address of something that a test starts. */
const shareable = new Set(['WORKER', 'TRUSTED_PROXIES', 'OUTBOUND_ALLOW', 'SIGN_UP']);
/** Each has connections to the database, and looks for work now and then. */
const mostKept = 2;

/** The files of a process share it, although each loads the modules of test/ again. */
const ofProcess = globalThis as typeof globalThis & { keptApps?: Map<string, Kept> };
const kept = (ofProcess.keptApps ??= new Map<string, Kept>());

export const isShareable = (env: Record<string, string>): boolean =>
  Object.keys(env).every((name) => shareable.has(name));

/**
 * A service that an earlier test file of this process has used, emptied, or a new one. It starts like a new one, but
 * its connections have planned their statements already, which takes a third of the time of most test files.
 *
 * @param start a service that ends when it is closed.
 */
export async function keptApp(env: Record<string, string>, start: () => Promise<Service>): Promise<Service> {
  const name = JSON.stringify(env);
  const found = kept.get(name);
  kept.delete(name);
  if (found) await found.service.app.get(FirstStart).prepare({ demo: false });
  const one = found ?? (await keep(await start()));
  clockFollowers.add(one.service.look);
  return { ...one.service, close: () => putBack(name, one) };
}

async function keep(service: Service): Promise<Kept> {
  const owner = new pg.Client({ connectionString: service.database.url });
  await owner.connect();
  const { rows } = await owner.query('select jsonb_agg(to_jsonb(s))::text as schedules from schedules s');
  return { service, owner, schedules: rows[0].schedules as string };
}

async function putBack(name: string, one: Kept): Promise<void> {
  clock.restore();
  clockFollowers.delete(one.service.look);
  await empty(one);
  // A file that had two of them leaves one.
  const oldest = kept.has(name) ? name : kept.size < mostKept ? undefined : [...kept.keys()][0];
  if (oldest !== undefined) await end(oldest);
  kept.set(name, one);
  expectDeclared();
}

async function end(name: string): Promise<void> {
  const { owner, service } = kept.get(name) as Kept;
  kept.delete(name);
  await owner.end();
  await service.close();
}

/**
 * Deletes instead of truncating, because plans of a truncated table are made again; in one transaction, because the
 * service goes on looking for work.
 */
async function empty({ service, owner, schedules }: Kept): Promise<void> {
  await owner.query('begin');
  await owner.query(deleteEverything);
  await owner.query('insert into schedules select * from jsonb_populate_recordset(null::schedules, $1)', [schedules]);
  await owner.query('commit');
  const { dataDir } = service.config;
  rmSync(dataDir, { recursive: true, force: true });
  mkdirSync(dataDir, { recursive: true });
}

/**
 * What the service is, rather than what it has, stays: its schema and its cell. Work that is still in progress gives way
 * when both wait for each other, because it looks for that first.
 */
const deleteEverything = `
  do $$ declare one record; begin
    set local deadlock_timeout = '1min';
    set local session_replication_role = replica;
    for one in
      select c.oid::regclass as name from pg_class c
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition
         and c.relname not in ('migrations', 'cell')
    loop execute format('delete from %s', one.name); end loop;
  end $$`;
