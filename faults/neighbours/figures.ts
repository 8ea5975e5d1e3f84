import type { Sample } from './victim.js';

/** The event loop's delay, 99th percentile. */
export interface LoopDelay {
  loopMs: number;
  /** The part of it in which the thread computed; for the rest it waited for a core. */
  busyMs: number;
  /** The longest of each. */
  longestMs: number;
  longestBusyMs: number;
}

/** The observations of the victim over a period. */
export interface Seen {
  requests: Sample[];
  waits: Sample[];
  loopDelay: LoopDelay;
}

/** One line of the table: the victim under one vector. */
export interface Figures extends Partial<LoopDelay> {
  name: string;
  asked: number;
  /** Answered with 503. */
  refused: number;
  /** Not answered, or with a status other than success or 503. */
  failed: number;
  quietMedianMs: number;
  medianMs: number;
  quietP99Ms: number;
  p99Ms: number;
  /** Without the time for which the victim's own program, which runs on the same machine, waited for a core. */
  servedP99Ms: number;
}

const mostTimes = 3;
/** A quiet p99 of two milliseconds is not a useful baseline on a machine that does other things too. */
const quietFloorMs = 10;
const mostLoopMs = 50;

export const quantile = (values: readonly number[], part: number): number =>
  values.toSorted((one, other) => one - other)[Math.ceil(part * values.length) - 1] ?? Number.NaN;

export function figuresOf(name: string, quiet: Sample[], attacked: Sample[], delay?: LoopDelay): Figures {
  const [calm, hard] = [quiet.map(({ ms }) => ms), attacked.map(({ ms }) => ms)];
  const refused = attacked.filter(({ status }) => status === 503).length;
  return {
    name,
    asked: attacked.length,
    refused,
    failed: attacked.filter(({ status }) => status < 200 || status >= 300).length - refused,
    quietMedianMs: quantile(calm, 0.5),
    medianMs: quantile(hard, 0.5),
    quietP99Ms: quantile(calm, 0.99),
    p99Ms: quantile(hard, 0.99),
    servedP99Ms: quantile(
      attacked.map(({ ms, waitedMs = 0 }) => ms - waitedMs),
      0.99,
    ),
    ...delay,
  };
}

/** Each figure is the median of the rounds, except counts that must be zero: these are sums. */
export function medianOf(rounds: readonly Figures[]): Figures {
  const of = (pick: (figures: Figures) => number): number => quantile(rounds.map(pick), 0.5);
  const sum = (pick: (figures: Figures) => number): number => rounds.reduce((total, round) => total + pick(round), 0);
  const [first] = rounds as [Figures];
  return {
    name: first.name,
    asked: sum(({ asked }) => asked),
    refused: sum(({ refused }) => refused),
    failed: sum(({ failed }) => failed),
    quietMedianMs: of(({ quietMedianMs }) => quietMedianMs),
    medianMs: of(({ medianMs }) => medianMs),
    quietP99Ms: of(({ quietP99Ms }) => quietP99Ms),
    p99Ms: of(({ p99Ms }) => p99Ms),
    servedP99Ms: of(({ servedP99Ms }) => servedP99Ms),
    ...(first.loopMs !== undefined && {
      loopMs: of(({ loopMs }) => loopMs as number),
      busyMs: of(({ busyMs }) => busyMs as number),
      longestMs: Math.max(...rounds.map(({ longestMs }) => longestMs as number)),
      longestBusyMs: Math.max(...rounds.map(({ longestBusyMs }) => longestBusyMs as number)),
    }),
  };
}

/** What must not happen; nothing if the victim was not affected. */
export function faultsIn({ refused, failed, quietP99Ms, p99Ms, loopMs = 0 }: Figures): string[] {
  const verdicts: [string, boolean][] = [
    [`${refused} requests got 503`, refused > 0],
    [`${failed} requests failed`, failed > 0],
    [`p99 is over ${mostTimes} times the quiet one`, p99Ms > mostTimes * Math.max(quietP99Ms, quietFloorMs)],
    [`the event loop's p99 is ${loopMs.toFixed(0)} ms, over ${mostLoopMs}`, loopMs >= mostLoopMs],
  ];
  return verdicts.filter(([, isSo]) => isSo).map(([fault]) => fault);
}

const ms = (value: number | undefined): string => (value === undefined ? '' : value.toFixed(value < 10 ? 1 : 0));

const columns: readonly [title: string, of: (figures: Figures) => string | number][] = [
  ['Vector', ({ name }) => name],
  ['Requests', ({ asked }) => asked],
  ['503', ({ refused }) => refused],
  ['Failed', ({ failed }) => failed],
  ['Median quiet (ms)', ({ quietMedianMs }) => ms(quietMedianMs)],
  ['Median attacked', ({ medianMs }) => ms(medianMs)],
  ['p99 quiet', ({ quietP99Ms }) => ms(quietP99Ms)],
  ['p99 attacked', ({ p99Ms }) => ms(p99Ms)],
  ['without its own waits', ({ servedP99Ms }) => ms(servedP99Ms)],
  ['Loop p99', ({ loopMs }) => ms(loopMs)],
  ['computing', ({ busyMs }) => ms(busyMs)],
  ['Loop longest', ({ longestMs }) => ms(longestMs)],
  ['computing', ({ longestBusyMs }) => ms(longestBusyMs)],
];

const rowWith = (cells: readonly (string | number)[]): string => `| ${cells.join(' | ')} |`;

export const header = [rowWith(columns.map(([title]) => title)), rowWith(columns.map(() => '---'))];

export const rowOf = (figures: Figures): string => rowWith(columns.map(([, of]) => of(figures)));
