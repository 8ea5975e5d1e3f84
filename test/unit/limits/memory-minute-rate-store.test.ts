import { addressOf, isLoopback, MemoryMinuteRateStore, minuteMs, networkOf } from '#limits';
import { clock } from '../../support/clock.js';

afterEach(() => clock.restore());

it('counts each key by clock minute', async () => {
  clock.set('2030-05-05T12:00:59.500Z');
  const store = new MemoryMinuteRateStore();
  const count = (key: string) => store.increment(key, minuteMs, 2);
  const within = await Promise.all(['a', 'a', 'b'].map(count));
  expect(within.map(({ isBlocked }) => isBlocked)).toEqual([false, false, false]);
  expect(await count('a')).toMatchObject({ isBlocked: true, exceeded: 'minute', timeToBlockExpire: 1, remaining: 0 });
  clock.advance(500);
  expect(await count('a')).toMatchObject({ isBlocked: false, remaining: 1 });
});

it('keeps a bounded number of keys, the most recently counted', async () => {
  clock.set('2030-05-05T12:00:00Z');
  const store = new MemoryMinuteRateStore(3);
  const count = (key: string) => store.increment(key, minuteMs, 10);
  await Promise.all(['busy', 'a', 'busy', 'b', 'busy', 'c', 'busy', 'd'].map(count));
  expect((await count('busy')).remaining).toBe(5);
  expect((await count('a')).remaining).toBe(9);
});

it('keeps 50,000 of them', async () => {
  clock.set('2030-05-05T12:00:00Z');
  const store = new MemoryMinuteRateStore();
  const count = async (key: number) => (await store.increment(String(key), minuteMs, 10)).remaining;
  for (let key = 0; key < 50_000; key += 1) await count(key);
  expect(await count(0)).toBe(8);
  await count(50_000);
  expect([await count(0), await count(1)]).toEqual([7, 9]);
});

it.each([
  ['203.0.113.7', '203.0.113.250', '203.0.112.7'],
  ['::ffff:203.0.113.7', '203.0.113.250', '::ffff:203.0.112.7'],
  ['2001:db8:1:2::3', '2001:db8:1:ffff::', '2001:db8:2::3'],
])('%s is in the network of %s and not in that of %s', (one, same, other) => {
  expect(networkOf(one)).toBe(networkOf(same));
  expect(networkOf(one)).not.toBe(networkOf(other));
});

it('recognizes an address in every notation, and loopback', () => {
  expect(addressOf('2001:DB8:0::1')).toBe(addressOf('2001:db8::1'));
  expect(['127.0.0.1', '127.9.9.9', '::1', '::ffff:127.0.0.1'].map(isLoopback)).toEqual([true, true, true, true]);
  expect(['128.0.0.1', '::2', '10.0.0.1', '', 'localhost'].map(isLoopback)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ]);
});
