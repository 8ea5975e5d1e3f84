import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { appendFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { clusterDirOf, copyCluster, type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres';

const program = fileURLToPath(new URL('primary.program.js', import.meta.url));
const socketDirOf = (url: string): string => new URL(url).searchParams.get('host') ?? '';

/**
 * A primary and a standby that confirms each commit (synchronous replication). The address names both, and its users
 * find the one that accepts writes.
 */
export class DatabasePair implements EmbeddedPostgres {
  private constructor(
    readonly url: string,
    readonly pid: number,
    private readonly owner: ChildProcess,
    private readonly standby: EmbeddedPostgres,
  ) {}

  static async start(dataDir: string): Promise<DatabasePair> {
    const [primaryDir, standbyDir] = [join(dataDir, 'primary'), join(dataDir, 'standby')];
    const owner = spawn(process.execPath, [program, primaryDir], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(owner.stdout), 'line')) as [string];
    const { url, pid } = JSON.parse(line) as { url: string; pid: number };
    const standby = await startStandby(url, clusterDirOf(primaryDir), standbyDir);
    return new DatabasePair(bothOf(url, standby.url), pid, owner, standby);
  }

  /** Like a machine that fails: with every connection. */
  killPrimary(): void {
    this.owner.kill('SIGKILL');
    process.kill(-this.pid, 'SIGKILL');
  }

  /** Resolves when the standby accepts writes. */
  async promote(): Promise<void> {
    await ask(this.standby.url, 'select pg_promote()');
  }

  async stop(): Promise<void> {
    if (this.owner.exitCode === null && this.owner.signalCode === null) {
      const ended = once(this.owner, 'exit');
      this.owner.kill('SIGTERM');
      await ended;
    }
    await this.standby.stop();
  }
}

/** A copy of a running cluster that follows it, and that each commit waits for. */
export async function startStandby(url: string, clusterDir: string, dataDir: string): Promise<EmbeddedPostgres> {
  await mkdir(dataDir, { recursive: true });
  const copy = clusterDirOf(dataDir);
  await copyCluster({ url, clusterDir }, copy);
  const source = `host=${socketDirOf(url)} user=owner application_name=standby`;
  await appendFile(join(copy, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
  await writeFile(join(copy, 'standby.signal'), '');
  const standby = await startEmbeddedPostgres({ dataDir });
  await ask(url, `alter system set synchronous_standby_names = 'standby'`);
  await ask(url, 'select pg_reload_conf()');
  return standby;
}

export const bothOf = (one: string, other: string): string =>
  `postgresql://owner@/app?host=${socketDirOf(one)},${socketDirOf(other)}&target_session_attrs=read-write`;

export async function ask(url: string, sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  // The query fails too when the server ends.
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
