import type { Cell } from './rounds.js';
import { median, type Spread, spreadOf } from './statistics.js';

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
  /** Total CPU, CPU of Node only and requests a second, round by round against the floor's. */
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

/** Each round is compared with the same round of the other server, because both had the same noise; NaN without one. */
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

/** Markdown that is also readable as plain text: the first row is the head. */
export function textTable(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const written = rows.map((row) => `| ${row.map((text, column) => text.padEnd(widths[column] ?? 0)).join(' | ')} |`);
  const rule = `|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`;
  return [written[0], rule, ...written.slice(1)].join('\n');
}

/**
 * What costs more than in the other build, as sentences: the quartiles of the ratio, round by round, are above one.
 * Only such ratios count, because those of another run or machine differ by a fifth without any change.
 */
export function costlier(lines: readonly Line[]): string[] {
  return lines
    .filter(({ target, sumRatio }) => target === 'service' && sumRatio.q1 > 1)
    .map(({ scenario, connections, sumRatio: { median: middle, q1, q3 } }) => {
      const ratio = `${middle.toFixed(2)} (${q1.toFixed(2)}–${q3.toFixed(2)})`;
      return `${scenario}, ${connections} connections: ${ratio} of the CPU that the other build takes`;
    });
}
