import pg from 'pg';
import { board } from '../src/features/boards/board.repository.js';
import { dayTexts } from '../src/features/boards/day.repository.js';
import { tapeChart } from '../src/features/boards/tape-chart.repository.js';
import { httpRequest, load } from './client.js';
import { cpuMicrosBetween, cpuTimesOf } from './cpu.js';
import type { Fixtures, Tenant } from './fixtures.js';
import { addHotel, type BenchHotel } from './hotels.js';
import { textTable } from './report.js';
import { median, shuffled } from './statistics.js';
import type { Target } from './target.js';

/** One kind of request in one round: CPU in µs a request, and the median duration in ms. */
interface Seen {
  node: number;
  postgres: number;
  answerMs: number;
}

/**
 * The cost of a view of hotels over all rounds, and the median duration of its statement according to Postgres, in ms.
 */
export interface BoardLine {
  view: string;
  rounds: Seen[];
  statementMs?: number;
}

interface View {
  name: string;
  path: string;
  requests: number;
  statement?: readonly [text: string, values: readonly unknown[]];
}

const [small, large] = [50, 500];
const rounds = 7;
const executions = 30;
const boardOf = (units: number): string => `room board, ${units} units`;
const list = 'list 20';

/** What people look at in a hotel, besides a list of 20 tasks: over one connection, in a different order each round. */
export async function measureBoards(
  fixtures: Fixtures,
  { port, pid }: Target,
  { orgId, tokens }: Tenant,
  say: (line: string) => void,
): Promise<BoardLine[]> {
  const views: View[] = [{ name: list, path: 'tasks', requests: 200 }];
  for (const units of [small, large])
    views.push(...viewsOf(orgId, units, await addHotel(fixtures.query, orgId, units)));
  let turn = 0;
  const cost = async ({ path, requests }: View): Promise<Seen> => {
    const batch = Array.from({ length: requests }, () =>
      httpRequest(`GET /api/v1/${path}`, { token: tokens[(turn += 1) % tokens.length] }),
    );
    const before = { node: cpuTimesOf(pid), postgres: cpuTimesOf(fixtures.postgresPid) };
    const { latenciesMs } = await load(port, batch, 1, 200);
    return {
      node: cpuMicrosBetween(before.node, cpuTimesOf(pid)) / requests,
      postgres: cpuMicrosBetween(before.postgres, cpuTimesOf(fixtures.postgresPid)) / requests,
      answerMs: median(latenciesMs),
    };
  };
  for (const view of views) await cost(view);
  const lines = new Map<string, BoardLine>(views.map(({ name }) => [name, { view: name, rounds: [] }]));
  for (let round = 1; round <= rounds; round += 1) {
    say(`Boards, round ${round} of ${rounds}`);
    for (const view of shuffled(views)) lines.get(view.name)?.rounds.push(await cost(view));
  }
  for (const { name, statement } of views)
    if (statement)
      Object.assign(lines.get(name) as BoardLine, {
        statementMs: await explained(fixtures.databaseUrl, orgId, ...statement),
      });
  return [...lines.values()];
}

function viewsOf(orgId: string, units: number, { propertyId, id }: BenchHotel): View[] {
  const now = new Date().toISOString();
  const today = now.slice(0, 10);
  return [
    {
      name: boardOf(units),
      path: `properties/${propertyId}/board`,
      requests: 40,
      statement: [board, [orgId, id, null, now, today, true]],
    },
    {
      name: `tape chart of 92 days, ${units} units`,
      path: `properties/${propertyId}/tape-chart?days=92`,
      requests: 20,
      statement: [tapeChart, [orgId, id, null, now, today, 92]],
    },
    {
      name: `day, ${units} units`,
      path: `day?propertyId=${propertyId}`,
      requests: 40,
      statement: [dayTexts.ofSome, [orgId, today, `{${id}}`, null, 101, true, now, today]],
    },
  ];
}

/** The duration of a statement according to Postgres, run as the service's own role: the median. */
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

const literal = (value: unknown): string => (typeof value === 'string' ? pg.escapeLiteral(value) : String(value));

const sumOf = ({ node, postgres }: Seen): number => node + postgres;

const goals = { postgresMs: 5, againstList: 1.5 };

/** A row for each view, and whether the goals of the room board are met. */
export function boardsTable(lines: readonly BoardLine[]): string {
  const mid = (view: string, value: (seen: Seen) => number): number =>
    median((lines.find((line) => line.view === view) as BoardLine).rounds.map(value));
  const rows = lines.map(({ view, statementMs }) => [
    view,
    ...[({ node }: Seen) => node, ({ postgres }: Seen) => postgres, sumOf].map((value) => mid(view, value).toFixed(0)),
    mid(view, ({ answerMs }) => answerMs).toFixed(1),
    statementMs?.toFixed(2) ?? '',
  ]);
  const postgresMs = mid(boardOf(large), ({ postgres }) => postgres) / 1_000;
  const againstList = mid(boardOf(small), sumOf) / mid(list, sumOf);
  const verdict = (seen: number, most: number): string =>
    `${seen.toFixed(2)}, at most ${most}: ${seen <= most ? 'met' : 'MISSED'}`;
  return [
    textTable([['view', 'Node µs', 'Pg µs', 'sum µs', 'answer, ms', 'statement, ms'], ...rows]),
    `PostgreSQL CPU of the room board of ${large} units, ms: ${verdict(postgresMs, goals.postgresMs)}`,
    `The room board of ${small} units against list 20: ${verdict(againstList, goals.againstList)}`,
  ].join('\n');
}
