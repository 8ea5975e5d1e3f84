import { constants, getPriority } from 'node:os';
import { Worker } from 'node:worker_threads';
import { describe, expect, it, jest } from '@jest/globals';
import { loopTime } from '#loop-time';
import { heavyWork, type Outcome, Threads, ThreadsBusy, type ThreadsSettings, WorkKilled } from '#threads';
import { helperIds } from '../../../libs/threads/priority.js';
import type * as pieces from './pieces.js';

const generous = { threads: 2, megabytes: 64, mostWaiting: 100, mostWaitingOfOwner: 100, waitMs: 30_000 };
const pools: Threads[] = [];
const outcomes: [string, Outcome][] = [];

function pool(settings: Partial<ThreadsSettings> = {}): Threads {
  const made = new Threads({ ...generous, ...settings }, (...outcome) => void outcomes.push(outcome));
  pools.push(made);
  return made;
}

beforeAll(() => {
  process.env.THREADS = 'real';
});
afterAll(() => {
  delete process.env.THREADS;
});
beforeEach(() => void outcomes.splice(0));
afterEach(() => Promise.all(pools.splice(0).map((made) => made.close())));

const work = <F extends (...args: never) => unknown>(run: keyof typeof pieces, withinMs = 20_000) =>
  heavyWork<F>({ kind: run, module: import.meta.resolve('./pieces.ts'), run, withinMs });
const add = work<typeof pieces.add>('add');
const hold = work<typeof pieces.hold>('hold');

const platform = heavyWork<() => string>({ kind: 'platform', module: 'node:os', run: 'platform', withinMs: 20_000 });
const priority = heavyWork<() => number>({
  kind: 'priority',
  module: 'node:os',
  run: 'getPriority',
  withinMs: 20_000,
});

/** Jobs that wait in their thread until the test releases them, one by one. */
function gates(count: number) {
  const flags = new Int32Array(new SharedArrayBuffer(4 * count));
  const open = (index: number): void => {
    Atomics.store(flags, index, 1);
    Atomics.notify(flags, index);
  };
  return { flags, open, openAll: () => flags.forEach((_, index) => open(index)) };
}

describe('threads', () => {
  (process.platform === 'linux' ? it : it.skip)('leave the cores to the event loop first', async () => {
    const own = getPriority();
    expect(await pool().run(priority, 'org')).toBe(constants.priority.PRIORITY_LOW);
    expect(getPriority()).toBe(own);
    const helpers = helperIds().map((id) => getPriority(id));
    expect(new Set(helpers)).toEqual(new Set([constants.priority.PRIORITY_BELOW_NORMAL]));
  });

  it('moves the buffers of a result that says so', async () => {
    const threads = pool({ threads: 1 });
    const { moved } = await threads.run(work<typeof pieces.give>('give'), 'a', 100);
    expect(moved.map(({ byteLength }) => byteLength)).toEqual([100]);
    expect(await threads.run(work<typeof pieces.left>('left'), 'a')).toBe(0);
  });

  it('end when they have had nothing to do for a minute', async () => {
    const timers = jest.spyOn(globalThis, 'setTimeout');
    const terminate = jest.spyOn(Worker.prototype, 'terminate');
    await pool().run(add, 'org', 1, 2);
    const [retire, afterMs] = timers.mock.lastCall as [() => void, number];
    expect([afterMs, terminate.mock.calls.length]).toEqual([60_000, 0]);
    retire();
    expect(terminate).toHaveBeenCalledTimes(1);
    jest.restoreAllMocks();
  });

  it('keep no timer of a waiting job, which would keep its arguments', async () => {
    const [timers, cleared] = [jest.spyOn(globalThis, 'setTimeout'), jest.spyOn(globalThis, 'clearTimeout')];
    await pool({ waitMs: 12_345 }).run(add, 'org', 1, 2);
    const waited = timers.mock.calls.findIndex(([, afterMs]) => afterMs === 12_345);
    expect(cleared.mock.calls.flat()).toContain(timers.mock.results[waited]?.value);
    jest.restoreAllMocks();
  });

  it('do work, and report how it ended', async () => {
    const threads = pool();
    expect(await threads.run(add, 'org', 1, 2)).toBe(3);
    const failed = threads.run(work<typeof pieces.fail>('fail'), 'org', 'no such thing');
    await expect(failed).rejects.toThrow(new TypeError('no such thing'));
    await expect(threads.run(work<typeof pieces.end>('end'), 'org')).rejects.toThrow('The thread ended');
    expect(await threads.run(add, 'org', 2, 2)).toBe(4);
    expect(outcomes.map(([kind, outcome]) => `${kind} ${outcome}`)).toEqual([
      'add performed',
      'fail failed',
      'end failed',
      'add performed',
    ]);
  });

  it('leave the event loop to the organization whose job ended', async () => {
    const threads = pool();
    for (const job of [add, work<typeof pieces.add>('fail')]) {
      const running = threads.run(job, 'org_1', 1, 2).catch(() => undefined);
      loopTime.enter('org_2');
      await running;
      expect(loopTime.owner).toBe('org_1');
    }
  });

  it('stop a job that would never end without blocking the event loop, and run the next one', async () => {
    const threads = pool();
    let [turns, isOver] = [0, false];
    const killed = threads.run(work<typeof pieces.loop>('loop', 300), 'org').finally(() => (isOver = true));
    killed.catch(() => undefined);
    for (; !isOver; turns += 1) await new Promise((resolve) => setImmediate(resolve));
    await expect(killed).rejects.toThrow(WorkKilled);
    await expect(killed).rejects.toMatchObject({ exceeded: 'time' });
    expect(turns).toBeGreaterThan(50);
    expect(await threads.run(add, 'org', 1, 1)).toBe(2);
    expect(outcomes[0]).toEqual(['loop', 'killed_time']);
  });

  it('stop a job that exceeds its memory limit without ending the process', async () => {
    const threads = pool({ megabytes: 32 });
    await expect(threads.run(work<typeof pieces.grow>('grow'), 'org')).rejects.toMatchObject({ exceeded: 'memory' });
    expect(await threads.run(add, 'org', 1, 1)).toBe(2);
    expect(outcomes[0]).toEqual(['grow', 'killed_memory']);
  });

  it('have no access to the environment of the process', async () => {
    process.env.SECRET_OF_THE_PROCESS = 'x';
    expect(await pool().run(work<typeof pieces.environment>('environment'), 'org')).toEqual({});
    delete process.env.SECRET_OF_THE_PROCESS;
  });

  it('are kept for the next job, and end when they have done many', async () => {
    const threads = pool();
    const counted = work<typeof pieces.count>('count');
    let last = 0;
    for (let piece = 0; piece < 1_000; piece += 1) last = await threads.run(counted, 'org');
    expect(last).toBe(1_000);
    expect(await threads.run(counted, 'org')).toBe(1);
  });
});

describe('a spare thread', () => {
  it.each([
    ['new', () => Promise.resolve()],
    ['there', (threads: Threads) => threads.run(platform, 'org')],
  ])('that is %s has loaded its modules before another organization needs it', async (_, before) => {
    const threads = pool();
    await before(threads);
    const loaded = new Set<number>();
    const channel = new BroadcastChannel('pieces');
    const both = new Promise<void>((resolve) => {
      channel.onmessage = (message) => {
        loaded.add((message as MessageEvent<number>).data);
        if (loaded.size === 2) resolve();
      };
    });
    await threads.run(add, 'org', 1, 2);
    await both;
    channel.close();
    expect(await threads.run(work<typeof pieces.count>('count'), 'org')).toBe(1);
  });
});

describe('organizations that share threads', () => {
  it('take turns, and one has at most half of them', async () => {
    const threads = pool({ threads: 4 });
    const { flags, open, openAll } = gates(8);
    const done: string[] = [];
    const run = (name: string, index: number) =>
      threads.run(hold, name.charAt(0), name, flags, index).then((ended) => done.push(ended));
    const all = ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'b3'].map(run);
    // a1, a2, b1 and b2 have the four threads.
    expect(threads.waiting).toBe(4);
    open(0);
    await all[0];
    open(5);
    await all[5];
    openAll();
    await Promise.all(all);
    expect(done.slice(0, 2)).toEqual(['a1', 'b1']);
  });

  it('are served although another loops forever', async () => {
    const threads = pool();
    const loop = work<typeof pieces.loop>('loop', 5_000);
    const attacks = [1, 2, 3].map(() => threads.run(loop, 'attacker').catch(() => undefined));
    expect(await threads.run(add, 'victim', 1, 1)).toBe(2);
    expect(outcomes).toEqual([['add', 'performed']]);
    await threads.close();
    await Promise.all(attacks);
  });

  it('are rejected beyond their limit of waiting jobs, and no other is', async () => {
    const threads = pool({ mostWaitingOfOwner: 2 });
    const { flags, openAll } = gates(1);
    const attack = ['a1', 'a2', 'a3', 'a4'].map((name) => threads.run(hold, 'a', name, flags, 0));
    await expect(attack[3]).rejects.toThrow(ThreadsBusy);
    expect(await threads.run(add, 'b', 1, 1)).toBe(2);
    openAll();
    expect(await Promise.all(attack.slice(0, 3))).toEqual(['a1', 'a2', 'a3']);
    expect(outcomes[0]).toEqual(['hold', 'refused']);
  });

  it('yield, if too much waits, to those with fewer waiting jobs', async () => {
    const threads = pool({ threads: 1, mostWaiting: 3 });
    const { flags, openAll } = gates(1);
    const run = (name: string) => threads.run(hold, name.charAt(0), name, flags, 0);
    const names = ['a1', 'a2', 'a3', 'a4', 'b1', 'b2'];
    const ends = names.map((name) => run(name).catch((error: unknown) => (error as Error).constructor.name));
    await new Promise((resolve) => setImmediate(resolve));
    openAll();
    // a4 went for b1; b2 would have gone only for one of equals.
    expect(await Promise.all(ends)).toEqual(['a1', 'a2', 'a3', 'ThreadsBusy', 'b1', 'ThreadsBusy']);
  });

  it('are rejected when they have waited too long', async () => {
    const threads = pool({ waitMs: 50 });
    const { flags, openAll } = gates(1);
    const held = threads.run(hold, 'a', 'a1', flags, 0);
    await expect(threads.run(add, 'a', 1, 1)).rejects.toThrow(ThreadsBusy);
    openAll();
    expect(await held).toBe('a1');
    expect(threads.waiting).toBe(0);
  });

  it('have their waiting jobs rejected when the threads end', async () => {
    const threads = pool();
    const { flags } = gates(1);
    const ends = ['a1', 'a2'].map((name) => threads.run(hold, 'a', name, flags, 0));
    const settled = Promise.allSettled(ends);
    await threads.close();
    const reasons = (await settled).map((end) => (end.status === 'rejected' ? String(end.reason) : ''));
    expect(reasons.map((reason) => /ended while|waiting/.exec(reason)?.[0])).toEqual(['ended while', 'waiting']);
    await expect(threads.run(add, 'a', 1, 1)).rejects.toThrow(ThreadsBusy);
  });
});
