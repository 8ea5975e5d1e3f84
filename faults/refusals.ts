import type { Outcome } from './case.js';
import type { Client } from './client.js';

type Attempts = Client['attempts'];
/** By `performance.now()`. */
export type Span = readonly [from: number, to: number];
type Seen = Pick<Outcome, 'more' | 'forbidden'>;

const longestRefusalMs = 1_200;
const longestRecoveryMs = 2_000;
const longestFailoverMs = 3_000;

/** What was sent and answered within these times. */
const during = (attempts: Attempts, spans: readonly Span[]): Attempts =>
  attempts.filter(({ startedAt, endedAt }) => spans.some(([from, to]) => startedAt > from && endedAt < to));

const refusedWith = (status: number, attempts: Attempts): Attempts =>
  attempts.filter((attempt) => attempt.status === status && Number(attempt.retryAfter) > 0);

/** How long after this the first write succeeded. */
function recoveryMs(attempts: Attempts, since: number): number {
  const after = attempts.filter(({ status, endedAt }) => endedAt > since && status === 201);
  return Math.min(...after.map(({ endedAt }) => endedAt)) - since;
}

/** @param status of every response during an outage, which has Retry-After. */
export function judgeOutages(attempts: Attempts, spans: readonly Span[], status: 429 | 503, dead: number): Seen {
  const answered = during(attempts, spans);
  const refused = refusedWith(status, answered);
  const refusalMs = answered.map(({ startedAt, endedAt }) => endedAt - startedAt);
  const recoveries = spans.map(([, to]) => recoveryMs(attempts, to));
  return {
    more: {
      outages: spans.length,
      [`refused with ${status} and Retry-After`]: refused.length,
      'answered otherwise meanwhile': answered.length - refused.length,
      'slowest refusal (ms)': Math.max(...refusalMs).toFixed(0),
      'refused after over 1.2 s': refusalMs.filter((ms) => ms > longestRefusalMs).length,
      'slowest recovery (ms)': Math.max(...recoveries).toFixed(0),
      'recoveries over 2 s': recoveries.filter((ms) => ms > longestRecoveryMs).length,
      'unanswered liveness probes': dead,
    },
    forbidden: [
      'answered otherwise meanwhile',
      'refused after over 1.2 s',
      'recoveries over 2 s',
      'unanswered liveness probes',
    ],
  };
}

/** @param without when no server accepted writes, before one was being promoted. */
export function judgeFailover(attempts: Attempts, without: Span, promotedAt: number): Seen {
  const answered = during(attempts, [without]);
  const refused = refusedWith(503, answered);
  const recovery = recoveryMs(attempts, promotedAt);
  return {
    more: {
      'refused with 503 and Retry-After': refused.length,
      'answered otherwise meanwhile': answered.length - refused.length,
      'promotion (ms)': (promotedAt - without[1]).toFixed(0),
      'recovery after it (ms)': recovery.toFixed(0),
      'recoveries over 3 s': recovery > longestFailoverMs ? 1 : 0,
    },
    forbidden: ['answered otherwise meanwhile', 'recoveries over 3 s'],
  };
}

export const refusedSince = (attempts: Attempts, filledAt: number): Attempts =>
  attempts.filter(({ status, startedAt }) => status === 503 && startedAt > filledAt);

/** A 409 means that the first request with this key is still in progress. */
export function judgeFullDisk(attempts: Attempts, [filledAt, emptiedAt]: Span): Seen {
  const refused = refusedSince(attempts, filledAt);
  const told = refusedWith(503, refused);
  const others = attempts.filter(({ status }) => ![201, 409, 503].includes(status ?? 0));
  return {
    more: {
      'refused with 503 and Retry-After': told.length,
      'answered otherwise': others.length + refused.length - told.length,
      'never refused': refused.length === 0 ? 1 : 0,
      'recovery (ms)': recoveryMs(attempts, emptiedAt).toFixed(0),
    },
    forbidden: ['answered otherwise', 'never refused'],
  };
}
