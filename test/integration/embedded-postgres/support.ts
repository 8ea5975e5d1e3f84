import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdtemp, readlink, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import pg from 'pg';
import { startEmbeddedPostgres } from '../../../libs/embedded-postgres/index.js';

export const isRoot = process.getuid?.() === 0;
const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

/** In a process of its own, which takes a tenth of the time that Node takes for a thousand files. */
export const copyFolder = (from: string, to: string): Buffer => execFileSync('cp', ['-a', `${from}/.`, to]);

/**
 * For copies, because creating a cluster takes longer than everything else here. It is kept until the end of the run.
 */
let original: Promise<string> | undefined;
async function makeOriginal(): Promise<string> {
  const dataDir = await mkdtemp(join(tmpdir(), 'embedded-postgres-original-'));
  await (await startEmbeddedPostgres({ dataDir, fsync: false })).stop();
  return dataDir;
}

/** Folders and processes of one test file; call `clear` in its `afterEach`. */
export class Workplace {
  private folders: string[] = [];
  private children: ChildProcess[] = [];

  async folder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), 'embedded-postgres-test-'));
    this.folders.push(folder);
    return folder;
  }

  /** A folder with a cluster that has run before. */
  async stoppedCluster(): Promise<string> {
    const dataDir = await this.folder();
    copyFolder(await (original ??= makeOriginal()), dataDir);
    return dataDir;
  }

  /** A child process that ends with the test. */
  spawn(command: string[], env: NodeJS.ProcessEnv = process.env): ChildProcess {
    const [file = '', ...args] = command;
    const child = spawn(file, args, { env, stdio: ['ignore', 'pipe', 'inherit'] });
    this.children.push(child);
    return child;
  }

  /** Another node process that owns the data directory, ready to be killed. `prefix` names the user that it runs as. */
  async owner(dataDir: string, prefix: string[] = [], env: NodeJS.ProcessEnv = process.env): Promise<Owner> {
    const node = [process.execPath, '--import', here('../../support/runner/modules.mjs')];
    const child = this.spawn([...prefix, ...node, here('./owner.program.ts'), dataDir], env);
    return { child, ...(JSON.parse(await firstLine(child)) as { url: string; pid: number }) };
  }

  /** Our environment with a shell script in place of a program. */
  async environmentWith(program: string, script: string): Promise<NodeJS.ProcessEnv> {
    const programs = await this.folder();
    await writeFile(join(programs, program), `#!/bin/sh\n${script}\n`, { mode: 0o755 });
    return { ...process.env, PATH: `${programs}:${process.env.PATH}` };
  }

  async clear(): Promise<void> {
    for (const child of this.children) {
      if (child.exitCode !== null || child.signalCode !== null) continue;
      child.kill('SIGTERM');
      await once(child, 'exit');
    }
    for (const folder of this.folders) {
      // What a killed owner leaves behind, which its next start would remove.
      const socketDir = await readlink(join(folder, 'socket')).catch(() => undefined);
      if (socketDir) await rm(socketDir, { recursive: true, force: true });
      await rm(folder, { recursive: true, force: true });
    }
    this.children = [];
    this.folders = [];
  }
}

export interface Owner {
  child: ChildProcess;
  url: string;
  pid: number;
}

export async function firstLine(child: ChildProcess): Promise<string> {
  let text = '';
  for await (const chunk of child.stdout ?? []) {
    text += String(chunk);
    if (text.includes('\n')) return text.split('\n')[0] ?? '';
  }
  throw new Error(`The child ended with ${child.exitCode} before it said anything`);
}

export async function query<Row extends pg.QueryResultRow>(url: string, sql: string): Promise<Row[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Row>(sql)).rows;
  } finally {
    await client.end();
  }
}

/** Waits for a condition; if it is never met, the test fails at its own time limit. */
export async function until(condition: () => boolean | Promise<boolean>): Promise<void> {
  while (!(await condition())) await delay(20);
}

/** Running, and not a zombie that waits to be reaped. */
export function isRunning(pid: number): boolean {
  try {
    return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'));
  } catch {
    return false;
  }
}

/** The pid file that a killed Postgres would have left in a cluster. */
export const postmasterPid = (pid: number, clusterDir: string, socketDir: string): string =>
  [pid, clusterDir, 1_790_000_000, 5432, socketDir, '', '  1234567         1', 'ready   ', ''].join('\n');

export const clusterOf = (dataDir: string): string => join(dataDir, 'cluster');
