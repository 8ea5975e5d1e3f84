import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Blow, blowsFrom, kinds } from '../../../faults/random-kills/blows.js';
import { KillsRecord } from '../../../faults/random-kills/record.js';
import { randomFrom } from '../../../faults/random-kills/random.js';
import { Approvals } from '../../../faults/random-kills/loads/approvals.js';
import { FollowUps } from '../../../faults/random-kills/loads/follow-ups.js';
import { Saves } from '../../../faults/random-kills/loads/saves.js';
import type { LetterSink } from '../../../faults/letter-sink.js';
import { Commands } from '../../../faults/random-kills/loads/commands.js';
import { Limits } from '../../../faults/random-kills/loads/limits.js';
import { Nights } from '../../../faults/random-kills/loads/nights.js';
import { RegisterHistory, SetHistory } from '../../../faults/random-kills/histories.js';
import { Deliveries } from '../../../faults/random-kills/loads/deliveries.js';
import { Keys } from '../../../faults/random-kills/loads/keys.js';
import { Registers } from '../../../faults/random-kills/loads/registers.js';
import { faultsAmong, type Load } from '../../../faults/random-kills/loads/load.js';
import type { Client } from '../../../faults/client.js';

/** What the loads of `npm run faults -- kills` report about a service that does something wrong on purpose. */
type Asked = (method: string, path: string, body?: Record<string, unknown>) => Record<string, unknown> | undefined;

/** Ends the run after this many requests. */
async function faultsOf(load: Load, asked: Asked, requests = 60): Promise<string[]> {
  const ending = new AbortController();
  let [left, created] = [requests, 0];
  const ask = (method: string, path: string, body?: object) => {
    if ((left -= 1) <= 0) ending.abort();
    return Promise.resolve(asked(method, path, body as Record<string, unknown>) ?? { id: String((created += 1)) });
  };
  const client = {
    send: ask,
    try: async (method: string, path: string, body: object, _codes: unknown, headers?: object) => {
      const answer = await ask(method, path, { ...body, ...headers });
      return 'refused' in answer ? undefined : answer;
    },
    read: (path: string) => ask('GET', path),
    find: (path: string) => Promise.resolve(asked('FIND', path)),
    list: (path: string) => Promise.resolve(asked('LIST', path)),
    once: (method: string, path: string) => ask(method, path),
    keyed: () => Promise.resolve(client),
  };
  await load.prepare?.(client as unknown as Client);
  await load.run(client as unknown as Client, ending.signal);
  return (await load.judge(client as unknown as Client)).faults;
}

describe('the history of a register', () => {
  /** Two writers and a reader, each starting when everything before has ended, unless it started earlier. */
  const faultsIn = (happened: (history: RegisterHistory) => void): object => {
    const history = new RegisterHistory();
    for (const [version, value] of ['one', 'two'].entries()) {
      history.wrote(history.beginWrite(value), value, version + 1, version || undefined);
    }
    happened(history);
    history.end();
    return Object.fromEntries(Object.entries(history.faults).filter(([, count]) => count > 0));
  };

  it.each<[string, (history: RegisterHistory) => void, object]>([
    ['the newest value', (of) => of.read(of.begin(), 'two', 2), {}],
    [
      'a write that ends while it is read',
      (of) => {
        const began = of.begin();
        of.wrote(of.beginWrite('three'), 'three', 3);
        of.read(began, 'two', 2);
      },
      {},
    ],
    ['an acknowledged write that is lost', (of) => of.read(of.begin(), 'one', 1), { 'stale reads': 1 }],
    [
      'a value that appears and disappears before its write is acknowledged',
      (of) => {
        const began = of.beginWrite('three');
        of.read(of.begin(), 'three', 3);
        of.read(of.begin(), 'two', 2);
        of.wrote(began, 'three', 3);
      },
      { 'stale reads': 1 },
    ],
    [
      'two writes from one version',
      (of) => {
        const [began, other] = [of.beginWrite('three'), of.beginWrite('3')];
        of.wrote(began, 'three', 3, 2);
        of.wrote(other, '3', 3, 2);
      },
      { 'writes that took the place of another': 1, 'versions with two values': 1 },
    ],
    [
      'a write over another version than the given one',
      (of) => of.wrote(of.beginWrite('three'), 'three', 4, 2),
      { 'writes that took the place of another': 1 },
    ],
    ['another value of a version', (of) => of.read(of.begin(), 'one', 2), { 'versions with two values': 1 }],
    ['a value that nobody wrote', (of) => of.read(of.begin(), 'six', 6), { 'values that nobody wrote': 1 }],
    [
      'a rejected write that took effect',
      (of) => {
        of.beginWrite('three');
        of.refused('three');
        of.read(of.begin(), 'three', 3);
      },
      { 'rejected writes that took effect': 1 },
    ],
  ])('with %s', (_case, happened, expected) => expect(faultsIn(happened)).toEqual(expected));
});

describe('registers', () => {
  /** Tasks that show what was written this many writes ago. */
  const behindBy = (writes: number): Asked => {
    const written = new Map<string, string[]>();
    return (method, path, body) => {
      if (method === 'POST') return undefined;
      const of = written.get(path) ?? ['0'];
      if (method === 'PATCH') {
        if ((body?.['if-match'] ?? `"${of.length}"`) !== `"${of.length}"`) return { refused: true };
        written.set(path, [...of, body?.description as string]);
        return { version: of.length + 1 };
      }
      const version = Math.max(1, of.length - writes);
      return { description: of[version - 1], version };
    };
  };
  it('accept the newest value', async () => expect(await faultsOf(new Registers(), behindBy(0))).toEqual([]));
  it('report an acknowledged write that is lost', async () =>
    expect((await faultsOf(new Registers(), behindBy(1))).join()).toMatch(/\d+ stale reads/));
});

it.each([
  ['an element that is acknowledged and not listed', ['a'], ['1 listings without an element']],
  ['an element that nobody added', ['a', 'b', 'c'], ['1 elements that nobody added']],
  ['an element twice', ['a', 'b', 'b'], ['1 elements listed twice']],
  ['the added elements', ['b', 'a'], []],
])('a history of a set with %s', (_case, listing, expected) => {
  const history = new SetHistory();
  for (const element of ['a', 'b']) {
    history.add(element);
    history.added(element);
  }
  history.listed(history.beginListing(), listing);
  expect(faultsAmong(history.faults)).toEqual(expected);
});

it('a history of a set with an element that was listed, but no longer is', () => {
  const history = new SetHistory();
  history.add('a');
  history.listed(history.beginListing(), ['a']);
  history.listed(history.beginListing(), []);
  expect(faultsAmong(history.faults)).toEqual(['1 listings without an element']);
});

it.each([
  ['a revoked key that works', 200, /revoked keys that work/],
  ['a key that is rejected at first', 401, /keys rejected too early/],
])('keys report %s', async (_case, status, expected) => {
  expect((await faultsOf(new Keys(), () => ({ status }), 6)).join()).toMatch(expected);
});

describe('nights', () => {
  it('report a night that is sold twice, and a stay that is lost', async () => {
    const faults = await faultsOf(new Nights(randomFrom(1)), () => undefined, 600);
    expect(faults.join()).toMatch(/\d+ nights sold twice,\d+ stays lost/);
  });

  it('report a cancellation that is lost', async () => {
    const faults = await faultsOf(new Nights(randomFrom(1)), (method) =>
      method === 'FIND' ? { status: 'confirmed' } : undefined,
    );
    expect(faults.join()).toMatch(/\d+ cancellations lost/);
  });
});

it.each([
  ['an effect that happened twice', { effects: 3, status: 'succeeded' }, ['1 effects of no command']],
  [
    'an effect that was reported and did not happen',
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

it('limits report a place that is given twice', async () => {
  const places = [10, 9, 9];
  const faults = await faultsOf(new Limits(), () => ({ status: 200, reset: 60, remaining: places.shift() ?? 8 }), 4);
  expect(faults).toEqual(['1 requests of one place in the limit']);
});

it('bulk saves report a save that is lost, a guest that is duplicated and an item that is rejected', async () => {
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

it.each<[string, number[], boolean, RegExp]>([
  ['an event that is lost', [1, 2], false, /1 events never delivered/],
  ['an event without a change', [1, 2, 3, 4], false, /1 events of no acknowledged change/],
  ['events out of order', [1, 3, 2], false, /\d deliveries out of order/],
  ['an event that arrives with two bodies', [1, 2, 3, 3], true, /1 deliveries that changed/],
  ['an event that arrives twice, which is allowed', [1, 2, 3, 3], false, /^$/],
])('deliveries report %s', async (_case, sequences, isChanged, expected) => {
  const load = await Deliveries.start(() => undefined, 0);
  let endpoint = '';
  const ending = new AbortController();
  const client = {
    send: async (_method: string, path: string, body: Record<string, unknown>) => {
      if (path === '/webhook-endpoints') endpoint = body.url as string;
      if (path.endsWith('/complete')) {
        ending.abort();
        for (const [turn, sequence] of sequences.entries()) await deliver(endpoint, sequence, isChanged ? turn : 0);
      }
      return { id: 'task' };
    },
  };
  await load.prepare(client as unknown as Client);
  await load.run(client as unknown as Client, ending.signal);
  expect((await load.judge()).faults.join()).toMatch(expected);
});

async function deliver(url: string, sequence: number, version: number): Promise<void> {
  const data = { id: `event ${sequence}`, sequence, subject: { id: 'task' }, ...(sequence === 3 && { version }) };
  const request = { method: 'POST', headers: { 'webhook-id': data.id }, body: JSON.stringify({ data }) };
  // Each third attempt is rejected, and repeated.
  while (!(await fetch(url, request)).ok);
}

it.each([
  ['a missing run', { runs: [] as object[] }, '1 runs missing'],
  ['a run that failed', { runs: [{ status: 'failed', finishedAt: 'now' }] }, '1 runs that failed'],
  ['a duplicated task', { tasks: 2 }, '1 tasks missing or doubled'],
  ['a duplicated letter', { came: 2 }, '1 letters doubled'],
  ['a letter that never arrived', { came: 0 }, '1 letters told as sent that never came'],
  ['nothing where all is well', {}, ''],
])('workflows report %s', async (_case, seen, expected) => {
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
  ['a rejected request that was carried out', () => 1, /refused requests that were done/],
  ['an approved request that was lost', () => 0, /approved requests that were lost/],
  ['an approved request that was carried out twice', () => 2, /approved requests done twice/],
])('approvals report %s', async (_case, times, expected) => {
  const person = { url: 'http://localhost', email: 'owner@example.com', password: 'none' };
  const load = new Approvals(person, () => Promise.resolve());
  const tasks = Array.from({ length: 8 }, (_, number) => Array(times()).fill({ name: `Approved ${number + 1}` }));
  const asked: Asked = (method) => (method === 'LIST' ? (tasks.flat() as never) : { status: 201, text: '{}' });
  expect((await faultsOf(load, asked, 8)).join()).toMatch(expected);
});

it('faults follow from their seed, and each kind gets its share', () => {
  const blows = (seed: number) => {
    const following = blowsFrom(randomFrom(seed));
    return Array.from({ length: 2_000 }, () => following.next().value as Blow);
  };
  expect(blows(7)).toEqual(blows(7));
  expect(blows(7)[0]).not.toEqual(blows(8)[0]);
  const killed = blows(7).filter(({ kind }) => kind.endsWith('killed')).length;
  expect(killed / 2_000).toBeCloseTo(0.44, 1);
  expect(new Set(blows(7).map(({ kind }) => kind)).size).toBe(Object.keys(kinds).length);
});

it('a run continues where the one before it ended, and counts by commit', () => {
  const file = join(mkdtempSync(join(tmpdir(), 'kills-')), 'state.json');
  const sitting = { seed: 7, startedAt: '', seconds: 1, machine: '', figures: { keys: { uses: 2 } }, faults: [] };
  KillsRecord.open(file).add({ ...sitting, commit: 'a', blows: { 'node killed': 3 } });
  const record = KillsRecord.open(file);
  record.add({ ...sitting, commit: 'b', blows: { 'node killed': 1, 'entry killed': 1 }, faults: ['keys: 1 lost'] });
  expect([record.count, record.blows]).toEqual([2, 5]);
  expect(KillsRecord.open(file).lines().join('\n')).toMatch(
    /commit a: 3 blows in 1 sittings[^]*commit b: 2 blows[^]*node killed 1 · entry killed 1[^]*FAILED with seed 7: keys: 1 lost/,
  );
});

it('random numbers follow from their seed', () => {
  const drawn = (seed: number) => Array.from({ length: 3 }, randomFrom(seed));
  expect(drawn(7)).toEqual(drawn(7));
  expect(drawn(7)).not.toEqual(drawn(8));
});
