/** Boards of hotels of two sizes: `node dist/bench/boards.js`. Each room has a stay in house and two years to come. */
import { randomBytes } from 'node:crypto';
import pg from 'pg';
import { board } from '../src/features/boards/board.repository.js';
import { tapeChart } from '../src/features/boards/tape-chart.repository.js';
import { httpRequest, load } from './client.js';
import { type Fixtures, prepareFixtures } from './fixtures.js';
import { textTable } from './report.js';
import { median } from './statistics.js';
import { startTarget } from './target.js';

const sizes = [50, 500];
const staysOfRoom = 24;
const requestsEach = 100;
const executions = 30;

/** @returns the id of the property. */
async function addHotel(query: Fixtures['query'], orgId: string, rooms: number): Promise<string> {
  const [property] = await query(
    `insert into properties (org_id, id, name, timezone, type, check_in_time, check_out_time, tags, metadata, feed_token,
                             feed_hash, version, created_at, updated_at)
     values ($1, uuidv7(), 'Hotel', 'UTC', 'hotel', '15:00', '11:00', '{}', '{}', '', $2, 1, now(), now()) returning id`,
    [orgId, randomBytes(32)],
  );
  const id = String(property?.id);
  await query(
    `insert into units (org_id, id, property_id, name, floor, sort_order, cleaning_status, tags, metadata, version, created_at, updated_at)
     select $1, uuidv7(), $2, n::text, (n / 50)::text, n, 'clean', '{}', '{}', 1, now(), now() from generate_series(1, $3::int) n`,
    [orgId, id, rooms],
  );
  await query(
    `with stays as materialized (
       select u.id as unit_id, uuidv7() as id, k, current_date - 2 + k * 30 as arrives
         from units u, generate_series(0, $3::int - 1) k where u.org_id = $1 and u.property_id = $2),
     named as (
       insert into guests (org_id, id, name, metadata, version, created_at, updated_at)
       select $1, id, 'Guest ' || k, '{}', 1, now(), now() from stays)
     insert into reservations (org_id, id, property_id, unit_id, guest_id, check_in_date, check_out_date, arrival_at, departure_at,
                               status, stay_status, source, overlapping, metadata, external_refs, version, created_at, updated_at)
     select $1, id, $2, unit_id, id, arrives, arrives + 4, arrives + time '15:00', arrives + 4 + time '11:00', 'confirmed',
            case when k = 0 then 'checked_in' else 'not_arrived' end, 'manual', false, '{}', '[]', 1, now(), now() from stays`,
    [orgId, id, staysOfRoom],
  );
  await query(
    `insert into tasks (org_id, id, name, type, status, priority, property_id, unit_id, reservation_id, assignee_ids, due_at,
                        checklist, metadata, external_refs, source, version, created_at, updated_at)
     select org_id, uuidv7(), 'Turn over', 'cleaning', 'pending', 'normal', property_id, unit_id, id, '{}', departure_at,
            '[]', '{}', '[]', 'automatic', 1, now(), now() from reservations where org_id = $1 and property_id = $2`,
    [orgId, id],
  );
  await query('vacuum (analyze) units, guests, reservations, stay_segments, tasks');
  return id;
}

/** What Postgres says that a statement takes, as the service's own role runs it: the median. */
async function explained(url: string, orgId: string, text: string, values: readonly unknown[]): Promise<number> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query('begin; set local role app_user');
    await client.query(`select set_config('app.org_id', $1, true)`, [orgId]);
    await client.query(`prepare measured as ${text}`);
    const execute = `explain (analyze, timing off) execute measured (${values.map(literal).join(', ')})`;
    const taken: number[] = [];
    for (let run = 0; run < executions; run += 1) {
      const { rows } = await client.query<{ 'QUERY PLAN': string }>(execute);
      taken.push(Number(/[\d.]+/.exec(rows.at(-1)?.['QUERY PLAN'] ?? '')?.[0]));
    }
    return median(taken);
  } finally {
    await client.end();
  }
}

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? String(value) : pg.escapeLiteral(String(value));
const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

const fixtures = await prepareFixtures();
const { orgId, tokens } = await fixtures.addTenant(1);
const lines: string[][] = [];
const ids = new Map<number, string>();
for (const size of sizes) ids.set(size, await addHotel(fixtures.query, orgId, size));
const service = await startTarget('service', fixtures);
try {
  const [now, today] = [new Date().toISOString(), dayIn(0)];
  for (const [size, id] of ids) {
    const views: [string, string, string, unknown[]][] = [
      ['board', 'board', board, [orgId, id, now, today, `${dayIn(1)}T00:00:00Z`, today, true]],
      ['tape chart, 92 days', 'tape-chart?days=92', tapeChart, [orgId, id, now, today, dayIn(92)]],
    ];
    for (const [name, path, text, values] of views) {
      const line = `GET /api/v1/properties/property_${id.replaceAll('-', '')}/${path}`;
      const requests = Array.from({ length: requestsEach }, () => httpRequest(line, { token: tokens[0] }));
      await load(service.port, requests, 1, 200);
      const { latenciesMs } = await load(service.port, requests, 1, 200);
      const postgres = await explained(fixtures.databaseUrl, orgId, text, values);
      lines.push([name, String(size), median(latenciesMs).toFixed(2), postgres.toFixed(2)]);
    }
  }
  process.stdout.write(`${textTable([['view', 'units', 'request, ms', 'in Postgres, ms'], ...lines])}\n`);
} finally {
  await service.stop();
  await fixtures.remove();
}
