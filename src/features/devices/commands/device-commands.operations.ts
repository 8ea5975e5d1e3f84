import { one, operation, page } from '#operations';
import { ThisDevice } from '../device.dto.js';
import {
  DeviceCommandView,
  ListDeviceCommands,
  SetDeviceMode,
  SetDeviceTemperature,
  ThisDeviceCommand,
} from './device-command.dto.js';
import { isOpen } from './device-command.entity.js';
import { contractBroken, deviceIsBusy, nothingSent } from './device-commands.errors.js';
import {
  deviceIsArchived,
  modeNotOffered,
  operationNotOffered,
  remoteControlIsOff,
  temperatureOutOfRange,
} from '../devices.errors.js';

/** Returns 202 and Location if it is not settled after 10 seconds. */
const command = {
  output: one(DeviceCommandView),
  transaction: 'own',
  answersWithinSeconds: 20,
  status: 202,
  follow: ({ id, status }: DeviceCommandView): string | undefined =>
    isOpen({ status }) ? `/device-commands/${id}` : undefined,
} as const;

/** What each command may be refused with, before it is sent and by the device's provider. */
const refusals = [deviceIsArchived, deviceIsBusy, operationNotOffered, remoteControlIsOff, nothingSent, contractBroken];

const outcome =
  'Returns when the device has done it, or after 10 seconds with the command in progress. Never repeated automatically.';

export const lockDevice = operation({
  ...command,
  name: 'lockDevice',
  route: 'POST /devices/{deviceId}/lock',
  scope: 'devices:control',
  effect: 'write',
  reach: 'property',
  title: 'Lock a device',
  description: `Locks a lock. ${outcome}`,
  askedAs: 'close or lock up the door',
  everyday: true,
  refuses: refusals,
  input: ThisDevice,
});

export const unlockDevice = operation({
  ...command,
  name: 'unlockDevice',
  route: 'POST /devices/{deviceId}/unlock',
  scope: 'devices:control',
  effect: 'destructive',
  reach: 'property',
  title: 'Unlock a device',
  description: `Unlocks a lock; anybody can then enter. ${outcome}`,
  askedAs: 'open the door, let somebody in remotely',
  everyday: true,
  refuses: refusals,
  input: ThisDevice,
});

export const setDeviceTemperature = operation({
  ...command,
  name: 'setDeviceTemperature',
  route: 'POST /devices/{deviceId}/temperature',
  scope: 'devices:control',
  effect: 'write',
  reach: 'property',
  title: 'Set the temperature of a device',
  description: `Sets the target temperature of a thermostat in °C. ${outcome}`,
  askedAs: 'heating, degrees, make a room warmer or colder, freezing',
  everyday: true,
  refuses: [...refusals, temperatureOutOfRange],
  input: SetDeviceTemperature,
});

export const setDeviceMode = operation({
  ...command,
  name: 'setDeviceMode',
  route: 'POST /devices/{deviceId}/mode',
  scope: 'devices:control',
  effect: 'write',
  reach: 'property',
  title: 'Set the mode of a device',
  description: `Sets the heating or cooling mode of a thermostat. ${outcome}`,
  askedAs: 'heating, cooling, air conditioning on or off',
  everyday: true,
  refuses: [...refusals, modeNotOffered],
  input: SetDeviceMode,
});

export const getDeviceCommand = operation({
  name: 'getDeviceCommand',
  route: 'GET /device-commands/{commandId}',
  scope: 'devices:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a command to a device',
  description: 'Returns one command with its status and, if it did not succeed, the reason.',
  askedAs: 'did unlocking succeed, outcome',
  input: ThisDeviceCommand,
  output: one(DeviceCommandView),
});

export const listDeviceCommands = operation({
  name: 'listDeviceCommands',
  route: 'GET /device-commands',
  scope: 'devices:read',
  effect: 'read',
  reach: 'property',
  title: 'List commands to devices',
  description: 'Lists commands to devices, newest first, including those that were rejected before they were sent.',
  askedAs: 'history of locking, did a command fail, nothing happened',
  input: ListDeviceCommands,
  output: page(DeviceCommandView),
});
