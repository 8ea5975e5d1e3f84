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

/** Runs the server until `stop` and restarts a postmaster that dies. Throws if the first start fails. */
export async function runServer(options: ServerOptions): Promise<Server> {
  let stopping = false;
  let postmaster = await boot(options);
  let restart: Promise<void> | undefined;

  const watch = (): void => {
    postmaster.once('exit', (code, signal) => {
      if (stopping) return;
      options.say(`Postgres ended unexpectedly (${signal ?? `exit code ${code}`}); starting it again.`);
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

/** Starts a postmaster and waits until it accepts connections, after crash recovery if necessary. */
async function boot(options: ServerOptions): Promise<ChildProcess> {
  for (let attempt = 1; ; attempt++) {
    const log = await open(options.logFile, 'a', 0o600);
    const { size: logFrom } = await log.stat();
    // It has its own process group, so that Ctrl-C in a terminal reaches only this process, which then stops Postgres
    // cleanly.
    const { command } = options;
    const stdio = ['ignore', log.fd, log.fd] as const;
    const child = spawn(command.file, command.args, { ...command.options, stdio: [...stdio], detached: true });
    try {
      await once(child, 'spawn');
    } finally {
      await log.close();
    }
    if (await becomesReady(child, options.url)) {
      // A program that ends without stop() must not wait for Postgres.
      child.unref();
      return child;
    }
    const output = (await readFile(options.logFile)).subarray(logFrom).toString().trim();
    // After the postmaster is killed, its child processes take a moment to exit.
    const predecessorsLeave = output.includes('pre-existing shared memory block') && attempt < 50;
    if (!predecessorsLeave) throw new Error(`Postgres did not start:\n${output.split('\n').slice(-15).join('\n')}`);
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

/** False while the server is absent, starting or stopping. Throws any other error of the server. */
export async function acceptsConnections(url: string): Promise<boolean> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // A server that dies between connect and end must not end this process with an unhandled error.
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

/** Creates the database if it is absent: a killed start may have created only the cluster. */
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

/** SIGINT closes connections, writes data and exits with 0. SIGQUIT stops immediately, and the next start recovers. */
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
