import { randomUUID } from 'node:crypto';
import { httpRequest, load } from './client.js';
import { cpuMicrosBetween, cpuTimesOf } from './cpu.js';
import type { Fixtures, Tenant } from './fixtures.js';
import { textTable } from './report.js';
import { createTask } from './scenarios.js';
import { median, shuffled, spreadOf } from './statistics.js';
import type { Target } from './target.js';

/** The plain write, the write if rules concern other operations, and its rehearsal. */
const ways = ['create', 'create, a rule about others', 'rehearsal'] as const;
type Way = (typeof ways)[number];

/** The cost of a write in CPU of Node.js and PostgreSQL, in µs, in one round. */
export type HeldWrites = Record<Way, number>[];

const rounds = 30;
const requests = 200;
const mostRehearsal = 1.3;

/** The cost of approval rules and rehearsals: each round has all three, one directly after the other. */
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
  const cost = async (way: Way, count: number): Promise<number> => {
    const { tokens } = way === 'create, a rule about others' ? ruled : plain;
    const path = way === 'rehearsal' ? '/api/v1/tasks?dryRun=true' : '/api/v1/tasks';
    const batch = Array.from({ length: count }, () =>
      httpRequest(`POST ${path}`, { token: tokens[(turn += 1) % tokens.length], body: createTask }),
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
    const seen = {} as Record<Way, number>;
    for (const way of shuffled(ways)) seen[way] = await cost(way, requests);
    costs.push(seen);
  }
  return costs;
}

/** The quartiles of each, and whether the goals are met: overlapping quartiles, and a limit for rehearsals. */
export function heldWritesTable(costs: HeldWrites): string {
  const spread = (way: Way) => spreadOf(costs.map((round) => round[way]));
  const rows = ways.map((way) => {
    const { q1, median: middle, q3 } = spread(way);
    return [way, middle.toFixed(0), `${q1.toFixed(0)}–${q3.toFixed(0)}`];
  });
  const [plain, ruled] = [spread('create'), spread('create, a rule about others')];
  const ratio = median(costs.map((round) => round.rehearsal / round.create));
  return [
    textTable([['way', 'µs of CPU', 'quartiles'], ...rows]),
    `A rule about others: the quartiles ${ruled.q1 <= plain.q3 ? 'overlap' : 'DO NOT OVERLAP'}`,
    `A rehearsal: ${ratio.toFixed(2)} × the write, at most ${mostRehearsal}: ${ratio <= mostRehearsal ? 'met' : 'MISSED'}`,
  ].join('\n');
}
