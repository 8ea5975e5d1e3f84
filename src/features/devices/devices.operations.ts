import { connectionNotYours, referenceRefusals } from '../../tenancy/references/references.errors.js';
import { one, operation, page } from '#operations';
import {
  CountDevices,
  DeviceCountsView,
  DeviceReadingView,
  DeviceView,
  ListDeviceReadings,
  ListDevices,
  ThisDevice,
  UpdateDevice,
} from './device.dto.js';
import { deviceInUse } from './access-codes/access-codes.errors.js';
import { deviceIsArchived, unitWithoutProperty } from './devices.errors.js';
import { connectionIsOver } from '../../outside/connections/connections.errors.js';
import { propertyIsArchived, unitIsArchived } from '../../tenancy/properties/properties.errors.js';

/** What can be shown beside each record, by the field that names it. */
const beside = { unit: 'unitId', property: 'propertyId', tasks: 'unitId' };

export const listDevices = operation({
  name: 'listDevices',
  route: 'GET /devices',
  scope: 'devices:read',
  effect: 'read',
  reach: 'property',
  title: 'List devices',
  description: 'Lists locks, thermostats and sensors by property, connection, type and whether they are online.',
  askedAs: 'locks, thermostats, is a door locked, low batteries, heating',
  everyday: true,
  includes: beside,
  refuses: [connectionNotYours],
  input: ListDevices,
  output: page(DeviceView),
});

export const countDevices = operation({
  name: 'countDevices',
  route: 'GET /devices/counts',
  scope: 'devices:read',
  effect: 'read',
  reach: 'property',
  title: 'Count devices',
  description: 'Counts devices that are online and offline, up to 1,001 of each.',
  askedAs: 'how many locks or thermostats',
  input: CountDevices,
  output: one(DeviceCountsView),
});

export const getDevice = operation({
  name: 'getDevice',
  route: 'GET /devices/{deviceId}',
  scope: 'devices:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a device',
  description: 'Returns one device: its capabilities, its last reported state, and when it was reported.',
  askedAs: 'state of a lock, is it locked, battery, temperature',
  everyday: true,
  includes: beside,
  input: ThisDevice,
  output: one(DeviceView),
});

export const updateDevice = operation({
  name: 'updateDevice',
  route: 'PATCH /devices/{deviceId}',
  scope: 'devices:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a device',
  description: 'Renames a device, moves it to another place, or turns remote control of it on or off.',
  askedAs: 'rename, move to another room, allow remote control',
  refuses: [...referenceRefusals, deviceIsArchived, propertyIsArchived, unitIsArchived, unitWithoutProperty],
  input: UpdateDevice,
  output: one(DeviceView),
});

export const archiveDevice = operation({
  name: 'archiveDevice',
  route: 'POST /devices/{deviceId}/archive',
  scope: 'devices:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Archive a device',
  description:
    'Removes a device from lists and rejects commands to it. Rejected while access codes open it. restoreDevice brings it back.',
  askedAs: 'delete, retire',
  refuses: [deviceInUse],
  input: ThisDevice,
  output: one(DeviceView),
});

export const restoreDevice = operation({
  name: 'restoreDevice',
  route: 'POST /devices/{deviceId}/restore',
  scope: 'devices:write',
  effect: 'write',
  reach: 'property',
  title: 'Restore a device',
  description: 'Restores an archived device.',
  askedAs: 'bring back, use again',
  refuses: [connectionIsOver],
  input: ThisDevice,
  output: one(DeviceView),
});

export const listDeviceReadings = operation({
  name: 'listDeviceReadings',
  route: 'GET /devices/{deviceId}/readings',
  scope: 'devices:read',
  effect: 'read',
  reach: 'property',
  title: 'List readings of a device',
  description:
    'Lists the readings of a device from the last 30 days, newest first: one for every change of its state, battery or connectivity.',
  askedAs: 'history of temperature and battery',
  input: ListDeviceReadings,
  output: page(DeviceReadingView),
});
