import { inspect } from 'node:util';

/** A line as pino writes it. */
interface Line {
  level: number;
  time: number;
  msg?: string;
  context?: string;
  method?: string;
  path?: string;
  status?: number;
  durationMs?: number;
  operation?: string;
  aborted?: boolean;
  err?: { stack?: string };
}

const levels: Record<number, string> = { 20: 'debug', 30: 'info', 40: 'warning', 50: 'error', 60: 'fatal' };

/** For a person at a terminal: `16:05:39 GET /api/v1/tasks 200 12 ms listTasks`. */
export function readableLine(json: string): string {
  const { level, time, msg, context, err, ...line } = JSON.parse(json) as Line;
  const at = new Date(time).toTimeString().slice(0, 8);
  const words =
    line.method === undefined
      ? [levels[level] ?? level, context && `${context}:`, msg, factsIn({ ...line })]
      : requestIn(line);
  const text = [at, ...words].filter((word) => word !== undefined && word !== '').join(' ');
  return `${harmless(text)}${err?.stack ? `\n${harmless(err.stack)}` : ''}\n`;
}

const requestIn = ({ method, path, status, durationMs = 0, operation, aborted }: Partial<Line>) => [
  method,
  path,
  aborted ? 'aborted' : status,
  `${durationMs < 10 ? durationMs.toFixed(1) : Math.round(durationMs)} ms`,
  operation,
];

function factsIn({ pid: _, hostname: __, logId: ___, ...facts }: Record<string, unknown>): string | undefined {
  return Object.keys(facts).length > 0 ? inspect(facts, { breakLength: Infinity }) : undefined;
}

/** A terminal would interpret control characters. */
// oxlint-disable-next-line no-control-regex
const harmless = (text: string): string => text.replaceAll(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/g, '?');
