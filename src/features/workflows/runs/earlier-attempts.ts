import type { RunStep } from './run.entity.js';
import { tries } from './run-progress.service.js';
import { failedWith, type Failure, type InFlight } from './step-outcome.js';

/** Responses to idempotency keys are stored for a day, so a step that was left for longer might happen twice. */
const surelyKnownMs = 23 * 60 * 60_000;

/** The work that a step has started and waits for. A step that is to be retried has created nothing. */
export const inFlightOf = (entry: RunStep | undefined): InFlight['result'] | undefined =>
  entry?.status === 'waiting' ? (entry.result as InFlight['result'] | undefined) : undefined;

/** A step whose process died on each attempt, or whose outcome can no longer be determined. */
export function lostTrackOf(entry: RunStep | undefined): Failure | undefined {
  if (entry?.status !== 'running') return undefined;
  const isOld = Date.now() - Date.parse(entry.startedAt) > surelyKnownMs;
  if (!isOld && entry.attempts < tries.most) return undefined;
  const message =
    'The service was interrupted on every attempt at this step, so its outcome is unknown. Check the result, then retry.';
  return failedWith('OUTCOME_UNKNOWN', message, false);
}
