import type { EndpointStatus } from '../../events/webhooks/webhook-endpoint.dto.js';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** How long each attempt waits after the one before (Standard Webhooks, recommended schedule). */
const delaysMs = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];
export const mostAttempts = delaysMs.length;

/** Up to a tenth earlier or later, so that what failed together is not sent again together. */
const jitter = (): number => 0.9 + Math.random() * 0.2;

/** When to try again after so many attempts, in milliseconds since 1970; undefined when it is given up. */
export function nextAttemptAt(attempts: number, now: number): number | undefined {
  const delay = delaysMs[attempts];
  return delay === undefined ? undefined : now + delay * jitter();
}

const degradedAfterMs = day;
const disabledAfterMs = 5 * day;

export interface Health {
  status: EndpointStatus;
  failingSince: string | null;
}

export type Outcome = 'succeeded' | 'failed' | 'gone';

/** An answer of 2xx is a success; 410 says that nothing is wanted here any more; all else, redirects too, is a failure. */
export const outcomeOf = (status: number | undefined): Outcome => {
  if (status === 410) return 'gone';
  return status !== undefined && status >= 200 && status < 300 ? 'succeeded' : 'failed';
};

/** An endpoint that only fails is degraded after a day, which is the warning, and disabled after five, never unwarned. */
export function healthAfter({ status, failingSince }: Health, outcome: Outcome, now: number): Health {
  if (outcome === 'succeeded') return { status: status === 'degraded' ? 'enabled' : status, failingSince: null };
  const since = failingSince ?? new Date(now).toISOString();
  const failingMs = now - Date.parse(since);
  const isWarned = status === 'degraded';
  if (outcome === 'gone' || (isWarned && failingMs >= disabledAfterMs))
    return { status: 'disabled', failingSince: since };
  return { status: failingMs >= degradedAfterMs ? 'degraded' : status, failingSince: since };
}
