import type { ServiceError } from '#errors';
import type { CommandAnswer } from '../providers/device-answers.js';
import { type DeviceCommand, isPast } from './device-command.entity.js';
import {
  contractBroken,
  nothingSent,
  outcomeUnknown,
  providerRefused,
  refusedBecause,
  waitedInVain,
} from './device-commands.errors.js';

export type Settled = Partial<DeviceCommand> &
  Pick<DeviceCommand, 'error'> & { status: 'refused' | 'succeeded' | 'failed' | 'unknown' };

/** No contact and no trace but the row: its key is free, and a retry runs it again. */
const keyless = { sentAt: null, principal: null, idempotencyKey: null };

export const neverSent: Settled = { status: 'failed', error: nothingSent, ...keyless };

/** The error of a command that waited and will not be sent. */
export const leftUnsent = (command: DeviceCommand): Settled =>
  isPast(command) ? { ...neverSent, error: waitedInVain } : neverSent;

export const refusedFor = (refusal: ServiceError): Settled => ({
  status: 'refused',
  error: refusedBecause(refusal),
  ...keyless,
});

export const staysUnknown: Settled = { status: 'unknown', error: outcomeUnknown };

/**
 * The new state of a command after its answer; pure.
 *
 * @param answer undefined if the adapter broke the port's contract.
 * @returns undefined while the outcome is open, so that the service inquires.
 */
export function settledBySending(answer: CommandAnswer | undefined): Settled | undefined {
  if (!answer) return { status: 'unknown', error: contractBroken };
  if (answer.outcome === 'unreachable') return neverSent;
  return answer.outcome === 'unknown' ? undefined : settledBy(answer);
}

/**
 * The same for an answer to an inquiry: an unreachable device leaves the command open, and an unknown outcome is final.
 */
export function settledByInquiry(answer: CommandAnswer | undefined): Settled | undefined {
  if (!answer || answer.outcome === 'unknown') return staysUnknown;
  return answer.outcome === 'unreachable' ? undefined : settledBy(answer);
}

function settledBy(
  answer: Exclude<CommandAnswer, { outcome: 'unreachable' } | { outcome: 'unknown' }>,
): Settled | undefined {
  switch (answer.outcome) {
    case 'confirmed':
      return { status: 'succeeded', error: null };
    case 'refused':
      return { status: 'failed', error: providerRefused(answer.retryable) };
    case 'accepted':
      return undefined;
  }
}
