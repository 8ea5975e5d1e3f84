import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import type { Case, Outcome } from './case.js';
import type { Client } from './client.js';
import { KeyedWrites } from './keyed-writes.js';
import { judgeOutages, type Span } from './refusals.js';
import type { ServiceProcess } from './service-processes.js';
import { inWorld, type World } from './world.js';

const outages = 3;
const outageMs = 3_000;

interface Written {
  client: Client;
  node: ServiceProcess;
  writes: KeyedWrites;
}

/**
 * A dependency of the service is down for three seconds, three times, during writes.
 *
 * @param refusal the status of every response during an outage, which has Retry-After.
 * @param begin takes the dependency down and returns the function that restores it.
 */
export async function throughOutages(
  { client, node, writes }: Written,
  refusal: 429 | 503,
  begin: () => Promise<() => Promise<void>>,
): Promise<Pick<Outcome, 'more' | 'forbidden'>> {
  const spans: Span[] = [];
  let dead = 0;
  for (let turn = 1; turn <= outages; turn += 1) {
    await writes.have(turn / (outages + 1));
    const end = await begin();
    const from = performance.now();
    while (performance.now() - from < outageMs) {
      if (!(await isAlive(node))) dead += 1;
      await wait(200);
    }
    spans.push([from, performance.now()]);
    await end();
    await writes.have(turn / (outages + 1) + 1 / (4 * outages));
  }
  return judgeOutages(client.attempts, spans, refusal, dead);
}

async function isAlive({ url }: ServiceProcess): Promise<boolean> {
  const answer = await fetch(new URL('/healthz', url), { signal: AbortSignal.timeout(1_000) }).catch(() => undefined);
  return answer?.status === 200;
}

const outageOfPostgres = (
  name: string,
  lanes: number,
  begin: (world: World) => Promise<() => Promise<void>>,
): Case => ({
  name,
  run: () =>
    inWorld(async (world) => {
      const node = await world.start('main', { WORKER: 'off' });
      const client = await world.clientOf([node]);
      const writes = new KeyedWrites(client, 400, lanes);
      const seen = await throughOutages({ client, node, writes }, 503, () => begin(world));
      return { ...(await writes.counts(world)), ...seen };
    }),
});

export const postgresStopped = outageOfPostgres('postgres-stopped', 8, async ({ postgres }) => {
  const pids = await serverProcesses(postgres);
  for (const pid of pids) process.kill(pid, 'SIGSTOP');
  return () => Promise.resolve(pids.forEach((pid) => process.kill(pid, 'SIGCONT')));
});

/** Writes that wait for a lock use every connection of the pool; there are more writers than connections. */
export const poolExhausted = outageOfPostgres('pool-exhausted', 32, async ({ postgres }) => {
  const holder = new pg.Client({ connectionString: postgres.url });
  await holder.connect();
  await holder.query('begin; lock table tasks in exclusive mode');
  return async () => {
    await holder.query('rollback');
    await holder.end();
  };
});

/** The postmaster and its children, which a signal to the postmaster does not reach. */
async function serverProcesses({ pid, url }: World['postgres']): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query<{ pid: number }>(
    'select pid from pg_stat_activity where pid <> pg_backend_pid()',
  );
  await client.end();
  return [pid, ...rows.map((row) => row.pid)];
}
