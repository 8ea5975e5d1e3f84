import type { DeviceCapabilities, DeviceLimits, DeviceState, DeviceType } from '../device.dto.js';

/**
 * The closed set that a provider's adapter answers a command with; a vendor's errors and words end in the adapter.
 *
 * - `confirmed`: it has taken effect.
 * - `accepted`: the provider has it and will say later how it went; it is inquired about until then.
 * - `refused`: the provider did not do it and will not; `retryable` says whether the same may work later.
 * - `unreachable`: nothing was sent. An adapter that may have sent a single byte of the command answers `unknown`.
 * - `unknown`: it may have taken effect, and the answer is lost or unreadable.
 */
export type CommandAnswer =
  | { outcome: 'confirmed'; providerRef?: string; report?: DeviceReport }
  | { outcome: 'accepted'; providerRef?: string }
  | Failure;

export type Failure = { outcome: 'refused'; retryable: boolean } | { outcome: 'unreachable' } | { outcome: 'unknown' };

/** The result of reading from a provider: the value, or why there is no value. */
export type Read<T> = { outcome: 'read'; value: T } | Failure;

/** Like a command's answer; if the provider refuses a code and says why, it includes the broken rule. */
export type CodeAnswer =
  | { outcome: 'confirmed' | 'accepted'; providerRef: string }
  | (Failure & { reason?: 'duplicate' | 'no-free-slot' | 'not-allowed' });

/** A device as its provider lists it. */
export interface FoundDevice {
  providerDeviceId: string;
  name: string;
  type: DeviceType;
  manufacturer: string | null;
  model: string | null;
  capabilities: DeviceCapabilities;
  limits: DeviceLimits;
  report: DeviceReport;
}

/** A device's report about itself; values that it leaves out did not change. */
export interface DeviceReport {
  providerDeviceId: string;
  /** When the device reported it, RFC 3339. A report that is older than the last one is ignored. */
  reportedAt: string;
  online?: boolean;
  /** Percent, 0 to 100. */
  batteryLevel?: number | null;
  state?: Partial<DeviceState>;
}

/** An access code as its provider has it. */
export interface FoundCode {
  providerRef: string;
  name: string;
  /** The digits, if the provider shows them. */
  code: string | null;
  startsAt: string | null;
  endsAt: string | null;
  /** Whether it already works at the device, or has yet to reach it. */
  isSet: boolean;
}

/** Whether a report is valid; its other content is the adapter's responsibility. */
export const isReport = ({ reportedAt, batteryLevel = null }: DeviceReport): boolean =>
  !Number.isNaN(Date.parse(reportedAt)) &&
  (batteryLevel === null || (Number.isInteger(batteryLevel) && batteryLevel >= 0 && batteryLevel <= 100));

const outcomes = ['confirmed', 'accepted', 'refused', 'unreachable', 'unknown'];

/**
 * Checks an adapter's answer against the port at run time: only answers of this set are passed on.
 *
 * @returns undefined for an answer that breaks the contract.
 */
export function readCommandAnswer(answer: unknown): CommandAnswer | undefined {
  if (typeof answer !== 'object' || answer === null) return undefined;
  const { outcome, retryable, providerRef } = answer as Record<string, unknown>;
  const isOfTheSet =
    outcomes.includes(outcome as string) &&
    (outcome !== 'refused' || typeof retryable === 'boolean') &&
    (providerRef === undefined || typeof providerRef === 'string');
  return isOfTheSet ? (answer as CommandAnswer) : undefined;
}
