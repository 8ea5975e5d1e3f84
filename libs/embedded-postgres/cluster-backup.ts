import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import pg from 'pg';
import { isComplete, segmentAfter, segmentsIn, timelineOf, walDirOf } from './wal-segments.js';

/** What a copied cluster can be restored to. */
export interface ClusterCopy {
  /** Postgres' name for the cluster: a copy is continued only from the cluster that it is of. */
  systemIdentifier: string;
  /** The earliest time that it can be restored to. */
  from: string;
  /** The latest: every commit until then is in the copy. */
  until: string;
  /** The last segment of the write-ahead log that it contains. */
  lastSegment: string;
}

interface Source {
  /** A superuser's connection to the running cluster. */
  url: string;
  clusterDir: string;
}

/**
 * What Postgres creates at its start, or what names the running process (PostgreSQL manual, 26.3.4, "Making a base
 * backup using the low level API").
 */
const emptied = new Set([
  'pg_dynshmem',
  'pg_notify',
  'pg_replslot',
  'pg_serial',
  'pg_snapshots',
  'pg_stat_tmp',
  'pg_subtrans',
  'pg_wal',
]);
const leftOut = /^(postmaster\.(pid|opts)|backup_label.*|pgsql_tmp.*|pg_internal\.init.*)$/;

/**
 * Copies a running cluster to a folder that does not exist yet: its files, and the log of what changed while they were
 * copied. The copy is complete once the folder has its name.
 */
export async function copyCluster(source: Source, to: string): Promise<ClusterCopy> {
  const unfinished = `${to}.unfinished`;
  await rm(unfinished, { recursive: true, force: true });
  return await connected(source.url, async (client) => {
    // It keeps the log for us, and ends with the connection.
    await client.query(`select pg_create_physical_replication_slot('backup_${process.pid}', true, true)`);
    const { start } = await rowOf<{ start: string }>(
      client,
      `select pg_walfile_name(pg_backup_start('ops backup', true)) as start`,
    );
    await copyFolder(source.clusterDir, unfinished);
    const { label } = await rowOf<{ label: string }>(client, 'select labelfile as label from pg_backup_stop(false)');
    await writeFile(join(unfinished, 'backup_label'), label, { mode: 0o600 });
    // The milliseconds of a time are cut off, and a moment too early could not be restored to.
    const from = await clock(client, `+ interval '1 millisecond'`);
    const end = await endOfLog(client);
    await copySegments(source.clusterDir, unfinished, start, end.lastSegment);
    await rename(unfinished, to);
    return { ...end, from };
  });
}

/**
 * Adds what was committed since to a copy.
 *
 * @returns undefined if the cluster no longer has the log that would be needed, or is another one.
 */
export async function continueCopy(source: Source, to: string, copy: ClusterCopy): Promise<ClusterCopy | undefined> {
  return await connected(source.url, async (client) => {
    const end = await endOfLog(client);
    const isSame =
      end.systemIdentifier === copy.systemIdentifier && timelineOf(end.lastSegment) === timelineOf(copy.lastSegment);
    const isWhole =
      isSame && (await copySegments(source.clusterDir, to, segmentAfter(copy.lastSegment), end.lastSegment));
    return isWhole ? { ...end, from: copy.from } : undefined;
  });
}

async function endOfLog(client: pg.Client): Promise<Omit<ClusterCopy, 'from'>> {
  const until = await clock(client);
  // A commit after that time, because a recovery up to a time looks for the first commit behind it.
  await client.query(`select pg_logical_emit_message(true, 'ops backup', '')`);
  return await rowOf(
    client,
    `select pg_walfile_name(pg_switch_wal() - 1) as "lastSegment", system_identifier::text as "systemIdentifier",
       $1::text as until from pg_control_system()`,
    [until],
  );
}

/** @returns false, and copies nothing of use, if the cluster has already removed one of them. */
async function copySegments(clusterDir: string, to: string, first: string, last: string): Promise<boolean> {
  const segments = await segmentsIn(clusterDir, first, last);
  for (const name of segments) await copyFile(join(walDirOf(clusterDir), name), join(walDirOf(to), name));
  // Postgres reuses the file of a segment that it removes, so one that is gone by now may have been copied too late.
  return isComplete(await segmentsIn(clusterDir, first, last), first, last);
}

/** Files change and vanish while they are copied; replaying the log that is copied with them corrects that. */
async function copyFolder(from: string, to: string): Promise<void> {
  await mkdir(to, { recursive: true, mode: 0o700 });
  for (const entry of await readdir(from, { withFileTypes: true })) {
    if (leftOut.test(entry.name)) continue;
    const [source, target] = [join(from, entry.name), join(to, entry.name)];
    if (emptied.has(entry.name)) await mkdir(target, { recursive: true, mode: 0o700 });
    else if (entry.isDirectory()) await copyFolder(source, target);
    else await copyFile(source, target).catch(unlessGone);
  }
}

function unlessGone(error: NodeJS.ErrnoException): void {
  if (error.code !== 'ENOENT') throw error;
}

const clock = async (client: pg.Client, offset = ''): Promise<string> =>
  (await rowOf<{ now: Date }>(client, `select clock_timestamp() ${offset} as now`)).now.toISOString();

async function rowOf<Row extends pg.QueryResultRow>(
  client: pg.Client,
  sql: string,
  values: unknown[] = [],
): Promise<Row> {
  const { rows } = await client.query<Row>(sql, values);
  return rows[0] as Row;
}

async function connected<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}
