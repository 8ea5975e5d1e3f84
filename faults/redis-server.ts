import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { freePort } from './service-processes.js';

export interface RedisServer {
  url: string;
  /** Its clock: Unix seconds. */
  now(): Promise<number>;
  signal(signal: 'SIGSTOP' | 'SIGCONT'): void;
  /** Closes the connections of all clients. */
  disconnect(): Promise<void>;
  /** Ends it and loses its data. */
  stop(): Promise<void>;
  /** At the same address as before. */
  start(): Promise<void>;
}

/** @returns the message if there is no Redis to start. */
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
      // A signal that ends a run reaches the run's whole group: Redis would end before the last check.
      detached: true,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    for await (const chunk of server.stdout as NodeJS.ReadableStream) {
      if (String(chunk).includes('Ready to accept connections')) break;
    }
    server.stdout?.resume();
    const kill = (): void => void server.kill('SIGKILL');
    process.once('exit', kill);
    server.once('exit', () => process.off('exit', kill));
  };
  await start();
  const cli = (...words: string[]) => promisify(execFile)('redis-cli', ['-p', String(port), ...words]);
  return {
    url: `redis://127.0.0.1:${port}`,
    now: async () => {
      const { stdout } = await cli('time');
      return Number(stdout.split('\n')[0]);
    },
    signal: (signal) => void server.kill(signal),
    disconnect: async () =>
      void (await cli('client', 'kill', 'type', 'normal', 'skipme', 'yes').catch(() => undefined)),
    stop: async () => {
      const ended = once(server, 'exit');
      server.kill('SIGKILL');
      await ended;
    },
    start,
  };
}
