/**
 * How lists and changes behave as the tables grow: `node dist/bench/scale.js`. A tenth of the rows belongs to the requesting
 * organization. Each size has its own database, and its own process in each round; they take turns, so that other load on
 * the machine affects all of them. Processes differ by several percent, each in the same way for as long as it runs. Filling
 * the databases takes ten minutes.
 */
import { loadavg } from 'node:os';
import { setTimeout as wait } from 'node:timers/promises';
import { httpRequest, load } from './client.js';
import { addStays, addTasks, type Fixtures, prepareFixtures, type Tenant } from './fixtures.js';
import { addHotel } from './hotels.js';
import { textTable } from './report.js';
import { median, shuffled, spreadOf } from './statistics.js';
import { startTarget, type Target } from './target.js';

const sizes = [
  { tasks: 10_000, stays: 10_000 },
  { tasks: 1_000_000, stays: 1_000_000 },
  { tasks: 10_000_000, stays: 1_000_000 },
];
const atOnce = 1_000_000;
const rounds = 9;
/** Of all lists in a round: those that warm up the new processes, and those that count. */
const passes = { unmeasured: 3, measured: 2 };
const requestsEach = 60;
const pageSize = 100;
const units = 50;
/** Of the last minute. The machine may be used for other things while the databases are filled. */
const quietLoad = 1.5;

/**
 * Paths, each with as many rows at each size as a page has or the smallest size holds; `middle` represents the cursor of the
 * middle, `:machine` and `:user` a member with a tenth of the tasks and with none, `:hotel` a property.
 */
const lists = {
  'tasks, first page': 'tasks',
  'tasks, middle by cursor': 'tasks?middle',
  'tasks, status': 'tasks?status=completed',
  'tasks, status and priority': 'tasks?status=completed&priority=high',
  'tasks, by due time': 'tasks?sort=dueAt',
  'tasks, due within a window': 'tasks?sort=dueAt&dueFrom=2026-01-01T00:00:00Z&dueBefore=2030-01-01T00:00:00Z',
  'tasks, of a member': 'tasks?assigneeId=:machine',
  'tasks, of a member without any': 'tasks?assigneeId=:user',
  'tasks, open': 'tasks?open=true',
  'tasks, overdue': 'tasks?overdue=true&limit=2',
  'tasks, q of a common word': 'tasks?q=Clean',
  'tasks, q of a rare word': 'tasks?q=Quixote',
  'tasks, q of common words, rare together': 'tasks?q=apartment%2099999',
  'tasks, q of no word': 'tasks?q=Dulcinea',
  'tasks, changed since': 'tasks?sort=-updatedAt&updatedSince=2026-01-01T00:00:00Z',
  'reservations, first page': 'reservations',
  'reservations, middle by cursor': 'reservations?middle',
  'reservations, status': 'reservations?status=cancelled',
  'reservations, channel and code': 'reservations?channel=direct&confirmationCode=BENCH-7',
  'reservations, staying on a date': 'reservations?stayingOn=2027-03-01&limit=5',
  'reservations, q of a common word': 'reservations?q=Guest',
  'reservations, q of a rare word': 'reservations?q=Quixote',
  'reservations, q of no word': 'reservations?q=Dulcinea',
  'guests, middle by cursor': 'guests?middle',
  'guests, q of a common word': 'guests?q=Guest',
  'guests, q of a rare word': 'guests?q=Quixote',
  'guests, q of no word': 'guests?q=Dulcinea',
  'room board, 50 units': 'properties/:hotel/board',
  'tape chart of 92 days, 50 units': 'properties/:hotel/tape-chart?from=:today&days=92',
  'day, 50 units': 'day?date=:today&propertyId=:hotel',
};

/** Changes of a stay at the hotel, one after the other. */
const changes = {
  'stay, cancelled and reinstated': ['reservations/:stay/cancel', 'reservations/:stay/reinstate'],
};
const measured = [...Object.keys(lists), ...Object.keys(changes)];

interface Size {
  fixtures: Fixtures;
  asking: Tenant;
  /** What is requested, one after the other. */
  requests: Map<string, string[]>;
}

const say = (line: string): void => void process.stderr.write(`${line}\n`);
const lastMinute = (): number => loadavg()[0] as number;
const named = (kind: string, id: unknown): string => `${kind}_${String(id).replaceAll('-', '')}`;

async function filled({ tasks, stays }: (typeof sizes)[number]): Promise<Size> {
  const fixtures = await prepareFixtures();
  const [own, others] = [await fixtures.addTenant(1), await fixtures.addTenant(1)];
  for (const [{ orgId }, share] of [
    [own, 0.1],
    [others, 0.9],
  ] as const) {
    for (let left = tasks * share; left > 0; left -= atOnce) {
      await addTasks(fixtures.query, orgId, Math.min(left, atOnce));
      say(`${tasks} tasks: ${left} to go`);
    }
    await addStays(fixtures.query, orgId, stays * share);
  }
  const hotel = await addHotel(fixtures.query, own.orgId, units);
  await fixtures.tidy();
  // Pending writes of the inserts would slow down the first list.
  await fixtures.query('checkpoint');
  const service = await startTarget('service', fixtures);
  const members = await fixtures.query('select kind, id from members where org_id = $1', [own.orgId]);
  const [last] = await fixtures.query(
    'select id from reservations where org_id = $1 and property_id = $2 order by check_in_date desc, id limit 1',
    [own.orgId, hotel.id],
  );
  const words: Record<string, string> = {
    ...(Object.fromEntries(members.map(({ kind, id }) => [kind, named('member', id)])) as Record<string, string>),
    hotel: hotel.propertyId,
    stay: named('reservation', last?.id),
    today: new Date().toISOString().slice(0, 10),
  };
  const filledIn = (path: string): string => path.replaceAll(/:(\w+)/g, (all, word: string) => words[word] ?? all);
  const requests = new Map<string, string[]>();
  for (const [name, given] of Object.entries(lists)) {
    const [path = '', query] = given.split('?');
    const rows = path === 'guests' ? stays / 40 : (path === 'tasks' ? tasks : stays) / 10;
    requests.set(name, [
      `GET ${query === 'middle' ? await cursorOfMiddle(service, own, path, rows) : filledIn(given)}`,
    ]);
  }
  for (const [name, paths] of Object.entries(changes))
    requests.set(
      name,
      paths.map((path) => `POST ${filledIn(path)}`),
    );
  await service.stop();
  return { fixtures, asking: own, requests };
}

/** Follows the list to half of the rows, page by page as a client would. */
async function cursorOfMiddle({ port }: Target, { tokens }: Tenant, path: string, rows: number): Promise<string> {
  let cursor = '';
  for (let page = 0; page < rows / 2 / pageSize; page += 1) {
    const query = `?limit=${pageSize}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const headers = { authorization: `Bearer ${tokens[page % tokens.length]}` };
    const answer = await fetch(`http://127.0.0.1:${port}/api/v1/${path}${query}`, { headers });
    const { meta } = (await answer.json()) as { meta: { pagination: { nextCursor: string } } };
    cursor = meta.pagination.nextCursor;
  }
  return `${path}?cursor=${encodeURIComponent(cursor)}`;
}

let turn = 0;
/** The median of some requests in ms, over one connection and with a different key than the previous ones. */
async function answerMs({ port }: Target, { asking: { tokens }, requests }: Size, name: string): Promise<number> {
  const token = tokens[(turn += 1) % tokens.length] as string;
  const given = (requests.get(name) ?? []).map((request) => {
    const [method, path] = request.split(' ');
    return httpRequest(`${method} /api/v1/${path}`, { token, ...(method === 'POST' && { body: '{}' }) });
  });
  const all = Array.from({ length: requestsEach }, (_, index) => given[index % given.length] as Buffer);
  const { latenciesMs } = await load(port, all, 1, 200);
  return median(latenciesMs);
}

async function measure(databases: readonly Size[]): Promise<Map<string, number[][]>> {
  const seen = new Map(measured.map((name) => [name, databases.map((): number[] => [])]));
  for (let round = 1; round <= rounds; round += 1) {
    say(`Round ${round} of ${rounds}`);
    const started: [number, Target, Size][] = [];
    for (const { fixtures } of databases) await fixtures.tidy();
    for (const [size, database] of shuffled([...databases.entries()]))
      started.push([size, await startTarget('service', database.fixtures), database]);
    for (let pass = -passes.unmeasured; pass < passes.measured; pass += 1) {
      for (const name of shuffled(measured)) {
        for (const [size, service, database] of shuffled(started)) {
          const ms = await answerMs(service, database, name);
          if (pass >= 0) seen.get(name)?.[size]?.push(ms);
        }
      }
    }
    for (const [, service] of started) await service.stop();
  }
  return seen;
}

const ratioTo = (base: readonly number[], values: readonly number[]): string => {
  const { q1, median: middle, q3 } = spreadOf(values.map((value, index) => value / (base[index] as number)));
  return `${middle.toFixed(2)} (${q1.toFixed(2)}–${q3.toFixed(2)})`;
};

const databases: Size[] = [];
try {
  for (const size of sizes) databases.push(await filled(size));
  for (; lastMinute() > quietLoad; await wait(10_000))
    say(`The databases are filled; waiting for a quiet machine (load ${lastMinute().toFixed(1)})`);
  const seen = await measure(databases);
  const names = sizes.map(({ tasks, stays }) => `${tasks} tasks, ${stays} stays`);
  const head = ['request', ...names.map((name) => `${name}, ms`), ...names.slice(1).map((name) => `${name}: ratio`)];
  const lines = [...seen].map(([name, [small = [], ...larger]]) => [
    name,
    ...[small, ...larger].map((values) => median(values).toFixed(2)),
    ...larger.map((values) => ratioTo(small, values)),
  ]);
  process.stdout.write(`load ${lastMinute().toFixed(1)}\n${textTable([head, ...lines])}\n`);
} finally {
  for (const { fixtures } of databases) await fixtures.remove();
}
