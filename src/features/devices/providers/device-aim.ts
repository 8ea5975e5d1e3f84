import type { DeviceState } from '../../../devices/device.dto.js';
import type { CommandAnswer } from './device-answers.js';
import type { DeviceAction, DeviceInquiry } from './device-provider.js';

/** What a device says of itself once it has done what it was told. */
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

/** Devices keep temperatures in steps, and some in °F. */
const roundingCelsius = 0.5;

export function isReached(action: DeviceAction, state: Partial<DeviceState> = {}): boolean {
  return Object.entries(aimOf(action)).every(([name, aim]) => {
    const value = state[name as keyof DeviceState];
    if (typeof aim === 'number') return typeof value === 'number' && Math.abs(value - aim) < roundingCelsius;
    return value === aim;
  });
}

/** A command that shows no effect so long after it was sent may still have been lost, or come later: nobody can tell. */
const showsWithinMs = 60_000;

/** The answer to an inquiry while nothing shows that the command took effect. */
export const notSeen = ({ sentAt }: DeviceInquiry): CommandAnswer =>
  Date.now() < Date.parse(sentAt) + showsWithinMs ? { outcome: 'accepted' } : { outcome: 'unknown' };
