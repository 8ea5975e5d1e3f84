import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { open, readFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import type { Command } from './postgres-account.js';

export interface ServerOptions {
  command: Command;
  logFile: string;
  /** A database that every cluster has, to see whether the server is ready. */
  url: string;
  say: (line: string) => void;
}

export interface Server {
  readonly pid: number;
  stop(): Promise<void>;
}

const stopWithinMs = 60_000;
const restartAfterMs = 1_000;

/** Runs the server until `stop`; a postmaster that dies meanwhile is started again. Throws where the first start fails. */
export async function runServer(options: ServerOptions): Promise<Server> {
  let stopping = false;
  let postmaster = await boot(options);
  let restart: Promise<void> | undefined;

  const watch = (): void => {
    postmaster.once('exit', (code, signal) => {
      if (stopping) return;
      options.say(`Postgres ended by itself (${signal ?? `exit code ${code}`}); starting it again.`);
      restart = startAgain();
    });
  };
  const startAgain = async (): Promise<void> => {
    while (!stopping) {
      try {
        postmaster = await boot(options);
        return watch();
      } catch (error) {
        options.say((error as Error).message);
        await delay(restartAfterMs);
      }
    }
  };
  watch();

  return {
    get pid() {
      return postmaster.pid ?? 0;
    },
    stop: async () => {
      stopping = true;
      await restart;
      await end(postmaster);
    },
  };
}

/** Starts a postmaster and waits, through crash recovery if need be, until it takes connections. */
async function boot(options: ServerOptions): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    const log = await open(options.logFile, 'a', 0o600);
    const { size: logFrom } = await log.stat();
    // Its own process group, so that Ctrl-C in a terminal reaches this process alone, which then ends Postgres in order.
    const { command } = options;
    const stdio = ['ignore', log.fd, log.fd] as const;
    const child = spawn(command.file, command.args, { ...command.options, stdio: [...stdio], detached: true });
    try {
      await once(child, 'spawn');
    } finally {
      await log.close();
    }
    if (await becomesReady(child, options.url)) {
      // A program that ends without stop() must not hang on Postgres.
      child.unref();
      return child;
    }
    const said = (await readFile(options.logFile)).subarray(logFrom).toString().trim();
    // The processes of a killed postmaster take a moment to notice that it is gone.
    const predecessorsLeave = said.includes('pre-existing shared memory block') && attempt < 50;
    if (!predecessorsLeave) throw new Error(`Postgres did not start:\n${said.split('\n').slice(-15).join('\n')}`);
    await delay(200);
  }
}

async function becomesReady(child: ChildProcess, url: string): Promise<boolean> {
  try {
    while (!hasEnded(child)) {
      if (await acceptsConnections(url)) return true;
      await delay(20);
    }
    return false;
  } catch (error) {
    await end(child);
    throw error;
  }
}

/** False while the server is absent, starting or stopping. Throws where it answers with any other error. */
export async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that dies between connect and end must not end this process with an unheard error.
  client.on('error', () => {});
  try {
    await client.connect();
    return true;
  } catch (error) {
    const cannotConnectNow = '57P03';
    if (error instanceof pg.DatabaseError && error.code !== cannotConnectNow) throw error;
    return false;
  } finally {
    await client.end().catch(() => {});
  }
}

/** Makes the database where it is absent: a start that was killed may have made the cluster alone. */
export async function makeDatabase(url: string, name: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const found = await client.query('SELECT FROM pg_database WHERE datname = $1', [name]);
    if (found.rowCount === 0) await client.query(`CREATE DATABASE ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/** SIGINT: connections are cut, data is written, exit 0. SIGQUIT: at once, and the next start recovers. */
async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return;
  child.ref();
  const ended = once(child, 'exit');
  child.kill('SIGINT');
  const tooLate = setTimeout(() => child.kill('SIGQUIT'), stopWithinMs);
  await ended;
  clearTimeout(tooLate);
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;
