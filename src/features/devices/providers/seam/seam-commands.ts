import type { SeamHttp } from 'seam';
import type { CommandAnswer } from '../device-answers.js';
import { aimOf } from '../device-aim.js';
import type { DeviceOrder } from '../device-provider.js';
import { mayPass } from '../../../../devices/providers/seam/seam-client.js';
import { apart, type Climate, climateOf, type SeamDevice } from './seam-devices.js';

/** A command as a request of Seam's; undefined where the device does not do that as it is set. */
export function requestOf(
  seam: SeamHttp,
  { providerDeviceId: device_id, action }: DeviceOrder,
  device: SeamDevice | undefined,
): PromiseLike<unknown> | undefined {
  const properties = device?.properties ?? {};
  const climate = climateOf(properties);
  switch (action.operation) {
    case 'lockDevice':
      return seam.locks.lockDoor({ device_id });
    case 'unlockDevice':
      return seam.locks.unlockDoor({ device_id });
    case 'setDeviceTemperature': {
      const wanted = at(climate, action.temperature, apart(properties));
      return wanted && climateRequest(seam, device_id, wanted);
    }
    case 'setDeviceMode':
      return climateRequest(seam, device_id, { ...climate, mode: action.mode });
  }
}

/** The set points that have it keep a temperature in its mode; a thermostat that is off keeps none. */
function at({ mode, ...points }: Climate, temperature: number, apartBy: number): Climate | undefined {
  switch (mode) {
    case 'heat':
      return { mode, ...points, heating: temperature };
    case 'cool':
      return { mode, ...points, cooling: temperature };
    case 'auto':
      return { mode, heating: temperature - apartBy / 2, cooling: temperature + apartBy / 2 };
    case 'off':
    case 'eco':
    case null:
      return undefined;
  }
}

function climateRequest(
  seam: SeamHttp,
  device_id: string,
  { mode, heating: heating_set_point_celsius, cooling: cooling_set_point_celsius }: Climate,
): PromiseLike<unknown> | undefined {
  const { thermostats } = seam;
  switch (mode) {
    case 'off':
      return thermostats.off({ device_id });
    case 'heat':
      return thermostats.heat({ device_id, heating_set_point_celsius });
    case 'cool':
      return thermostats.cool({ device_id, cooling_set_point_celsius });
    case 'auto':
      return thermostats.heatCool({ device_id, heating_set_point_celsius, cooling_set_point_celsius });
    case 'eco':
      return thermostats.setHvacMode({ device_id, hvac_mode_setting: 'eco' });
    case null:
      return undefined;
  }
}

/** What an action attempt says about the command: it is Seam's own record of what became of it. */
export function answerOf(attempt: unknown, { providerDeviceId, action }: DeviceOrder): CommandAnswer {
  const { action_attempt_id: providerRef, status, error } = (attempt ?? {}) as Record<string, unknown>;
  if (typeof providerRef !== 'string') return { outcome: 'unknown' };
  switch (status) {
    case 'pending':
      return { outcome: 'accepted', providerRef };
    case 'success': {
      const report = { providerDeviceId, reportedAt: new Date().toISOString(), state: aimOf(action) };
      return { outcome: 'confirmed', providerRef, report };
    }
    case 'error': {
      const { type } = (error ?? {}) as { type?: unknown };
      // Seam stopped waiting, which the lock may not have.
      if (type === 'action_attempt_expired') return { outcome: 'unknown' };
      return {
        outcome: 'refused',
        retryable: typeof type !== 'string' || type === 'uncategorized_error' || mayPass(type),
      };
    }
    default:
      return { outcome: 'unknown' };
  }
}
