import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { freePort } from './service-processes.js';

export interface RedisServer {
  url: string;
  /** Its clock: Unix seconds. */
  now(): Promise<number>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Ends it; whatever it held is lost. */
  stop(): Promise<void>;
  /** At the same address as before. */
  start(): Promise<void>;
}

/** @returns what is said where there is no Redis to start. */
export function missingRedis(): string | undefined {
  const isThere = spawnSync('redis-server', ['--version']).status === 0;
  return isThere ? undefined : 'there is no redis-server on this machine';
}

/** A private Redis, only in memory. */
export async function startRedis(): Promise<RedisServer> {
  const port = await freePort();
  let server: ChildProcess;
  const start = async (): Promise<void> => {
    server = spawn('redis-server', ['--port', String(port), '--bind', '127.0.0.1', '--save', ''], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const chunk of server.stdout as NodeJS.ReadableStream) {
      if (String(chunk).includes('Ready to accept connections')) break;
    }
    server.stdout?.resume();
  };
  await start();
  return {
    url: `redis://127.0.0.1:${port}`,
    now: async () => {
      const { stdout } = await promisify(execFile)('redis-cli', ['-p', String(port), 'time']);
      return Number(stdout.split('\n')[0]);
    },
    signal: (signal) => void server.kill(signal),
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
    start,
  };
}
