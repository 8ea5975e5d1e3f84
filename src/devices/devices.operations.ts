import { one, operation, page } from '#operations';
import {
  DeviceReadingView,
  DeviceView,
  ListDeviceReadings,
  ListDevices,
  ThisDevice,
  UpdateDevice,
} from './device.dto.js';

export const listDevices = operation({
  name: 'listDevices',
  route: 'GET /devices',
  scope: 'devices:read',
  effect: 'read',
  reach: 'property',
  title: 'List devices',
  description: 'Locks, thermostats and sensors by property, connection, type and whether they are online.',
  input: ListDevices,
  output: page(DeviceView),
});

export const getDevice = operation({
  name: 'getDevice',
  route: 'GET /devices/{deviceId}',
  scope: 'devices:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a device',
  description: 'One device: what it offers, how it last said it is, and when it said so.',
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
  description: 'Renames a device, says where it is, or switches remote control of it on or off.',
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
    'Takes a device out of the lists and of reach of commands; refused while access codes open it. restoreDevice brings it back.',
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
  description: 'Brings an archived device back into the lists.',
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
  description: 'How a device was, newest first: a reading for every change of its state, battery or reach in 30 days.',
  input: ListDeviceReadings,
  output: page(DeviceReadingView),
});
