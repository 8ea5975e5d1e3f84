import { performance } from 'node:perf_hooks';
import { cpuMicrosBetween, cpuTimesOf } from './cpu.js';
import type { Fixtures, Tenant } from './fixtures.js';
import { textTable } from './report.js';
import { median, spreadOf } from './statistics.js';
import type { Target } from './target.js';

/**
 * Of one round: CPU of Node.js and PostgreSQL for each stay in µs, and the longest wait of a concurrent booking in ms.
 */
export interface BulkLoadRound {
  created: number;
  changed: number;
  waitMs: number;
}

const rounds = 10;
/** As many as a request accepts. */
const stays = 200;
/** More than the stays of all rounds need on any night. */
const units = 150;
const longestWaitMs = 500;

/**
 * The cost of stays that a property-management system saves in bulk, new and moved by a day, at a hotel with one type of
 * room and a task for each stay; and how long a person's booking there waits during the saves.
 */
export async function measureBulkLoad(
  fixtures: Fixtures,
  { port, pid }: Target,
  { tokens }: Tenant,
  say: (line: string) => void,
): Promise<BulkLoadRound[]> {
  let asked = 0;
  const ask = async (method: string, path: string, body: object): Promise<{ id: string; outcome?: string }> => {
    const token = tokens[(asked += 1) % tokens.length];
    const response = await fetch(`http://127.0.0.1:${port}/api/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(text.slice(0, 2_000));
    return (JSON.parse(text) as { data: { id: string } }).data;
  };
  const connection = await ask('POST', '/connections', { provider: 'push', kind: 'pms', name: 'Bench', settings: {} });
  const path = `/connections/${connection.id}`;
  const { id: propertyId } = await ask('PUT', `${path}/properties/H`, hotel);
  await ask('PUT', `${path}/unit-types/T`, { propertyRef: 'H', name: 'Double room' });
  const rooms = Array.from({ length: units }, (_, n) => ({
    externalId: `U${n}`,
    propertyRef: 'H',
    unitTypeRef: 'T',
    name: `${n}`,
  }));
  const saveAll = async (what: string, items: object[]): Promise<void> => {
    const results = (await ask('POST', `${path}/${what}/bulk`, { items })) as unknown as { error?: object }[];
    const refused = results.find(({ error }) => error);
    if (refused) throw new Error(JSON.stringify(refused));
  };
  await saveAll('units', rooms);
  const save = (round: number, version: number): Promise<void> =>
    saveAll(
      'reservations',
      Array.from({ length: stays }, (_, n) => stayOf(round, n, version)),
    );
  const cost = async (work: () => Promise<void>): Promise<number> => {
    const before = [pid, fixtures.postgresPid].map(cpuTimesOf);
    await work();
    const after = [pid, fixtures.postgresPid].map(cpuTimesOf);
    return after.reduce((sum, times, index) => sum + cpuMicrosBetween(before[index] as typeof times, times), 0) / stays;
  };
  const seen: BulkLoadRound[] = [];
  for (let round = 0; round < 2 * (rounds + 1); round += 2) {
    say(`Bulk load, round ${round / 2} of ${rounds}`);
    const [created, changed] = [await cost(() => save(round, 1)), await cost(() => save(round, 2))];
    const waitMs = await longestWait(save(round + 1, 1), () => ask('POST', '/reservations', bookingAt(propertyId)));
    if (round > 0) seen.push({ created, changed, waitMs });
    // The first one warms the service up, and autovacuum, which is off here, would have its statistics within a minute.
    else await fixtures.query('analyze');
  }
  return seen;
}

/** The longest of the consecutive bookings during the load. */
async function longestWait(load: Promise<void>, book: () => Promise<unknown>): Promise<number> {
  const ended = { is: false };
  const done = load.finally(() => (ended.is = true));
  let longest = 0;
  while (!ended.is) {
    const begun = performance.now();
    await book();
    longest = Math.max(longest, performance.now() - begun);
  }
  await done;
  return longest;
}

/** Automatic tasks of a property: one for each stay. */
export const cleaningAtDeparture = [
  {
    name: 'Clean',
    type: 'cleaning',
    timeRule: { start: { event: 'departure', offsetMinutes: 0 }, end: { event: 'departure', offsetMinutes: 120 } },
  },
];

const hotel = {
  name: 'Bench hotel',
  timezone: 'UTC',
  automaticTasks: cleaningAtDeparture,
};

/** A date, counted in days from today. */
export const day = (n: number): string => new Date(Date.now() + n * 86_400_000).toISOString().slice(0, 10);

const stayOf = (round: number, n: number, version: number) => ({
  externalId: `S${round}-${n}`,
  propertyRef: 'H',
  unitTypeRef: 'T',
  checkInDate: day(10 + (n % 100)),
  checkOutDate: day(11 + (n % 100) + version),
  primaryGuest: { name: `Guest ${n}` },
  sourceVersion: version,
});

/** An inquiry takes no nights, but waits for the property as a booking does. */
const bookingAt = (propertyId: string) => ({
  propertyId,
  checkInDate: day(300),
  checkOutDate: day(302),
  status: 'inquiry',
});

export function bulkLoadTable(seen: readonly BulkLoadRound[]): string {
  const rows = (['created', 'changed', 'waitMs'] as const).map((name) => {
    const { q1, median: middle, q3 } = spreadOf(seen.map((round) => round[name]));
    return [what[name], middle.toFixed(0), `${q1.toFixed(0)}–${q3.toFixed(0)}`];
  });
  const wait = median(seen.map(({ waitMs }) => waitMs));
  return [
    textTable([['bulk load', 'median', 'quartiles'], ...rows]),
    `A booking beside a load waits ${wait.toFixed(0)} ms, at most ${longestWaitMs}: ${wait <= longestWaitMs ? 'met' : 'MISSED'}`,
  ].join('\n');
}

const what = {
  created: 'a new stay, µs of CPU',
  changed: 'a moved stay, µs of CPU',
  waitMs: 'longest wait of a booking meanwhile, ms',
};
