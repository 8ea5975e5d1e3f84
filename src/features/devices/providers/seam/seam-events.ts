import type { DeviceReport } from '../device-answers.js';
import type { PostedMessage } from '../device-provider.js';
import { climateOf, climateState, numberIn } from './seam-devices.js';

/** @returns undefined for what is not signed with the webhook's secret, or was more than five minutes ago. */
export async function verified(
  secret: string | undefined,
  { headers, body }: PostedMessage,
): Promise<object | undefined> {
  if (!secret) return undefined;
  const { SeamWebhook } = await import('seam');
  try {
    return new SeamWebhook(secret).verify(body.toString('utf8'), { ...headers });
  } catch {
    return undefined;
  }
}

/** What an event says of a device; nothing for events of other kinds. */
export function reportsOf(event: object): DeviceReport[] {
  const { device_id: providerDeviceId, occurred_at: reportedAt, ...rest } = event as Record<string, unknown>;
  if (typeof providerDeviceId !== 'string' || typeof reportedAt !== 'string' || isNaN(Date.parse(reportedAt)))
    return [];
  const said = saidBy(rest);
  return said ? [{ providerDeviceId, reportedAt, ...said }] : [];
}

function saidBy(event: Record<string, unknown>): Pick<DeviceReport, 'online' | 'batteryLevel' | 'state'> | undefined {
  switch (event.event_type) {
    case 'lock.locked':
      return { state: { lockState: 'locked' } };
    case 'lock.unlocked':
      return { state: { lockState: 'unlocked' } };
    case 'device.connected':
      return { online: true };
    case 'device.disconnected':
      return { online: false };
    case 'device.low_battery':
    case 'device.battery_status_changed': {
      const level = numberIn(event, 'battery_level');
      return level === undefined ? undefined : { batteryLevel: Math.round(level * 100) };
    }
    case 'thermostat.temperature_changed': {
      const temperature = numberIn(event, 'temperature_celsius');
      return temperature === undefined ? undefined : { state: { temperature } };
    }
    case 'thermostat.manually_adjusted':
      return { state: climateState(climateOf({ current_climate_setting: event })) };
    default:
      return undefined;
  }
}
