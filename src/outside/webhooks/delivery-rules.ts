import { attemptsAfter } from '#jobs';
import type { EndpointStatus } from './webhook-endpoint.dto.js';

const [second, minute, hour, day] = [1_000, 60_000, 3_600_000, 86_400_000];

/** The delay of each attempt after the one before (Standard Webhooks, recommended schedule). */
const restsMs = [5 * second, 5 * minute, 30 * minute, 2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour];
export const attempts = attemptsAfter(restsMs, 0.1);

const degradedAfterMs = day;
const disabledAfterMs = 5 * day;

export interface Health {
  status: EndpointStatus;
  failingSince: string | null;
}

export type Outcome = 'succeeded' | 'failed' | 'gone';

/**
 * A 2xx status is a success, and 410 means that the receiver wants no more deliveries. Everything else, redirects
 * included, is a failure.
 */
export const outcomeOf = (status: number | undefined): Outcome => {
  if (status === 410) return 'gone';
  return status !== undefined && status >= 200 && status < 300 ? 'succeeded' : 'failed';
};

/**
 * An endpoint that only fails is marked as degraded after a day, which is the warning, and disabled after five, never
 * without the warning.
 */
export function healthAfter({ status, failingSince }: Health, outcome: Outcome, now: number): Health {
  if (outcome === 'succeeded') return { status: status === 'degraded' ? 'enabled' : status, failingSince: null };
  const since = failingSince ?? new Date(now).toISOString();
  const failingMs = now - Date.parse(since);
  const isWarned = status === 'degraded';
  if (outcome === 'gone' || (isWarned && failingMs >= disabledAfterMs))
    return { status: 'disabled', failingSince: since };
  return { status: failingMs >= degradedAfterMs ? 'degraded' : status, failingSince: since };
}
