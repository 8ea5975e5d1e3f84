import type { ServiceError } from '#errors';
import type { Device } from './device.entity.js';
import {
  deviceIsArchived,
  modeNotOffered,
  operationNotOffered,
  remoteControlIsOff,
  temperatureOutOfRange,
} from './devices.errors.js';
import type { DeviceAction } from './providers/device-provider.js';

/**
 * Whether a command may be sent to a device (specification, Device command refusals): pure, and before any contact.
 *
 * @returns why it is rejected; undefined if it may be sent.
 */
export function refusalOf(
  device: Device,
  organization: { remoteControlEnabled: boolean },
  action: DeviceAction,
): ServiceError | undefined {
  if (device.archivedAt) return deviceIsArchived();
  if (!organization.remoteControlEnabled) return remoteControlIsOff('organization');
  if (!device.remoteControlEnabled) return remoteControlIsOff('device');
  if (!device.capabilities[action.operation]) return operationNotOffered();
  return limitBrokenBy(action, device);
}

function limitBrokenBy(action: DeviceAction, { limits }: Device): ServiceError | undefined {
  const { minTemperature, maxTemperature, modes } = limits;
  switch (action.operation) {
    case 'setDeviceTemperature': {
      const isTooCold = minTemperature !== null && action.temperature < minTemperature;
      const isTooWarm = maxTemperature !== null && action.temperature > maxTemperature;
      return isTooCold || isTooWarm ? temperatureOutOfRange() : undefined;
    }
    case 'setDeviceMode':
      return modes.includes(action.mode) ? undefined : modeNotOffered();
    case 'lockDevice':
    case 'unlockDevice':
      return undefined;
  }
}
