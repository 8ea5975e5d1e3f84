import { event } from '../../platform/events/event-type.js';
import { DeviceView } from '../../devices/device.dto.js';

const device = { subject: 'device', scope: 'devices:read' as const, data: DeviceView };

export const deviceDiscovered = event('device.discovered', {
  ...device,
  tells: 'opening',
  says: 'A connection brought a device.',
});
export const deviceUpdated = event('device.updated', {
  ...device,
  says: 'A device was renamed, placed or switched, or offers something else than before.',
});
export const deviceArchived = event('device.archived', { ...device, says: 'A device was taken out of the lists.' });
export const deviceRestored = event('device.restored', { ...device, says: 'An archived device was brought back.' });
export const deviceStateChanged = event('device.state_changed', {
  ...device,
  says: 'A device is not as it was: locked, warmer, in another mode.',
});
export const deviceWentOffline = event('device.went_offline', {
  ...device,
  says: 'A device is out of its provider’s reach.',
});
export const deviceCameOnline = event('device.came_online', { ...device, says: 'A device is within reach again.' });
export const deviceBatteryLow = event('device.battery_low', {
  ...device,
  tells: 'occurrence',
  says: 'The battery of a device fell to 20 percent or below.',
});
