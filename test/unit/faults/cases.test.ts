import { faultsOf, type Outcome } from '../../../faults/case.js';
import type { Attempt, Client } from '../../../faults/client.js';
import { judgeLimit } from '../../../faults/clocks-apart.js';
import { judgeDeliveries } from '../../../faults/deliveries.js';
import { faultsIn, type Figures } from '../../../faults/neighbours/figures.js';
import { Receiver } from '../../../faults/receiver.js';
import { judgeFailover, judgeFullDisk, judgeOutages } from '../../../faults/refusals.js';
import { judgeSlow } from '../../../faults/slow-clients.js';
import { judgeTasks, madeBy } from '../../../faults/stored-tasks.js';
import { Hotel } from '../../../faults/upgrade/hotel.js';
import { isKept } from '../../../faults/upgrade/upgrade.js';

/** What the cases of `npm run faults` report about a service that does something wrong on purpose. */
const answer = (startedAt: number, endedAt: number, given: Partial<Attempt> = {}): Attempt => ({
  startedAt,
  endedAt,
  status: 201,
  remaining: 1,
  reset: 60,
  text: JSON.stringify({ data: { id: given.text ?? `task ${startedAt}` } }),
  ...given,
});
const refusal = (startedAt: number, endedAt: number, status = 503): Attempt =>
  answer(startedAt, endedAt, { status, retryAfter: '1', text: '' });
const clean = { doubled: 0, lost: 0, more: {}, forbidden: [] };
const outcomeOf = (seen: Partial<Outcome>): Outcome => ({
  tried: 0,
  acknowledged: 0,
  stored: 0,
  ...clean,
  ...seen,
});

describe('tasks, of which each case but deliveries counts the acknowledged and the stored ones,', () => {
  const row = (number: number) => ({ id: `task ${number}`, name: `Fault ${number}` });
  const acknowledged = madeBy([answer(1, 2), answer(2, 3), refusal(3, 4)]);
  it.each([
    ['nothing where each acknowledged write is stored', [row(1), row(2)], []],
    ['an acknowledged write that was dropped', [row(1)], ['1 are stored, 2 were acknowledged', '1 were lost']],
    [
      'a write that was done twice',
      [row(1), row(2), { id: 'task 3', name: 'Fault 2' }],
      ['3 are stored, 2 were acknowledged', '1 were done twice'],
    ],
    ['a write that replaced another', [row(1), row(3)], ['1 were lost']],
  ])('report %s', (_case, stored, faults) =>
    expect(faultsOf(outcomeOf({ tried: 2, ...judgeTasks(acknowledged, stored) }))).toEqual(faults),
  );

  it('report one that was never acknowledged', () =>
    expect(faultsOf(outcomeOf({ tried: 3, acknowledged: 2, stored: 2 }))).toEqual(['1 were never acknowledged']));
});

describe('an outage', () => {
  const faultsFor = (during: Attempt[], dead = 0, recovered = 5_000): string[] =>
    faultsOf(outcomeOf(judgeOutages([...during, answer(4_100, recovered)], [[1_000, 4_000]], 503, dead)));
  const asExpected = refusal(1_100, 1_200);
  it.each<[string, string[], string[]]>([
    ['is passed where each request is rejected soon', faultsFor([asExpected]), []],
    [
      'shows a request that succeeded without its database',
      faultsFor([asExpected, answer(1_100, 1_200)]),
      ['answered otherwise meanwhile: 1'],
    ],
    [
      'shows a rejection without Retry-After',
      faultsFor([{ ...asExpected, retryAfter: undefined }]),
      ['answered otherwise meanwhile: 1'],
    ],
    ['shows a slow rejection', faultsFor([refusal(1_100, 2_301)]), ['refused after over 1.2 s: 1']],
    ['shows a slow recovery', faultsFor([asExpected], 0, 6_001), ['recoveries over 2 s: 1']],
    ['shows a process that did not respond', faultsFor([asExpected], 1), ['unanswered liveness probes: 1']],
  ])('%s', (_case, faults, expected) => expect(faults).toEqual(expected));
});

it.each<[string, Attempt[], string[]]>([
  ['nothing where each request is rejected', [refusal(10, 20), answer(30, 90)], []],
  ['a write that no server took', [answer(10, 20), answer(30, 90)], ['answered otherwise meanwhile: 1']],
  ['a slow recovery', [refusal(10, 20), answer(30, 3_041)], ['recoveries over 3 s: 1']],
  ['no recovery', [refusal(10, 20)], ['recoveries over 3 s: 1']],
])('a failover reports %s', (_case, attempts, faults) =>
  expect(faultsOf(outcomeOf(judgeFailover(attempts, [0, 25], 40)))).toEqual(faults),
);

it.each<[string, Attempt[], string[]]>([
  ['nothing where each request is rejected', [refusal(10, 20), answer(30, 90)], []],
  ['an error', [refusal(10, 20), answer(10, 20, { status: 500 })], ['answered otherwise: 1']],
  ['a rejection without Retry-After', [answer(10, 20, { status: 503 })], ['answered otherwise: 1']],
  ['accepted writes without disk space', [answer(10, 20)], ['never refused: 1']],
])('a full disk reports %s', (_case, attempts, faults) =>
  expect(faultsOf(outcomeOf(judgeFullDisk(attempts, [0, 25])))).toEqual(faults),
);

describe('the limit of a key with 1,000 requests a minute', () => {
  /** Of 1,100, a number of first requests are accepted, each with its own place. */
  const faultsFor = (accepted: number, change: (all: Attempt[]) => void = () => undefined): string[] => {
    const all = Array.from({ length: 1_100 }, (_, place) =>
      place < accepted ? answer(place, place, { remaining: 999 - place }) : refusal(place, place, 429),
    ).map((one) => (one.status === 429 ? { ...one, remaining: 0 } : one));
    change(all);
    const stored = madeBy(all).map((id) => ({ id, name: id }));
    return faultsOf(judgeLimit(all, 0, stored));
  };
  it.each<[string, string[], string[]]>([
    ['that holds', faultsFor(1_000), []],
    ['that was exceeded by one', faultsFor(1_001), ['over the limit: 1']],
    ['that rejected too early', faultsFor(999), ['refused too early: 1']],
    [
      'whose last place was given twice',
      faultsFor(1_000, (all) => (all[998] as Attempt).remaining--),
      ['of one place in the limit: 1'],
    ],
  ])('%s', (_case, faults, expected) => expect(faults).toEqual(expected));
});

it.each<[string, Attempt[], number, string[]]>([
  ['nothing where each write is acknowledged', [answer(1, 50)], 0, []],
  ['a write that waited for them', [answer(1, 2_002)], 0, ['answered after over 2 s: 1']],
  ['connections that stay open', [answer(1, 50)], 3, ['never closed: 3']],
])('slow clients report %s', (_case, among, left, faults) => {
  const stored = madeBy(among).map((id) => ({ id, name: id }));
  expect(faultsOf(judgeSlow({ alone: [], among, left, refused: 0 }, stored))).toEqual(faults);
});

it.each<[string, [id: string, sequence: number, body?: string][], string[]]>([
  [
    'nothing where each event arrives in order',
    [
      ['a', 1],
      ['b', 2],
    ],
    [],
  ],
  [
    'nothing where one is repeated',
    [
      ['a', 1],
      ['a', 1],
      ['b', 2],
    ],
    [],
  ],
  ['an event that was lost', [['a', 1]], ['1 were lost']],
  [
    'events out of order',
    [
      ['b', 2],
      ['a', 1],
    ],
    ['out of order: 2'],
  ],
  [
    'an event that arrived with two bodies',
    [
      ['a', 1],
      ['a', 1, 'other'],
      ['b', 2],
    ],
    ['ids that changed: 1'],
  ],
  [
    'an event with two ids',
    [
      ['a', 1],
      ['b', 2],
      ['c', 2],
    ],
    ['ids that changed: 1', 'out of order: 1'],
  ],
])('deliveries report %s', async (_case, told, faults) => {
  const receiver = await Receiver.start(Number.POSITIVE_INFINITY);
  for (const [id, sequence, name] of told) {
    const body = JSON.stringify({ data: { id, sequence, name, subject: { id: 'task' } } });
    await fetch(receiver.url, { method: 'POST', headers: { 'webhook-id': id }, body });
  }
  const stored = ['a', 'b'].map((id) => ({ id, place: `task ${id}` }));
  const outcome = judgeDeliveries({ tried: 2, acknowledged: 2, stored, receiver });
  receiver.close();
  expect(faultsOf(outcome)).toEqual(faults);
});

it('deliveries report an event that was stored twice', async () => {
  const receiver = await Receiver.start();
  const stored = ['a', 'b'].map((id) => ({ id, place: 'task_1 task.created' }));
  expect(judgeDeliveries({ tried: 1, acknowledged: 1, stored, receiver }).doubled).toBe(1);
  receiver.close();
});

it.each<[string, Partial<Figures>, RegExp]>([
  ['a request that got 503', { refused: 1 }, /^1 requests got 503$/],
  ['a request that failed', { failed: 1 }, /^1 requests failed$/],
  ['a victim that waited', { p99Ms: 61 }, /^p99 is over 3 times/],
  ['a late event loop', { loopMs: 50 }, /p99 is 50 ms/],
  ['nothing where the victim continued', {}, /^$/],
])('neighbors report %s', (_case, seen, expected) => {
  const figures = { refused: 0, failed: 0, quietP99Ms: 20, p99Ms: 60, loopMs: 49, ...seen } as Figures;
  expect(faultsIn(figures).join()).toMatch(expected);
});

describe('an upgrade', () => {
  const kept = { path: '/tasks/1', fields: { priority: 'high' }, isUncertain: false };
  const stay = { path: '/reservations/1', fields: { status: 'confirmed' }, isUncertain: false };
  const hotelOn = (found: object | undefined, booked?: object): [Hotel, Client] => {
    const client = { find: () => Promise.resolve(found), try: () => Promise.resolve(booked) } as unknown as Client;
    const hotel = new Hotel(client);
    hotel.kept.push(kept, stay);
    return [hotel, client];
  };

  it('reports a record that is lost, one that changed and a night that is sold twice', async () => {
    const [without, client] = hotelOn(undefined, {});
    expect([await without.lost(client), await without.soldTwice(client)]).toEqual([2, 1]);
    const [changed, other] = hotelOn({ priority: 'low', status: 'confirmed' });
    expect([await changed.lost(other), await changed.soldTwice(other)]).toEqual([1, 0]);
  });

  const sound = { outcomes: ['new: POST task succeeded'], lost: 0, soldTwice: 0, undelivered: 0, misordered: 0 };
  it.each<[boolean, Partial<typeof sound>]>([
    [true, {}],
    [false, { outcomes: ['new: POST task FAILED 500'] }],
    ...['lost', 'soldTwice', 'undelivered', 'misordered'].map((fault) => [false, { [fault]: 1 }] as [boolean, object]),
  ])('is %s if it reports %j', (isSound, seen) => expect(isKept({ ...sound, ...seen })).toBe(isSound));
});
