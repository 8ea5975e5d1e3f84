import type { DeviceState } from '../device.dto.js';
import type { CommandAnswer } from './device-answers.js';
import type { DeviceAction, DeviceInquiry } from './device-provider.js';

/** The reported state of a device after a command has taken effect. */
export function aimOf(action: DeviceAction): Partial<DeviceState> {
  switch (action.operation) {
    case 'lockDevice':
      return { lockState: 'locked' };
    case 'unlockDevice':
      return { lockState: 'unlocked' };
    case 'setDeviceTemperature':
      return { targetTemperature: action.temperature };
    case 'setDeviceMode':
      return { mode: action.mode };
  }
}

/** Devices store temperatures in steps, and some in °F. */
const roundingCelsius = 0.5;

export function isReached(action: DeviceAction, state: Partial<DeviceState> = {}): boolean {
  return Object.entries(aimOf(action)).every(([name, aim]) => {
    const value = state[name as keyof DeviceState];
    if (typeof aim === 'number') return typeof value === 'number' && Math.abs(value - aim) < roundingCelsius;
    return value === aim;
  });
}

/**
 * If a command shows no effect this long after sending, it may have been lost or come later: the outcome is unknown.
 */
const showsWithinMs = 60_000;

/** The answer to an inquiry while nothing shows that the command took effect. */
export const notSeen = ({ sentAt }: DeviceInquiry): CommandAnswer =>
  Date.now() < Date.parse(sentAt) + showsWithinMs ? { outcome: 'accepted' } : { outcome: 'unknown' };
