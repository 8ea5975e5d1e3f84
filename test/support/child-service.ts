import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, unhurried } from './start-app.js';

/** The built service as a separate process, as `npm start` runs it. */
export interface ChildService {
  url: string;
  mcpUrl: string;
  key: string;
  dataDir: string;
  process: ChildProcess;
  /** SIGTERM, and the exit code. */
  stop(): Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const key = 'sk_live_first_key_of_the_tests_0123456789';

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'pos-child-'));
export const removeDataDir = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });

/** Starts it and waits until it reports that it is ready. */
export async function startChild(dataDir: string, env: Record<string, string> = {}): Promise<ChildService> {
  const { announced, ...child } = await startProgram('main', dataDir, { PORT: String(await freePort()), ...env });
  const { baseUrl, mcpUrl } = announced as { baseUrl: string; mcpUrl: string };
  return { ...child, url: baseUrl, mcpUrl, key, dataDir };
}

/** The process that serves no requests, as `npm run worker` runs it. */
export const startWorker = (
  dataDir: string,
  env: Record<string, string>,
): Promise<Pick<ChildService, 'stop' | 'kill'>> => startProgram('worker', dataDir, env);

async function startProgram(name: 'main' | 'worker', dataDir: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [`dist/src/processes/${name}.js`], {
    env: {
      PATH: process.env.PATH,
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      ...unhurried,
      ADMIN_API_KEY: key,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const announced = await Promise.race([ready(child), ended.then(() => Promise.reject(new Error('It ended')))]);
  return {
    announced,
    process: child,
    stop: async () => {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
    kill: async (signal: NodeJS.Signals) => {
      child.kill(signal);
      await ended;
    },
  };
}

async function ready(child: ChildProcess): Promise<object> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (!line.startsWith('{"ready":true')) continue;
    child.stdout?.resume();
    return JSON.parse(line) as object;
  }
  throw new Error('The service ended before it was ready');
}
