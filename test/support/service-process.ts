import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Api, apiOf } from './api.js';
import { foundedDatabase } from './founded.js';
import { freePort, unhurried } from './start-app.js';

export interface ServiceProcess {
  port: number;
  api: Api;
  key: string;
  child: ChildProcess;
  /** Its output so far. */
  output: { stdout: string; stderr: string };
  /** Resolves with the exit code. */
  ended: Promise<number | null>;
  close(): Promise<void>;
}

const key = 'sk_live_first_key_of_the_tests_0123456789';

/** The service as an operator starts it, from dist/, on a database of its own by default. */
export async function startProcess(env: Record<string, string> = {}): Promise<ServiceProcess> {
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-data-'));
  const database = env.DATABASE_URL ? undefined : await foundedDatabase(dataDir);
  const port = await freePort();
  const child = spawn(process.execPath, ['dist/src/processes/main.js'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      ...unhurried,
      ...(database && { DATABASE_URL: database.url }),
      ADMIN_API_KEY: key,
      ADMIN_PASSWORD: 'correct horse battery staple',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const output = { stdout: '', stderr: '' };
  child.stderr.on('data', (chunk: Buffer) => (output.stderr += chunk.toString()));
  const ended = once(child, 'close').then(([code]) => code as number | null);
  await new Promise<void>((resolve, reject) => {
    child.stdout.on('data', (chunk: Buffer) => {
      output.stdout += chunk.toString();
      if (output.stdout.includes('"ready":true')) resolve();
    });
    void ended.then((code) => reject(new Error(`The service ended with ${code}: ${output.stderr}`)));
  });
  return {
    port,
    api: apiOf(`http://localhost:${port}`, key),
    key,
    child,
    output,
    ended,
    close: async () => {
      child.kill('SIGKILL');
      await ended;
      rmSync(dataDir, { recursive: true, force: true });
      await database?.drop();
    },
  };
}
