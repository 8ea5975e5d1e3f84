import type { Line } from './report.js';

/** The goals of docs/performance.md, measured together in one run with 16 connections. */
interface Goal {
  name: string;
  /** Undefined if the run did not measure it. */
  seen: (line: (scenario: string) => Line | undefined) => number | undefined;
  atMost?: number;
  atLeast?: number;
}

const goals: readonly Goal[] = [
  { name: 'list 20: sum against floor', seen: (line) => line('list 20')?.sumRatio.median, atMost: 0.9 },
  { name: 'list 20: requests/s against floor', seen: (line) => line('list 20')?.rateRatio.median, atLeast: 1.1 },
  { name: 'get one: sum against floor', seen: (line) => line('get one')?.sumRatio.median, atMost: 0.95 },
  { name: 'create: sum against floor', seen: (line) => line('create')?.sumRatio.median, atMost: 1 },
  {
    name: 'create: sum against a floor that writes event, deliveries and audit entry',
    seen: (line) => line('create, told')?.sumRatio.median,
    atMost: 0.75,
  },
  {
    name: 'create with key: sum against floor',
    seen: (line) => line('create with key')?.sumRatio.median,
    atMost: 1.2,
  },
  {
    name: 'tools/call: Node CPU against list 20 over REST',
    seen: (line) => quotient(line('tools/call')?.nodeMicros, line('list 20')?.nodeMicros),
    atMost: 1.05,
  },
  {
    name: 'tools/list: sum against get one over REST',
    seen: (line) => quotient(line('tools/list')?.sumMicros, line('get one')?.sumMicros),
    atMost: 1.5,
  },
  {
    name: 'tools/list, core: sum against get one over REST',
    seen: (line) => quotient(line('tools/list, core')?.sumMicros, line('get one')?.sumMicros),
    atMost: 1,
  },
];

const quotient = (part?: number, whole?: number): number | undefined =>
  part === undefined || whole === undefined ? undefined : part / whole;

const busy = 16;

/** A row for each goal that the run measured: its text, the limit, the result, and whether it is met. */
export function goalRows(lines: readonly Line[]): string[][] {
  const find = (scenario: string) =>
    lines.find((line) => line.scenario === scenario && line.target === 'service' && line.connections === busy);
  return goals.flatMap(({ name, seen, atMost, atLeast }) => {
    const value = seen(find);
    if (value === undefined) return [];
    const isMet = value <= (atMost ?? Infinity) && value >= (atLeast ?? 0);
    const bound = atMost === undefined ? `≥ ${atLeast}` : `≤ ${atMost}`;
    return [[name, bound, value.toFixed(2), isMet ? 'met' : 'MISSED']];
  });
}
