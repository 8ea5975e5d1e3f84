/** How lists behave as the table grows: `node dist/bench/scale.js`. A tenth of the rows is the asking organization's. */
import { httpRequest, load } from './client.js';
import { addStays, addTasks, prepareFixtures } from './fixtures.js';
import { textTable } from './report.js';
import { median } from './statistics.js';
import { startTarget, type Target } from './target.js';

const sizes = [10_000, 1_000_000];
const requestsEach = 400;

/** Paths; `middle` stands for the cursor of the middle, `:machine` and `:user` for a member with a tenth of the tasks and with none. */
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
  'tasks, overdue': 'tasks?overdue=true',
  'tasks, q of a rare word': 'tasks?q=apartment%2099999',
  'tasks, changed since': 'tasks?sort=-updatedAt&updatedSince=2026-01-01T00:00:00Z',
  'reservations, first page': 'reservations',
  'reservations, middle by cursor': 'reservations?middle',
  'reservations, status': 'reservations?status=cancelled',
  'reservations, channel and code': 'reservations?channel=direct&confirmationCode=BENCH-7',
  'reservations, staying on a date': 'reservations?stayingOn=2027-03-01',
  'reservations, q of a common word': 'reservations?q=Guest',
  'reservations, q of a rare word': 'reservations?q=Quixote',
  'reservations, q of no word': 'reservations?q=Dulcinea',
  'guests, middle by cursor': 'guests?middle',
  'guests, q of a common word': 'guests?q=Guest',
  'guests, q of a rare word': 'guests?q=Quixote',
  'guests, q of no word': 'guests?q=Dulcinea',
};

/** Follows the list to half of the rows, page by page as a client would. */
async function cursorOfMiddle(target: Target, token: string, path: string, rows: number): Promise<string> {
  let cursor = '';
  for (let seen = 0; seen < rows / 2; seen += 100) {
    const query = `?limit=100${cursor && `&cursor=${encodeURIComponent(cursor)}`}`;
    const url = `http://127.0.0.1:${target.port}/api/v1/${path}${query}`;
    const answer = await fetch(url, { headers: { authorization: `Bearer ${token}` } });
    const { meta } = (await answer.json()) as { meta: { pagination: { nextCursor: string } } };
    cursor = meta.pagination.nextCursor;
  }
  return `${path}?cursor=${encodeURIComponent(cursor)}`;
}

const fixtures = await prepareFixtures();
let service: Target | undefined;
try {
  const [own, others] = [await fixtures.addTenant(1), await fixtures.addTenant(1)];
  service = await startTarget('service', fixtures);
  const members = new Map(
    (await fixtures.query('select kind, id from members where org_id = $1', [own.orgId])).map(({ kind, id }) => [
      kind,
      `member_${String(id).replaceAll('-', '')}`,
    ]),
  );
  const seen = new Map<string, number[]>();
  let next = 0;
  let rows = 0;
  for (const size of sizes) {
    await addTasks(fixtures.query, own.orgId, (size - rows) / 10);
    await addTasks(fixtures.query, others.orgId, ((size - rows) / 10) * 9);
    await addStays(fixtures.query, own.orgId, (size - rows) / 10);
    await addStays(fixtures.query, others.orgId, ((size - rows) / 10) * 9);
    // What the inserts have left to write would slow down the first list.
    await fixtures.query('checkpoint');
    rows = size;
    for (const [name, given] of Object.entries(lists)) {
      const [path = '', query] = given.split('?');
      const count = path === 'guests' ? size / 40 : size / 10;
      const asked =
        query === 'middle'
          ? await cursorOfMiddle(service, own.tokens[0] as string, path, count)
          : given.replace(/:(machine|user)/, (_, kind: string) => members.get(kind) ?? '');
      // Another key for each batch, and two batches, of which the first only warms up.
      for (const isMeasured of [false, true]) {
        const token = own.tokens[(next += 1) % own.tokens.length] as string;
        const requests = Array.from({ length: requestsEach }, () => httpRequest(`GET /api/v1/${asked}`, { token }));
        const { latenciesMs } = await load(service.port, requests, 1, 200);
        if (isMeasured) seen.set(name, [...(seen.get(name) ?? []), median(latenciesMs)]);
      }
    }
  }
  const head = ['list', ...sizes.map((size) => `${size} rows, ms`), 'ratio'];
  const lines = [...seen].map(([name, [small = 0, large = 0]]) => [
    name,
    small.toFixed(2),
    large.toFixed(2),
    (large / small).toFixed(2),
  ]);
  process.stdout.write(`${textTable([head, ...lines])}\n`);
} finally {
  await service?.stop();
  await fixtures.remove();
}
