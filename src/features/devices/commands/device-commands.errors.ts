import { cannotBeApplied, conflict, forbidden, recordNotFound, ServiceError } from '#errors';
import type { StoredError } from './device-command.dto.js';
import type { DeviceCommand } from './device-command.entity.js';

export const commandNotFound = recordNotFound('command', 'listDeviceCommands', 'device command');

export const keyUsedForAnother = () =>
  cannotBeApplied('This Idempotency-Key was used for a different command. Use a new key for a new command.');

/** Not stored for idempotent retries, which may find the device free. */
export function deviceIsBusy(open: number): ServiceError {
  const { status, code, message } = conflict(
    'DEVICE_BUSY',
    `The device already has ${open} pending commands, the maximum. Send this one again when some have finished.`,
  );
  return new ServiceError({ status, code, message, headers: { 'Retry-After': '5' } });
}

export const mayNoLonger = () =>
  forbidden(
    'The command was not sent: its credential has ended or may no longer control the device. Use another credential.',
  );

/** Rejected by the service, before any contact. */
export const refusedBecause = ({ status, code, details, message }: ServiceError): StoredError => ({
  status,
  code: (details.key as string | undefined) ?? code,
  retryable: false,
  message,
});

const provider = { status: 502, code: 'CONNECTOR_ERROR' };

export const providerRefused = (retryable: boolean): StoredError => ({
  ...provider,
  retryable,
  message: retryable
    ? 'The provider temporarily rejected the command; the device did not change. A retry can help: send it again later with a new Idempotency-Key.'
    : 'The provider rejected the command; the device did not change. A retry does not help until something changes at the device or the provider.',
});

export const nothingSent: StoredError = {
  ...provider,
  retryable: true,
  message: 'The provider was unreachable, so nothing was sent. A retry can help: send the command again in a moment.',
};

/** It waited so long that the person is no longer at the door. */
export const waitedInVain: StoredError = {
  ...provider,
  retryable: true,
  message:
    'The command waited a minute for other commands and was not sent. A retry can help: send it again if it is still needed.',
};

export const outcomeUnknown: StoredError = {
  ...provider,
  retryable: false,
  message:
    'The outcome is unknown: the provider’s response was lost, and the command may have taken effect. Read the device before you retry, and then use a new Idempotency-Key.',
};

/** The provider was contacted, and its adapter returned an answer that no adapter may give. */
export const contractBroken: StoredError = {
  status: 500,
  code: 'NON_RETRYABLE',
  retryable: false,
  message:
    'The provider’s response could not be interpreted, and the command may have taken effect. Do not retry it; read the device first.',
};

/** The error response of a command. If nothing was sent it is not stored for retries, which then run again. */
export function errorOf({ status, sentAt, error }: DeviceCommand): ServiceError | undefined {
  if (!error) return undefined;
  const isRejection = error.status === 400;
  return new ServiceError({
    status: error.status,
    code: isRejection ? undefined : error.code,
    message: error.message,
    details: isRejection ? { key: error.code } : {},
    deterministic: status === 'refused' || sentAt !== null,
  });
}
