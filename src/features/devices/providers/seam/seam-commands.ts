import type { CommandAnswer } from '../device-answers.js';
import { aimOf } from '../device-aim.js';
import type { DeviceOrder } from '../device-provider.js';
import { mayPass, type SeamAnswer, type SeamCall } from './seam-client.js';
import { apart, type Climate, climateOf, type SeamDevice } from './seam-devices.js';

/** A command as a request to Seam; undefined if the device does not support it with its current settings. */
export function requestOf(
  call: SeamCall,
  { providerDeviceId: device_id, action }: DeviceOrder,
  device: SeamDevice | undefined,
): Promise<SeamAnswer> | undefined {
  const properties = device?.properties ?? {};
  const climate = climateOf(properties);
  switch (action.operation) {
    case 'lockDevice':
      return call('locks/lock_door', { device_id });
    case 'unlockDevice':
      return call('locks/unlock_door', { device_id });
    case 'setDeviceTemperature': {
      const wanted = at(climate, action.temperature, apart(properties));
      return wanted && climateRequest(call, device_id, wanted);
    }
    case 'setDeviceMode':
      return climateRequest(call, device_id, { ...climate, mode: action.mode });
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
  call: SeamCall,
  device_id: string,
  { mode, heating: heating_set_point_celsius, cooling: cooling_set_point_celsius }: Climate,
): Promise<SeamAnswer> | undefined {
  switch (mode) {
    case 'off':
      return call('thermostats/off', { device_id });
    case 'heat':
      return call('thermostats/heat', { device_id, heating_set_point_celsius });
    case 'cool':
      return call('thermostats/cool', { device_id, cooling_set_point_celsius });
    case 'auto':
      return call('thermostats/heat_cool', { device_id, heating_set_point_celsius, cooling_set_point_celsius });
    case 'eco':
      return call('thermostats/set_hvac_mode', { device_id, hvac_mode_setting: 'eco' });
    case null:
      return undefined;
  }
}

/** The outcome according to the action attempt, which is Seam's own record of the command. */
export function answerOf(
  { action_attempt: attempt }: SeamAnswer,
  { providerDeviceId, action }: DeviceOrder,
): CommandAnswer {
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
      // Seam has stopped waiting, but the lock may still act.
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
