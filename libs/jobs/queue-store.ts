import type { Job, Queue, QueueOptions, Worker, WorkerOptions } from 'bullmq';
import { setTimeout as wait } from 'node:timers/promises';
import pg from 'pg';

export interface QueueSettings {
  /** The owner's connection; the queue's tables are in its schema `bullmq`. */
  databaseUrl: string;
  /** The role to drop to. */
  role: string;
  /** Redis (or Valkey) takes the place of the database. */
  redisUrl?: string;
  /** Tells these jobs from those of others in the same Redis. */
  prefix: string;
}

/** BullMQ's classes on the chosen store. */
export interface QueueStore {
  Queue: new (name: string, options: QueueOptions<object>) => Queue;
  Worker: new (name: string, perform: (job: Job) => Promise<boolean>, options: WorkerOptions<object>) => Worker;
  options: { connection: object; prefix: string };
  close(): Promise<void>;
}

/** Connections for what queues ask, beside one per lane that listens. */
const askingConnections = 3;
const connectionTimeoutMs = 5_000;
/** How soon a database that did not do what it was asked is asked again. */
const retryMs = 1_000;

/**
 * Opens the store that jobs are handed out by. BullMQ is loaded here, when the first piece is due, and not by those who
 * only start.
 *
 * @param lanes how many lanes there are: each has a connection that listens.
 */
export async function openQueueStore(settings: QueueSettings, lanes: number): Promise<QueueStore> {
  const { Queue, Worker, withBackend, createPostgresBackend } = await import('bullmq');
  const { redisUrl, prefix } = settings;
  if (redisUrl) {
    // Without end, as a worker's connection must: its commands wait until Redis is back.
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

/** One pool for all lanes; BullMQ would open one for each of them. */
function openPool({ databaseUrl, role }: QueueSettings, max: number): pg.Pool {
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max,
    keepAlive: true,
    connectionTimeoutMillis: connectionTimeoutMs,
    options: `-c role=${role} -c search_path=bullmq -c statement_timeout=30s -c lock_timeout=5s`,
  });
  // A connection that breaks while it is lent tells who asked; without a listener it would also end the process.
  pool.on('connect', (client) => client.on('error', () => undefined));
  // Each lane listens to its errors.
  pool.setMaxListeners(0);
  // BullMQ asks again at once, without end, unless it knows the error for one of the network.
  const query = pool.query.bind(pool) as (...asked: unknown[]) => Promise<unknown>;
  const patiently = (...asked: unknown[]): Promise<unknown> =>
    query(...asked).catch((error: unknown) =>
      wait(retryMs, undefined, { ref: false }).then(() => Promise.reject(error as Error)),
    );
  return Object.assign(pool, { query: patiently });
}
