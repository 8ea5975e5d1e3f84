import { randomUUID } from 'node:crypto';
import type { Query } from './approvals.js';
import { cleaningAtDeparture, day } from './bulk-load.js';
import { httpRequest, load } from './client.js';
import { cpuMicrosBetween, cpuTimesOf } from './cpu.js';
import type { Fixtures, Tenant } from './fixtures.js';
import { textTable } from './report.js';
import { createTask } from './scenarios.js';
import { median, shuffled, spreadOf } from './statistics.js';
import type { Target } from './target.js';

/** The plain write, the write if rules concern other operations, its rehearsal, and a booking that plans a task. */
const ways = ['create', 'create, a rule about others', 'rehearsal', 'booking'] as const;
type Way = (typeof ways)[number];

/** The others are creates of tasks. */
const paths: Partial<Record<Way, string>> = { rehearsal: '/tasks?dryRun=true', booking: '/reservations' };

/** The cost of a write in CPU of Node.js and PostgreSQL, in µs, in one round. */
export type HeldWrites = Record<Way, number>[];

const rounds = 30;
const requests = 200;
const mostRehearsal = 1.3;
const mostBooking = 2.5;
/** So many that the nights of all bookings are within a year. */
const houses = 40;

/** The cost of approval rules, rehearsals and bookings: each round has all four ways, one directly after the other. */
export async function measureHeldWrites(
  fixtures: Fixtures,
  { port, pid }: Target,
  plain: Tenant,
  ruled: Tenant,
  say: (line: string) => void,
): Promise<HeldWrites> {
  await fixtures.query(
    `insert into approval_rules (org_id, id, who, what, mode, created_at) values ($1, $2, 'all', 'archiveTask', 'ask', now())`,
    [ruled.orgId, randomUUID()],
  );
  let turn = 0;
  const nextBooking = bookingsIn(await addHouses(fixtures.query, plain.orgId));
  const cost = async (way: Way, count: number): Promise<number> => {
    const { tokens } = way === 'create, a rule about others' ? ruled : plain;
    const batch = Array.from({ length: count }, () =>
      httpRequest(`POST /api/v1${paths[way] ?? '/tasks'}`, {
        token: tokens[(turn += 1) % tokens.length],
        body: way === 'booking' ? nextBooking() : createTask,
      }),
    );
    const before = { node: cpuTimesOf(pid), postgres: cpuTimesOf(fixtures.postgresPid) };
    await load(port, batch, 1, way === 'rehearsal' ? 200 : 201);
    const node = cpuMicrosBetween(before.node, cpuTimesOf(pid));
    return (node + cpuMicrosBetween(before.postgres, cpuTimesOf(fixtures.postgresPid))) / count;
  };
  for (const way of ways) await cost(way, 2 * requests);
  const costs: HeldWrites = [];
  for (let round = 1; round <= rounds; round += 1) {
    say(`Held writes, round ${round} of ${rounds}`);
    await fixtures.tidy();
    const seen = {} as Record<Way, number>;
    for (const way of shuffled(ways)) seen[way] = await cost(way, requests);
    costs.push(seen);
  }
  return costs;
}

/** Houses with a task for each departure. */
async function addHouses(query: Query, orgId: string): Promise<string[]> {
  const rows = await query(
    `insert into properties (org_id, id, name, timezone, type, check_in_time, check_out_time, automatic_tasks, tags, metadata,
                             feed_token, feed_hash, version, created_at, updated_at)
     select $1, uuidv7(), 'House ' || n, 'UTC', 'house', '15:00', '11:00', $2, '{}', '{}', '', sha256(n::text::bytea), 1, now(), now()
       from generate_series(1, $3::int) n returning id`,
    [orgId, JSON.stringify(cleaningAtDeparture), houses],
  );
  return rows.map(({ id }) => `property_${String(id).replaceAll('-', '')}`);
}

/** The body of the next booking: a night that is free, with a guest. */
function bookingsIn(propertyIds: readonly string[]): () => string {
  let booked = 0;
  return () => {
    const [propertyId, night] = [propertyIds[booked % houses], 10 + Math.floor(booked / houses)];
    booked += 1;
    const dates = { checkInDate: day(night), checkOutDate: day(night + 1) };
    return JSON.stringify({ propertyId, ...dates, primaryGuest: { name: `Guest ${booked}` } });
  };
}

/** The quartiles of each, and whether the goals are met: overlapping quartiles, and a limit for rehearsals. */
export function heldWritesTable(costs: HeldWrites): string {
  const spread = (way: Way) => spreadOf(costs.map((round) => round[way]));
  const rows = ways.map((way) => {
    const { q1, median: middle, q3 } = spread(way);
    return [way, middle.toFixed(0), `${q1.toFixed(0)}–${q3.toFixed(0)}`];
  });
  const [plain, ruled] = [spread('create'), spread('create, a rule about others')];
  const against = (way: Way, most: number): string => {
    const ratio = median(costs.map((round) => round[way] / round.create));
    return `${ratio.toFixed(2)} × the write, at most ${most}: ${ratio <= most ? 'met' : 'MISSED'}`;
  };
  return [
    textTable([['way', 'µs of CPU', 'quartiles'], ...rows]),
    `A rule about others: the quartiles ${ruled.q1 <= plain.q3 ? 'overlap' : 'DO NOT OVERLAP'}`,
    `A rehearsal: ${against('rehearsal', mostRehearsal)}`,
    `A booking with an automatic task: ${against('booking', mostBooking)}`,
  ].join('\n');
}
