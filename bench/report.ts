import type { Cell } from './rounds.js';
import { isWorse, median, type Spread, spreadOf } from './statistics.js';

/** One line of the table: a server under a scenario, over all rounds. */
export interface Line {
  scenario: string;
  connections: number;
  target: string;
  /** Medians of CPU per request, µs. */
  nodeMicros: number;
  postgresMicros: number;
  sumMicros: number;
  requestsPerSecond: number;
  p50Ms: number;
  p99Ms: number;
  /** Sum of CPU, CPU of Node alone and requests a second, round by round against the floor's. */
  sumRatio: Spread;
  nodeRatio: Spread;
  rateRatio: Spread;
}

const sumOf = ({ nodeMicros, postgresMicros }: Cell): number => nodeMicros + postgresMicros;

/** @param floorOf the server that a scenario's others are compared with. */
export function linesOf(cells: readonly Cell[], floorOf: (scenario: string) => string): Line[] {
  const groups = Map.groupBy(cells, ({ scenario, connections, target }) => `${scenario}|${connections}|${target}`);
  return [...groups.values()].map((own) => {
    const { scenario, connections, target } = own[0] as Cell;
    const ratio = (value: (cell: Cell) => number) => ratiosTo(floorCells(cells, own, floorOf(scenario)), own, value);
    const mid = (value: (cell: Cell) => number) => median(own.map(value));
    return {
      scenario,
      connections,
      target,
      nodeMicros: mid((cell) => cell.nodeMicros),
      postgresMicros: mid((cell) => cell.postgresMicros),
      sumMicros: mid(sumOf),
      requestsPerSecond: mid((cell) => cell.requestsPerSecond),
      p50Ms: mid((cell) => cell.p50Ms),
      p99Ms: mid((cell) => cell.p99Ms),
      sumRatio: ratio(sumOf),
      nodeRatio: ratio((cell) => cell.nodeMicros),
      rateRatio: ratio((cell) => cell.requestsPerSecond),
    };
  });
}

const floorCells = (cells: readonly Cell[], own: readonly Cell[], floor: string): Cell[] =>
  cells.filter(
    ({ scenario, connections, target }) =>
      target === floor && scenario === own[0]?.scenario && connections === own[0].connections,
  );

/** Each round is compared with the same round of the other, since both met the same noise; NaN where there is none. */
export function ratiosTo(others: readonly Cell[], own: readonly Cell[], value: (cell: Cell) => number): Spread {
  const byRound = new Map(others.map((cell) => [cell.round, value(cell)]));
  return spreadOf(own.map((cell) => value(cell) / (byRound.get(cell.round) ?? Number.NaN)));
}

const columns = [
  'scenario',
  'conns',
  'server',
  'Node µs',
  'Pg µs',
  'sum µs',
  'sum/floor',
  'quartiles',
  'Node/floor',
  'req/s',
  'p50 ms',
  'p99 ms',
];

export function tableOf(lines: readonly Line[]): string {
  const rows = lines.map((line) => [
    line.scenario,
    String(line.connections),
    line.target,
    line.nodeMicros.toFixed(0),
    line.postgresMicros.toFixed(0),
    line.sumMicros.toFixed(0),
    ...(Number.isNaN(line.sumRatio.median)
      ? ['', '', '']
      : [
          line.sumRatio.median.toFixed(2),
          `${line.sumRatio.q1.toFixed(2)}–${line.sumRatio.q3.toFixed(2)}`,
          line.nodeRatio.median.toFixed(2),
        ]),
    line.requestsPerSecond.toFixed(0),
    line.p50Ms.toFixed(2),
    line.p99Ms.toFixed(2),
  ]);
  return textTable([columns, ...rows]);
}

/** Markdown that also reads as plain text: the first row is the head. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const written = rows.map((row) => `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [written[0], rule, ...written.slice(1)].join('\n');
}

/** What has become worse since an earlier run, as sentences; ratios alone are compared, for machines differ. */
export function regressions(now: readonly Line[], before: readonly Line[]): string[] {
  return now.flatMap(({ scenario, connections, target, sumRatio }) => {
    const same = (line: Line) =>
      line.scenario === scenario && line.connections === connections && line.target === target;
    const earlier = before.find(same);
    if (target !== 'service' || !earlier || !isWorse(sumRatio, earlier.sumRatio)) return [];
    const change = `${earlier.sumRatio.median.toFixed(2)} to ${sumRatio.median.toFixed(2)}`;
    return [`${scenario}, ${connections} connections: the sum against the floor went from ${change}`];
  });
}
