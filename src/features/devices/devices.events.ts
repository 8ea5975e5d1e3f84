import { event } from '../../platform/events/event-type.js';
import { remains, setBackBy, undoneBy } from '../../platform/events/undo.js';
import { OmitType } from '#operations';
import { DeviceView } from './device.dto.js';

/** Readers of events need not be allowed to see references. */
export class DeviceEventData extends OmitType(DeviceView, ['externalRefs'] as const) {}

const reported = remains('The device reported it.');

const device = { subject: 'device', scope: 'devices:read' as const, data: DeviceEventData };

export const deviceDiscovered = event('device.discovered', {
  ...device,
  kind: 'opening',
  description: 'A connection discovered a device.',
  undo: remains('The connection still has the device.'),
});
export const deviceUpdated = event('device.updated', {
  ...device,
  description: 'The name, place, remote control or capabilities of a device changed.',
  undo: setBackBy('updateDevice', { deviceId: 'id' }),
});
export const deviceArchived = event('device.archived', {
  ...device,
  description: 'A device was archived.',
  undo: undoneBy('restoreDevice', ({ id }) => ({ deviceId: id })),
});
export const deviceRestored = event('device.restored', {
  ...device,
  description: 'An archived device was restored.',
  undo: undoneBy('archiveDevice', ({ id }) => ({ deviceId: id })),
});
export const deviceStateChanged = event('device.state_changed', {
  ...device,
  description: "The device's state changed.",
  undo: reported,
});
export const deviceWentOffline = event('device.went_offline', {
  ...device,
  description: 'A device went offline.',
  undo: reported,
});
export const deviceCameOnline = event('device.came_online', {
  ...device,
  description: 'A device is online again.',
  undo: reported,
});
export const deviceBatteryLow = event('device.battery_low', {
  ...device,
  kind: 'occurrence',
  description: 'The battery of a device fell to 20 percent or below.',
  undo: reported,
});
