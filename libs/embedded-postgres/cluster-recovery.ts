import { appendFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { clusterDirOf, startEmbeddedPostgres } from './embedded-postgres.js';

const pollMs = 100;
/** The log is in the cluster already, so Postgres is told that there is no more elsewhere. */
const settingsUntil = (time: string): Record<string, string> => ({
  restore_command: 'false',
  // With an offset in digits: no names of zones are known when Postgres reads it.
  recovery_target_time: new Date(time).toISOString().replace('Z', '+00'),
  recovery_target_action: 'promote',
});

/**
 * Starts Postgres once on a restored copy of a cluster, so that it applies the log, and stops it again.
 *
 * @param dataDir contains the copy where `startEmbeddedPostgres` looks for its cluster.
 * @param at the time that it is restored to; without it everything in the copy's log is applied.
 * @throws Error with the end of Postgres' log if the copy cannot be used.
 */
export async function recoverCluster(dataDir: string, at?: string): Promise<void> {
  const settings = at === undefined ? {} : settingsUntil(at);
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`);
  const clusterDir = clusterDirOf(dataDir);
  if (at !== undefined) await writeFile(join(clusterDir, 'recovery.signal'), '', { mode: 0o600 });
  await appendFile(join(clusterDir, 'postgresql.auto.conf'), lines.join(''));

  const postgres = await startEmbeddedPostgres({ dataDir });
  try {
    const client = new pg.Client({ connectionString: postgres.url });
    await client.connect();
    try {
      while (await isRecovering(client)) await delay(pollMs);
      for (const name of Object.keys(settings)) await client.query(`alter system reset ${name}`);
    } finally {
      await client.end();
    }
  } finally {
    await postgres.stop();
  }
}

async function isRecovering(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ recovering: boolean }>('select pg_is_in_recovery() as recovering');
  return rows[0]?.recovering === true;
}
