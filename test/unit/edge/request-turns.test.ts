import { EventEmitter } from 'node:events';
import { setImmediate as turnOfTheLoop } from 'node:timers/promises';
import { RequestTurns } from '../../../src/edge/request-turns.js';

const ahead = { has: (owner: string): boolean => owner === 'attacker' };
const endless = { holdsMs: 600_000, waitsMs: 600_000 };

interface Asked {
  turn: true | Promise<boolean>;
  begun: () => boolean | undefined;
  close: () => void;
}

/** Somebody who asks for turns. */
const asking =
  (turns: RequestTurns) =>
  (owner = 'attacker'): Asked => {
    const response = new EventEmitter();
    const turn = turns.take(owner, response as never);
    let begun = turn === true ? true : undefined;
    if (turn !== true) void turn.then((isBegun) => (begun = isBegun || undefined));
    return { turn, begun: () => begun, close: () => void response.emit('close') };
  };

const states = (...asked: Asked[]): (boolean | undefined)[] => asked.map(({ begun }) => begun());

it('lets who is ahead have one request after the other, in their order and in turns of the loop', async () => {
  const ask = asking(new RequestTurns(ahead, endless));
  const [first, second, third] = [ask(), ask(), ask()];
  await turnOfTheLoop();
  expect(states(first, second, third)).toEqual([true, undefined, undefined]);
  first.close();
  await Promise.resolve();
  expect(states(second)).toEqual([undefined]);
  await turnOfTheLoop();
  expect(states(second, third)).toEqual([true, undefined]);
  second.close();
  await turnOfTheLoop();
  expect(states(third)).toEqual([true]);
});

it('lets all others have any number', () => {
  const ask = asking(new RequestTurns(ahead, endless));
  ask();
  expect(states(ask('victim'), ask('victim'), ask('victim'))).toEqual([true, true, true]);
});

it('does not wait for the end of a request that goes on', async () => {
  const ask = asking(new RequestTurns(ahead, { ...endless, holdsMs: 1 }));
  ask();
  expect(await ask().turn).toBe(true);
});

it('counts the end of such a request once', async () => {
  const ask = asking(new RequestTurns(ahead, { ...endless, holdsMs: 50 }));
  const first = ask();
  await ask().turn;
  const third = ask();
  first.close();
  await turnOfTheLoop();
  expect(states(third)).toEqual([undefined]);
});

it('refuses what has waited for too long', async () => {
  const ask = asking(new RequestTurns(ahead, { ...endless, waitsMs: 1 }));
  ask();
  expect(await ask().turn).toBe(false);
});

it('passes by whoever has gone', async () => {
  const ask = asking(new RequestTurns(ahead, endless));
  const [first, second, third] = [ask(), ask(), ask()];
  second.close();
  expect(await second.turn).toBe(false);
  first.close();
  expect(await third.turn).toBe(true);
});
