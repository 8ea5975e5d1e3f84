import { connect, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import type { Case, Outcome } from './case.js';
import type { Attempt, Client } from './client.js';
import { judgeTasks, madeBy, type StoredTask, storedTasks } from './stored-tasks.js';
import { inWorld } from './world.js';

const slow = 200;
const dripMs = 500;
const flooding = 2;
const floodPauseMs = 50;
const aloneMs = 3_000;
/** Node checks for late requests every 30 s; ours are late after 10. */
const longestMs = 45_000;
const pauseMs = 50;
const lateMs = 2_000;
/** Twice the 16 KB that are read. */
const manyHeaders = Array.from({ length: 1_000 }, (_, n) => `X-Header-${n}: ${'x'.repeat(20)}\r\n`).join('');

/**
 * Connections that send a header byte by byte and never end (slowloris), and others that send more headers than are
 * read. A client writes until the slow ones have been closed, and each write must be answered as usual.
 */
export const slowClients: Case = {
  name: 'slow-clients',
  run: () =>
    inWorld(async (world) => {
      const node = await world.start('main', { WORKER: 'off' });
      const client = await world.clientOf([node]);
      const startedAt = performance.now();
      const alone = await writeWhile(client, 'alone', () => performance.now() - startedAt < aloneMs);

      const open = new Set(Array.from({ length: slow }, () => connectTo(node.url)));
      for (const socket of open) drip(socket, () => open.delete(socket));
      let isOver = false;
      const floods = Array.from({ length: flooding }, async () => {
        let refused = 0;
        for (; !isOver; await wait(floodPauseMs)) if ((await flood(node.url)).startsWith('HTTP/1.1 400')) refused += 1;
        return refused;
      });
      const isAttacked = () => open.size > 0 && performance.now() - startedAt < longestMs;
      const among = await writeWhile(client, 'among', isAttacked);
      isOver = true;
      const refused = (await Promise.all(floods)).reduce((sum, count) => sum + count, 0);
      const left = open.size;
      for (const socket of open) socket.destroy();

      return judgeSlow({ alone, among, left, refused }, await storedTasks(world));
    }),
};

interface Written {
  alone: readonly Attempt[];
  among: readonly Attempt[];
  /** Slow connections that were never closed. */
  left: number;
  refused: number;
}

export function judgeSlow({ alone, among, left, refused }: Written, stored: readonly StoredTask[]): Outcome {
  const answers = [...alone, ...among];
  return {
    tried: answers.length,
    ...judgeTasks(madeBy(answers), stored),
    more: {
      'slow connections': slow,
      'never closed': left,
      'floods refused with 400': refused,
      'median alone (ms)': msOf(alone, 0.5).toFixed(0),
      'median among them (ms)': msOf(among, 0.5).toFixed(0),
      'slowest among them (ms)': msOf(among, 1).toFixed(0),
      'answered after over 2 s': among.filter(({ startedAt, endedAt }) => endedAt - startedAt > lateMs).length,
    },
    forbidden: ['never closed', 'answered after over 2 s'],
  };
}

async function writeWhile(client: Client, name: string, goesOn: () => boolean): Promise<Attempt[]> {
  const answers: Attempt[] = [];
  for (; goesOn(); await wait(pauseMs)) {
    answers.push(await client.once('POST', '/tasks', { name: `Fault ${name} ${answers.length}` }));
  }
  return answers;
}

function connectTo(url: string): Socket {
  const { hostname, port } = new URL(url);
  // The service may end such a connection with a reset or with a response.
  return connect(Number(port), hostname).on('error', () => undefined);
}

function drip(socket: Socket, onClose: () => void): void {
  socket.write('POST /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\nX-Slow: ');
  const timer = setInterval(() => socket.write('x'), dripMs);
  socket.resume().on('close', () => {
    clearInterval(timer);
    onClose();
  });
}

/** @returns the response, until the service ends the connection. */
function flood(url: string): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const socket = connectTo(url).setEncoding('utf8');
    socket.on('data', (text: string) => (answer += text)).on('close', () => resolve(answer));
    socket.write(`GET /api/v1/tasks HTTP/1.1\r\nHost: localhost\r\n${manyHeaders}\r\n`);
  });
}

/** The duration within which the fastest share of these, from 0 to 1, ended. */
function msOf(answers: readonly Attempt[], part: number): number {
  const sorted = answers.map(({ startedAt, endedAt }) => endedAt - startedAt).sort((one, other) => one - other);
  return sorted[Math.ceil(part * (sorted.length - 1))] ?? 0;
}
