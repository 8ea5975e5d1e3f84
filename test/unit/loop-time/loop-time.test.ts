import { EventEmitter } from 'node:events';
import { LoopTime } from '../../../libs/loop-time/loop-time.js';

let time = { now: 0, idle: 0 };
beforeEach(() => (time = { now: 0, idle: 0 }));

const meter = (): LoopTime => new LoopTime(() => time);
const pass = (ms: number, idle = 0): void => void (time = { now: time.now + ms + idle, idle: time.idle + idle });
const rounded = (loop: LoopTime): Record<string, number> =>
  Object.fromEntries([...loop.recent()].map(([owner, ms]) => [owner, Math.round(ms)]));

it('counts the busy time of the loop for the last named owner', () => {
  const loop = meter();
  loop.enter('a');
  pass(30);
  loop.enter('b');
  pass(10);
  loop.enter();
  pass(100);
  expect(rounded(loop)).toEqual({ a: 30, b: 10 });
});

it('does not count the time in which the loop waited', () => {
  const loop = meter();
  loop.enter('a');
  pass(30, 1_000);
  expect(rounded(loop)).toEqual({ a: 30 });
});

it('gives older time less weight, and forgets it', () => {
  const loop = meter();
  loop.enter('a');
  pass(800);
  loop.enter();
  pass(0, 7_000);
  expect(rounded(loop)).toEqual({ a: 400 });
  pass(0, 70_000);
  expect(rounded(loop)).toEqual({});
});

it('counts what was used lately for a shorter time', () => {
  const loop = meter();
  loop.enter('a');
  pass(800);
  loop.enter();
  pass(0, 1_000);
  expect([Math.round(loop.lately('a')), loop.lately('b')]).toEqual([400, 0]);
  loop.enter('a');
  pass(100);
  loop.enter();
  expect(Math.round(loop.lately('a'))).toBe(473);
});

it('counts the data of a connection for the owner that it serves then', () => {
  const loop = meter();
  const stream = Object.assign(new EventEmitter(), { prependListener: EventEmitter.prototype.prependListener });
  const client = { connection: { stream } };
  for (const owner of ['a', 'b']) {
    loop.serves(client, owner);
    stream.emit('data');
    pass(20);
    loop.enter();
  }
  loop.serves(client);
  stream.emit('data');
  pass(20);
  expect(rounded(loop)).toEqual({ a: 20, b: 20 });
  expect(stream.listenerCount('data')).toBe(1);
});

it('keeps the heaviest users if there are too many', () => {
  const loop = meter();
  for (let n = 0; n < 1_001; n += 1) {
    loop.enter(`owner ${n}`);
    pass(n === 0 ? 100 : 2);
  }
  loop.enter();
  expect(loop.recent().size).toBe(501);
  expect(rounded(loop)['owner 0']).toBeGreaterThan(0);
});
