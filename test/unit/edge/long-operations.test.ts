import { jest } from '@jest/globals';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { LongOperations } from '../../../src/edge/overload/long-operations.js';

interface Run {
  hasBegun: () => boolean;
  end: (error?: Error) => Promise<unknown>;
}

let now: number;
let connections: number;
let operations: LongOperations;
const isAhead = new Set<string>();
let look: () => void;

beforeEach(() => {
  [now, connections] = [0, 1];
  isAhead.clear();
  isAhead.add('attacker');
  operations = new LongOperations(
    isAhead,
    () => connections,
    () => now,
  );
  // The test triggers the timer by hand.
  jest.spyOn(globalThis, 'setInterval').mockImplementation((work) => {
    look = work as () => void;
    return { unref: () => 'timer' } as never;
  });
});
afterEach(() => jest.restoreAllMocks());

function run(operation = 'change', owner = 'attacker'): Run {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  let hasBegun = false;
  const work = (): Promise<void> => {
    hasBegun = true;
    return promise;
  };
  const done = operations.during(owner, operation, work).catch((error: unknown) => error);
  const end = (error?: Error): Promise<unknown> => {
    if (error) reject(error);
    else resolve();
    return done;
  };
  return { hasBegun: () => hasBegun, end };
}

async function begun(...runs: Run[]): Promise<boolean[]> {
  await turnOfTheLoop();
  return runs.map(({ hasBegun }) => hasBegun());
}

async function takeLong(operation?: string, owner?: string, ms = 50): Promise<void> {
  const one = run(operation, owner);
  now += ms;
  await one.end();
}

it('begins one that took long when the last of them has ended', async () => {
  await takeLong();
  const [first, second, third] = [run(), run(), run()];
  expect(await begun(first, second, third)).toEqual([true, false, false]);
  await first.end();
  expect(await begun(second, third)).toEqual([true, false]);
  await second.end(new Error('It failed.'));
  expect(await begun(third)).toEqual([true]);
});

it('begins the next one after a while, in any case', async () => {
  await takeLong();
  const [, second, third] = [run(), run(), run()];
  look();
  expect(await begun(second, third)).toEqual([true, false]);
  expect(setInterval).toHaveBeenCalledWith(expect.any(Function), 250);
  look();
  expect(await begun(third)).toEqual([true]);
});

it('waits for the last of several', async () => {
  await takeLong();
  const [first, second, third] = [run(), run(), run()];
  look();
  await first.end();
  expect(await begun(third)).toEqual([false]);
  await second.end();
  expect(await begun(third)).toEqual([true]);
});

it.each([
  ['took less', () => takeLong('change', 'attacker', 49)],
  ['took long ten seconds ago', () => takeLong().then(() => (now += 10_000))],
  ['took long for others', () => takeLong('change', 'other')],
  ['is not the one that took long', () => takeLong('undo')],
  ['is of nobody who is in the way', () => takeLong().then(() => isAhead.clear())],
  ['meets none that uses the database', () => takeLong().then(() => (connections = 0))],
] as [string, () => Promise<unknown>][])('never delays one that %s', async (_, before) => {
  await before();
  expect(await begun(run(), run())).toEqual([true, true]);
});

it('lets long operations of different kinds, but not of different organizations, wait for each other', async () => {
  isAhead.add('other');
  await takeLong();
  await takeLong('undo');
  await takeLong('change', 'other');
  expect(await begun(run(), run('undo'), run('change', 'other'))).toEqual([true, false, true]);
});

it('keeps no timer, nobody who has ended and not everything that took long', async () => {
  const ended = jest.spyOn(globalThis, 'clearInterval').mockImplementation(() => undefined);
  await takeLong();
  const [first, second] = [run(), run()];
  await begun(first, second);
  await first.end();
  expect(ended).toHaveBeenCalledWith('timer');
  await second.end();
  for (let n = 0; n < 1_100; n += 1) await takeLong(`operation ${n}`);
  const { lanes, long } = operations as unknown as Record<'lanes' | 'long', Map<string, unknown>>;
  expect([lanes.size, long.size]).toEqual([0, 1_000]);
});
