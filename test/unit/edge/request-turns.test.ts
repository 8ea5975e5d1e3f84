import { EventEmitter } from 'node:events';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { InProgress } from '#turns';
import { RequestTurns } from '../../../src/edge/overload/request-turns.js';

interface Asked {
  /** Undefined while it waits. */
  state: () => boolean | undefined;
  close: () => void;
}

const late = { isLate: true };
const ahead = { has: (owner: string): boolean => owner.startsWith('attacker') };
let now: number;
let connections: number;
let inProgress: InProgress;
let turns: RequestTurns;
beforeEach(() => {
  now = 0;
  connections = 0;
  late.isLate = true;
  inProgress = new InProgress(() => now);
  turns = new RequestTurns(
    late,
    ahead,
    inProgress,
    () => connections,
    () => now,
  );
  // The test triggers the timer by hand.
  jest.spyOn(globalThis, 'setInterval').mockImplementation(() => ({ unref: () => 'timer' }) as never);
});
afterEach(() => jest.restoreAllMocks());

function ask(owner = 'attacker'): Asked {
  const response = new EventEmitter();
  const turn = turns.take(owner, response as never);
  let state = turn === true ? true : undefined;
  if (turn !== true) void turn.then((mayGoOn) => (state = mayGoOn));
  return { state: () => state, close: () => void response.emit('close') };
}

async function states(...asked: Asked[]): Promise<(boolean | undefined)[]> {
  await turnOfTheLoop();
  return asked.map(({ state }) => state());
}

const lookAfter = (ms: number): void => {
  now += ms;
  turns.look();
};

it('gives the busiest owner one request at a time, in order and in turns of the loop', async () => {
  const [first, second, third] = [ask(), ask(), ask()];
  expect(await states(first, second, third)).toEqual([true, undefined, undefined]);
  first.close();
  await Promise.resolve();
  expect(second.state()).toBeUndefined();
  expect(await states(second, third)).toEqual([true, undefined]);
  second.close();
  expect(await states(third)).toEqual([true]);
});

it('gives all others any number', () => {
  ask();
  expect([ask('victim'), ask('victim')].map(({ state }) => state())).toEqual([true, true]);
});

it('gives everybody any number while the loop is on time', () => {
  late.isLate = false;
  expect([ask(), ask('victim'), ask()].map(({ state }) => state())).toEqual([true, true, true]);
});

it('lets waiting requests continue once the loop is on time, one at each check', async () => {
  const [, second, third] = [ask(), ask(), ask()];
  late.isLate = false;
  // Nobody overtakes those who wait.
  const last = ask();
  turns.look();
  expect(await states(second, third, last)).toEqual([true, undefined, undefined]);
  turns.look();
  turns.look();
  expect(await states(third, last)).toEqual([true, true]);
});

it('lets requests of others go first', async () => {
  const victim = ask('victim');
  const attacker = ask();
  lookAfter(49);
  expect(await states(attacker)).toEqual([undefined]);
  victim.close();
  expect(await states(attacker)).toEqual([true]);
});

it('lets them go first for 50 ms after the end of its own', async () => {
  ask('victim');
  const first = ask();
  lookAfter(50);
  expect(await states(first)).toEqual([true]);
  const second = ask();
  now += 40;
  ask('victim');
  first.close();
  lookAfter(49);
  expect(await states(second)).toEqual([undefined]);
  lookAfter(1);
  expect(await states(second)).toEqual([true]);
});

it('lets several busy owners take turns', async () => {
  const first = ask('attacker a');
  const [second, third, other] = ['attacker a', 'attacker a', 'attacker b'].map(ask) as [Asked, Asked, Asked];
  first.close();
  expect(await states(second, third, other)).toEqual([true, undefined, undefined]);
  second.close();
  expect(await states(third, other)).toEqual([undefined, true]);
});

it('does not wait for the end of a request that continues', async () => {
  const first = ask();
  const [second, third] = [ask(), ask()];
  lookAfter(99);
  expect(await states(second)).toEqual([undefined]);
  lookAfter(1);
  expect(await states(second)).toEqual([true]);
  // The end of the first is not that of the second.
  first.close();
  expect(await states(third)).toEqual([undefined]);
});

it.each([
  [4_999, true],
  [5_000, false],
])('lets what waited for %i ms continue: %s', async (ms, mayGoOn) => {
  ask();
  const waiting = ask();
  lookAfter(ms);
  expect(await states(waiting)).toEqual([mayGoOn]);
});

it('lets waiting requests continue although an old request that took long ends', async () => {
  const old = ask();
  now = 100;
  const short = ask();
  short.close();
  ask('victim');
  const waiting = ask();
  old.close();
  lookAfter(50);
  expect(await states(waiting)).toEqual([true]);
});

it('drops what waits for a client that has disconnected', async () => {
  const [first, second, third] = [ask(), ask(), ask()];
  second.close();
  expect(await states(second)).toEqual([false]);
  first.close();
  expect(await states(third)).toEqual([true]);
});

it('checks from time to time while anybody waits', () => {
  const ended = jest.spyOn(globalThis, 'clearInterval').mockImplementation(() => undefined);
  const [first, second] = [ask(), ask()];
  turns.look();
  expect(ended).not.toHaveBeenCalled();
  second.close();
  turns.look();
  expect(ended).toHaveBeenCalledWith('timer');
  expect(setInterval).toHaveBeenCalledTimes(1);
  ask();
  expect(setInterval).toHaveBeenCalledTimes(2);
  first.close();
});

it('forgets owners whose requests have ended', () => {
  const asked = [ask(), ask('victim'), ask()];
  for (const { close } of asked) close();
  turns.look();
  expect((turns as unknown as { owners: Map<string, unknown> }).owners.size).toBe(0);
  expect((inProgress as unknown as { begun: Map<string, unknown> }).begun.size).toBe(0);
});

it('lets an owner of long database queries have the next one when one of them ends, or after a while', async () => {
  connections = 2;
  const attacker = ask();
  expect(ask('victim').state()).toBe(true);
  lookAfter(299);
  expect(await states(attacker)).toEqual([undefined]);
  lookAfter(1);
  expect(await states(attacker)).toEqual([true]);
  lookAfter(200);
  const next = ask();
  connections = 1;
  lookAfter(50);
  expect(await states(next)).toEqual([true]);
});
