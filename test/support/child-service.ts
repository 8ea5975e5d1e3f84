import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { freePort, unhurried } from './start-app.js';

/** The built service as a process of its own, as `npm start` runs it. */
export interface ChildService {
  url: string;
  mcpUrl: string;
  key: string;
  dataDir: string;
  process: ChildProcess;
  /** SIGTERM, and the code that it exits with. */
  stop(): Promise<number | null>;
  kill(signal: NodeJS.Signals): Promise<void>;
}

const key = 'sk_live_first_key_of_the_acceptance_0123456789';

export const newDataDir = (): string => mkdtempSync(join(tmpdir(), 'pos-child-'));
export const removeDataDir = (dataDir: string): void => rmSync(dataDir, { recursive: true, force: true });

/** Starts it and waits until it says that it is ready. */
export async function startChild(dataDir: string, env: Record<string, string> = {}): Promise<ChildService> {
  const child = spawn(process.execPath, ['--enable-source-maps', 'dist/src/main.js'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(await freePort()),
      DATA_DIR: dataDir,
      LOG_LEVEL: 'silent',
      ...unhurried,
      ADMIN_API_KEY: key,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const { baseUrl, mcpUrl } = await Promise.race([
    ready(child),
    ended.then(() => Promise.reject(new Error('It ended'))),
  ]);
  return {
    url: baseUrl,
    mcpUrl,
    key,
    dataDir,
    process: child,
    stop: async () => {
      child.kill('SIGTERM');
      return (await ended)[0];
    },
    kill: async (signal) => {
      child.kill(signal);
      await ended;
    },
  };
}

async function ready(child: ChildProcess): Promise<{ baseUrl: string; mcpUrl: string }> {
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    if (!line.startsWith('{"ready":true')) continue;
    child.stdout?.resume();
    return JSON.parse(line) as { baseUrl: string; mcpUrl: string };
  }
  throw new Error('The service ended before it was ready');
}
