import { event } from '../../platform/events/event-type.js';
import { DeviceView } from './device.dto.js';

const device = { subject: 'device', scope: 'devices:read' as const, data: DeviceView };

export const deviceDiscovered = event('device.discovered', {
  ...device,
  kind: 'opening',
  description: 'A connection discovered a device.',
});
export const deviceUpdated = event('device.updated', {
  ...device,
  description: 'The name, place, remote control or capabilities of a device changed.',
});
export const deviceArchived = event('device.archived', {
  ...device,
  description: 'A device was archived.',
});
export const deviceRestored = event('device.restored', {
  ...device,
  description: 'An archived device was restored.',
});
export const deviceStateChanged = event('device.state_changed', {
  ...device,
  description: "The device's state changed.",
});
export const deviceWentOffline = event('device.went_offline', {
  ...device,
  description: 'A device went offline.',
});
export const deviceCameOnline = event('device.came_online', {
  ...device,
  description: 'A device is online again.',
});
export const deviceBatteryLow = event('device.battery_low', {
  ...device,
  kind: 'occurrence',
  description: 'The battery of a device fell to 20 percent or below.',
});
