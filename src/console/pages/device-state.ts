import type { DeviceView } from '../../features/devices/device.dto.js';

/** The last report of a device, in a few words. */
export function stateOf({
  state: { lockState, temperature, targetTemperature, humidity, isOpen },
}: Pick<DeviceView, 'state'>) {
  const parts = [
    lockState,
    temperature !== null && `${temperature} °C`,
    targetTemperature !== null && `set to ${targetTemperature} °C`,
    humidity !== null && `${humidity} % humidity`,
    isOpen !== null && (isOpen ? 'open' : 'closed'),
  ].filter(Boolean);
  return parts.length > 0 ? parts.join(', ') : '–';
}
