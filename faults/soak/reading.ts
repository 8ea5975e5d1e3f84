import { readdirSync, readFileSync } from 'node:fs';
import pg from 'pg';
import type { ServiceProcess } from '../service-processes.js';

/** By name, with its unit. */
export type Reading = Record<string, number>;

const pageBytes = 4_096;
const megabyte = 1_048_576;

/** The current amount of everything that could accumulate. */
export async function readingOf(
  processes: Record<string, ServiceProcess>,
  databaseUrl: string,
  requests: number,
): Promise<Reading> {
  const ofProcesses = Object.entries(processes).map(([name, { pid }]): [string, number][] => [
    [`${name}: memory, MB`, residentMegabytes(pid)],
    [`${name}: open files`, readdirSync(`/proc/${pid}/fd`).length],
  ]);
  return { ...Object.fromEntries(ofProcesses.flat()), ...(await readingOfDatabase(databaseUrl, requests)) };
}

/** Linux reports it in pages. */
const residentMegabytes = (pid: number): number =>
  Math.round((Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1]) * pageBytes) / megabyte);

async function readingOfDatabase(databaseUrl: string, requests: number): Promise<Reading> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, string>>(`select
      (select count(*) from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()) as connections,
      (select count(*) from webhook_deliveries where status = 'pending') as deliveries,
      (select count(*) from idempotency_records) as kept,
      (select sum(pg_total_relation_size(relid)) from pg_stat_user_tables) as bytes,
      (select 100.0 * sum(n_dead_tup) / greatest(1, sum(n_live_tup + n_dead_tup)) from pg_stat_user_tables) as dead`);
    const row = rows[0] as Record<string, string>;
    return {
      'database: connections': Number(row.connections),
      'dead rows, %': Math.round(Number(row.dead)),
      'deliveries waiting': Number(row.deliveries),
      'answers kept for repeated requests': Number(row.kept),
      'bytes stored for each request': Math.round(Number(row.bytes) / requests),
    };
  } finally {
    await client.end();
  }
}
