/**
 * The request log's share of a request's CPU: `node dist/bench/request-log.js [pairs]`. Pairs of rounds, of a service
 * with the request log and of one without it, alternately; writes a second later count, too.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { load } from './client.js';
import { cpuMicrosBetween, cpuTimesOf } from './cpu.js';
import { prepareFixtures } from './fixtures.js';
import { textTable } from './report.js';
import { scenarios } from './scenarios.js';
import { type Spread, spreadOf } from './statistics.js';
import { startTarget, type Target } from './target.js';

const pairs = Number(process.argv[2] ?? 30);
const requestsPerRound = 1_000;
const warmUp = 10_000;
/** Until a round is in the log. */
const writtenMs = 1_500;
/** Its maximum cost as a ratio; overlapping quartiles count as equal. */
const bound = 1.03;
const measured = ['list 20', 'get one', 'create', 'tools/call'];

const program = fileURLToPath(new URL('../src/processes/main.program.js', import.meta.url));
const without = new URL('./without-request-log.js', import.meta.url).href;

const fixtures = await prepareFixtures();
const tenants = { reader: await fixtures.addTenant(1_000), writer: await fixtures.addTenant(1) };
const logging = await startTarget('logging', fixtures, program);
const silent = await startTarget('silent', fixtures, program, ['--import', without]);
try {
  const rows: string[][] = [];
  for (const { name, tenant, request, status } of scenarios.filter((one) => measured.includes(one.name))) {
    const { tokens } = tenants[tenant];
    let sent = 0;
    const ask = async (target: Target, count: number): Promise<number> => {
      const requests = Array.from({ length: count }, (_, index) =>
        request(tokens[(sent += 1) % tokens.length] as string, tenants[tenant], index),
      );
      const before = [target.pid, fixtures.postgresPid].map((pid) => ({ pid, times: cpuTimesOf(pid) }));
      await load(target.port, requests, 16, status);
      await pause(writtenMs);
      return before.reduce((sum, { pid, times }) => sum + cpuMicrosBetween(times, cpuTimesOf(pid)), 0) / count;
    };
    for (const target of [logging, silent]) await ask(target, warmUp);
    const [kept, dropped]: [number[], number[]] = [[], []];
    for (let pair = 0; pair < pairs; pair += 1) {
      for (const target of pair % 2 ? [logging, silent] : [silent, logging])
        (target === logging ? kept : dropped).push(await ask(target, requestsPerRound));
    }
    const ratio = spreadOf(kept.map((micros, index) => micros / (dropped[index] as number)));
    const [one, other] = [spreadOf(kept), spreadOf(dropped)];
    const isEqual = one.q1 <= other.q3 * bound;
    rows.push([name, shown(one), shown(other), ratio.median.toFixed(3), isEqual ? 'within 3 %' : 'MORE']);
  }
  const head = ['', 'with the log, µs', 'without, µs', 'ratio', ''];
  process.stdout.write(`${pairs} pairs of ${requestsPerRound} requests\n\n${textTable([head, ...rows])}\n`);
} finally {
  await Promise.all([logging.stop(), silent.stop()]);
  await fixtures.remove();
}

function shown({ q1, median, q3 }: Spread): string {
  return `${median.toFixed(0)} (${q1.toFixed(0)}–${q3.toFixed(0)})`;
}
