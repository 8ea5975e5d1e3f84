import { availableParallelism } from 'node:os';
import { jest } from '@jest/globals';
import type { INestApplicationContext } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { BackgroundThreads, BodyThreads, heavyWork, Threads, ThreadsBusy } from '#threads';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import { ThreadsModule } from '../../../src/processes/threads.module.js';
import type * as pieces from './pieces.js';

const noMetrics = {
  module: class NoMetrics {},
  global: true,
  providers: [{ provide: Metrics, useFactory: () => Metrics.open({}) }],
  exports: [Metrics],
};

let app: INestApplicationContext;
beforeEach(async () => {
  process.env.THREADS = 'real';
  app = await NestFactory.createApplicationContext(
    { module: class Service {}, imports: [noMetrics, ThreadsModule] },
    { logger: false },
  );
});
afterEach(async () => {
  jest.restoreAllMocks();
  await app.close();
  delete process.env.THREADS;
});

const work = <F extends (...args: never) => unknown>(run: keyof typeof pieces) =>
  heavyWork<F>({ kind: run, module: import.meta.resolve('./pieces.ts'), run, withinMs: 60_000 });
const megabytes = work<typeof pieces.megabytes>('megabytes');
const hold = work<typeof pieces.hold>('hold');

const cores = availableParallelism();
/** One less than there are cores, from two to four. */
const forRequests = cores > 4 ? 4 : cores > 2 ? cores - 1 : 2;

// docs/reliability.md, Heavy work.
it.each([
  ['requests', Threads, { threads: forRequests, memory: 128, ofOne: 6, ofAll: 24, waitMs: 5_000 }],
  [
    'background work',
    BackgroundThreads,
    { threads: cores > 2 ? 2 : 1, memory: 256, ofOne: 20, ofAll: 200, waitMs: 20_000 },
  ],
  ['large bodies', BodyThreads, { threads: 1, memory: 128, ofOne: 30, ofAll: 100, waitMs: 10_000 }],
])('the threads for %s keep their limits of memory, waiting jobs and time', async (_, kind, limits) => {
  const threads = app.get<Threads>(kind);
  expect(await threads.run(megabytes, 'org')).toBe(limits.memory);

  const flags = new Int32Array(new SharedArrayBuffer(4));
  const ends: Promise<unknown>[] = [];
  const send = (owner: string): void =>
    void ends.push(threads.run(hold, owner, owner, flags, 0).catch(() => undefined));
  for (let n = 0; n < 10; n += 1) send(`first ${n}`);
  expect(10 - threads.waiting).toBe(limits.threads);

  const timers = jest.spyOn(globalThis, 'setTimeout');
  const late = threads.run(hold, 'late', 'late', flags, 0);
  const [giveUp, afterMs] = timers.mock.lastCall as [() => void, number];
  expect(afterMs).toBe(limits.waitMs);
  giveUp();
  await expect(late).rejects.toThrow(ThreadsBusy);

  const { waiting } = threads;
  for (let n = 0; n < 50; n += 1) send('flood');
  expect(threads.waiting - waiting).toBe(limits.ofOne);
  for (let n = 0; n < 300; n += 1) send(`other ${n}`);
  expect(threads.waiting).toBe(limits.ofAll);

  await app.close();
  await Promise.all(ends);
});
