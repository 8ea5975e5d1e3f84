import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres';
import { Client } from './client.js';
import { builtService, type Program, ServiceProcess, setClock } from './service-processes.js';

/** The environment of a case: a PostgreSQL of its own and processes of the service on it. */
export interface World {
  dataDir: string;
  postgres: EmbeddedPostgres;
  start: (program: Program, env?: Record<string, string>, checkout?: string) => Promise<ServiceProcess>;
  /** With a key that is never limited, or at this many requests a minute. */
  clientOf: (nodes: readonly { url: string }[], ratePerMinute?: number, pauseMs?: number) => Promise<Client>;
  /** An operator's command, in a separate process. */
  ops: (...words: string[]) => Promise<Record<string, string>>;
}

const apiKey = 'sk_live_first_key_of_the_faults_0123456789';

const alone = (dataDir: string): Promise<EmbeddedPostgres> => startEmbeddedPostgres({ dataDir });

/** Removes everything. */
export async function inWorld<T>(work: (world: World) => Promise<T>, startPostgres = alone): Promise<T> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-faults-'));
  setClock(dataDir, 0);
  const processes: ServiceProcess[] = [];
  const postgres = await startPostgres(join(dataDir, 'postgres'));
  try {
    return await work({
      dataDir,
      postgres,
      start: async (program, env = {}, checkout) => {
        const started = await ServiceProcess.start(program, {
          dataDir,
          databaseUrl: postgres.url,
          apiKey,
          env,
          checkout,
        });
        processes.push(started);
        return started;
      },
      clientOf: (nodes, ratePerMinute, pauseMs) => new Client(nodes, apiKey, undefined, pauseMs).keyed(ratePerMinute),
      ops: async (...words) => {
        const { stdout } = await promisify(execFile)(process.execPath, [builtService('ops/main'), ...words, '--json'], {
          env: { PATH: process.env.PATH, DATA_DIR: dataDir, DATABASE_URL: postgres.url, LOG_LEVEL: 'error' },
        });
        return JSON.parse(stdout) as Record<string, string>;
      },
    });
  } finally {
    await Promise.all(processes.map((one) => one.end('SIGKILL')));
    await postgres.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}
