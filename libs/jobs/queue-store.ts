import type { Job, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';
import { databaseHosts } from '#database-hosts';

export interface QueueSettings {
  /** The owner's connection; the queue's tables are in its schema `bullmq`. */
  databaseUrl: string;
  /** The role to switch to. */
  role: string;
  /** Redis (or Valkey) instead of the database. */
  redisUrl?: string;
  /** Separates these jobs from those of others in the same Redis. */
  prefix: string;
}

/** BullMQ's classes on the chosen store. */
export interface QueueStore {
  Queue: new (name: string, options: QueueOptions<object>) => Queue;
  Worker: new (name: string, perform: (job: Job) => Promise<boolean>, options: WorkerOptions<object>) => Worker;
  options: { connection: object; prefix: string };
  close(): Promise<void>;
}

/** Connections for commands, in addition to one listening connection per lane. */
const askingConnections = 3;
const connectionTimeoutMs = 5_000;
/** How soon a failed database command is retried. */
const retryMs = 1_000;

/**
 * Opens the store of the queue. BullMQ is loaded here, when the first job is due, so that starting the process does not
 * load it.
 *
 * @param lanes the number of lanes: each has a listening connection.
 */
export async function openQueueStore(settings: QueueSettings, lanes: number): Promise<QueueStore> {
  const { Queue, Worker, withBackend, createPostgresBackend } = await import('bullmq');
  const { redisUrl, prefix } = settings;
  if (redisUrl) {
    // Unlimited, as a worker's connection requires: its commands wait until Redis is back.
    const connection = { url: redisUrl, maxRetriesPerRequest: null };
    return { Queue, Worker, options: { connection, prefix }, close: () => Promise.resolve() };
  }
  const pool = openPool(settings, lanes + askingConnections);
  return {
    ...(withBackend(createPostgresBackend) as unknown as Pick<QueueStore, 'Queue' | 'Worker'>),
    options: { connection: pool, prefix },
    close: () => pool.end(),
  };
}

/** One pool for all lanes; BullMQ would open one for each. */
function openPool({ databaseUrl, role }: QueueSettings, max: number): pg.Pool {
  const pool = new pg.Pool({
    ...databaseHosts(databaseUrl),
    max,
    keepAlive: true,
    connectionTimeoutMillis: connectionTimeoutMs,
    options: `-c role=${role} -c search_path=bullmq -c statement_timeout=30s -c lock_timeout=5s`,
  });
  // A connection that breaks while it is in use rejects the command; without a listener it would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Each lane handles its errors.
  pool.setMaxListeners(0);
  // BullMQ retries immediately and endlessly unless it recognizes a network error.
  const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>;
  const patiently = (...asked: unknown[]): Promise<unknown> =>
    query(...asked).catch((error: unknown) =>
      wait(retryMs, undefined, { ref: false }).then(() => Promise.reject(error as Error)),
    );
  return Object.assign(pool, { query: patiently });
}
