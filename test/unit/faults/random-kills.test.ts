import { randomFrom } from '../../../faults/random-kills/random.js';
import { Approvals } from '../../../faults/random-kills/approvals.js';
import { FollowUps } from '../../../faults/random-kills/follow-ups.js';
import { Saves } from '../../../faults/random-kills/saves.js';
import type { LetterSink } from '../../../faults/letter-sink.js';
import { Commands } from '../../../faults/random-kills/commands.js';
import { Limits } from '../../../faults/random-kills/limits.js';
import { Nights } from '../../../faults/random-kills/nights.js';
import { Registers } from '../../../faults/random-kills/registers.js';
import type { Load } from '../../../faults/random-kills/load.js';
import type { Client } from '../../../faults/client.js';

/** What the loads of `npm run faults -- kills` say of a service that does a thing wrong on purpose. */
type Asked = (method: string, path: string, body?: Record<string, unknown>) => Record<string, unknown> | undefined;

/** Ends the run after so many requests. */
async function faultsOf(load: Load, asked: Asked, requests = 60): Promise<string[]> {
  const ending = new AbortController();
  let [left, created] = [requests, 0];
  const ask = (method: string, path: string, body?: object) => {
    if ((left -= 1) <= 0) ending.abort();
    return Promise.resolve(asked(method, path, body as Record<string, unknown>) ?? { id: String((created += 1)) });
  };
  const client = {
    send: ask,
    try: ask,
    read: (path: string) => ask('GET', path),
    find: (path: string) => Promise.resolve(asked('FIND', path)),
    list: (path: string) => Promise.resolve(asked('LIST', path)),
    once: (method: string, path: string) => ask(method, path),
    keyed: () => Promise.resolve(client),
  };
  await load.run(client as unknown as Client, ending.signal);
  return (await load.judge(client as unknown as Client)).faults;
}

describe('registers', () => {
  /** Tasks that show what was written so many writes ago. */
  const behindBy = (writes: number): Asked => {
    const written = new Map<string, string[]>();
    return (method, path, body) => {
      const of = written.get(path) ?? ['0'];
      if (method === 'PATCH') written.set(path, [...of, body?.description as string]);
      return method === 'POST' ? undefined : { description: of.at(-1 - writes) ?? '0' };
    };
  };
  it('accept the newest value', async () => expect(await faultsOf(new Registers(), behindBy(0))).toEqual([]));
  it('notice an acknowledged write that is lost', async () =>
    expect((await faultsOf(new Registers(), behindBy(1))).join()).toMatch(/\d+ stale reads/));
});

describe('nights', () => {
  it('notice a night that is sold twice, and a stay that is lost', async () => {
    const faults = await faultsOf(new Nights(randomFrom(1)), () => undefined, 600);
    expect(faults.join()).toMatch(/\d+ nights sold twice,\d+ stays lost/);
  });

  it('notice a cancellation that is lost', async () => {
    const faults = await faultsOf(new Nights(randomFrom(1)), (method) =>
      method === 'FIND' ? { status: 'confirmed' } : undefined,
    );
    expect(faults.join()).toMatch(/\d+ cancellations lost/);
  });
});

it.each([
  ['an effect that is doubled', { effects: 3, status: 'succeeded' }, ['1 effects of no command']],
  [
    'an effect that is told and did not happen',
    { effects: 1, status: 'succeeded' },
    ['1 commands told as done without an effect'],
  ],
  ['a command without an end', { effects: 0, status: 'requested' }, ['2 commands without an end']],
  ['an unknown outcome, which may have taken effect', { effects: 1, status: 'unknown' }, []],
])('commands judge %s', async (_case, { effects, status }, expected) => {
  const devices = [{ id: 'device', providerDeviceId: 'sim-lock-1' }];
  const faults = await faultsOf(new Commands(), (method, path) => {
    if (method === 'LIST') return (path.startsWith('/devices') ? devices : [{ status }, { status }]) as never;
    return method === 'GET' ? { simulator: { 'sim-lock-1': { effects } } } : undefined;
  });
  expect(faults).toEqual(expected);
});

it('limits notice a place that is given twice', async () => {
  const places = [10, 9, 9];
  const faults = await faultsOf(new Limits(), () => ({ status: 200, reset: 60, remaining: places.shift() ?? 8 }), 4);
  expect(faults).toEqual(['1 requests of one place in the limit']);
});

it('bulk saves notice a save that is lost, a guest that is doubled and an item that is rejected', async () => {
  const guests = Array.from({ length: 31 }, () => ({ name: 'Vendor' }));
  const faults = await faultsOf(
    new Saves(),
    (method, path) => {
      if (method === 'LIST') return guests as never;
      if (path === '/connections') return { id: 'connection' };
      return method === 'FIND' ? { name: 'Vendor of before' } : ([{ error: {} }] as never);
    },
    4,
  );
  expect(faults.join()).toMatch(/^30 saves lost,1 guests doubled,\d+ items rejected$/);
});

it.each([
  ['a run that is missing', { runs: [] as object[] }, '1 runs missing'],
  ['a run that failed', { runs: [{ status: 'failed', finishedAt: 'now' }] }, '1 runs that failed'],
  ['a task that is doubled', { tasks: 2 }, '1 tasks missing or doubled'],
  ['a letter that is doubled', { came: 2 }, '1 letters doubled'],
  ['a letter that never came', { came: 0 }, '1 letters told as sent that never came'],
  ['nothing that is wrong', {}, ''],
])('workflows notice %s', async (_case, seen, expected) => {
  const { runs, tasks, came } = { runs: [{ status: 'succeeded', finishedAt: 'now' }], tasks: 1, came: 1, ...seen };
  const letters = { received: { get: () => came } } as unknown as LetterSink;
  const load = new FollowUps(letters, () => undefined, 0);
  const asked: Asked = (method, path) => {
    if (path === '/reservations') return { id: 'stay' };
    if (method !== 'LIST') return undefined;
    if (path.startsWith('/tasks')) return Array.from({ length: tasks }, () => ({})) as never;
    if (path.startsWith('/messages')) return [{ status: 'sent', reservationId: 'stay' }] as never;
    return runs as never;
  };
  expect((await faultsOf(load, asked, 6)).join()).toBe(expected);
});

it.each([
  ['what was refused and happened', () => 1, /refused requests that were done/],
  ['what was approved and is lost', () => 0, /approved requests that were lost/],
  ['what was approved and happened twice', () => 2, /approved requests done twice/],
])('approvals notice %s', async (_case, times, expected) => {
  const person = { url: 'http://localhost', email: 'owner@example.com', password: 'none' };
  const load = new Approvals(person, () => Promise.resolve());
  const tasks = Array.from({ length: 8 }, (_, number) => Array(times()).fill({ name: `Approved ${number + 1}` }));
  const asked: Asked = (method) => (method === 'LIST' ? (tasks.flat() as never) : { status: 201, text: '{}' });
  expect((await faultsOf(load, asked, 8)).join()).toMatch(expected);
});

it('random numbers follow from their seed', () => {
  const drawn = (seed: number) => Array.from({ length: 3 }, randomFrom(seed));
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
});
