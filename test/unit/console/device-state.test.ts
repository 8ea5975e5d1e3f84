import { stateOf } from '../../../src/console/pages/device-state.js';
import { type DeviceState, unknownState } from '../../../src/features/devices/device.dto.js';

it.each<[Partial<DeviceState>, string]>([
  [{}, '–'],
  [{ lockState: 'locked' }, 'locked'],
  [{ isOpen: true }, 'open'],
  [{ isOpen: false }, 'closed'],
  [{ temperature: 0, targetTemperature: 21, humidity: 0 }, '0 °C, set to 21 °C, 0 % humidity'],
])('a device that reported %j shows as "%s"', (reported, shown) => {
  expect(stateOf({ state: { ...unknownState, ...reported } })).toBe(shown);
});
