import { Webhook } from 'standardwebhooks';
import type { DeviceReport } from '../device-answers.js';
import type { PostedMessage } from '../device-provider.js';
import { climateOf, climateState, numberIn } from './seam-devices.js';

/** Seam sends with Svix, which has its own names for the headers of Standard Webhooks. */
const svixHeader = /^svix-/i;

/**
 * @returns undefined for a message that the webhook's secret did not sign, or that was sent more than five minutes ago.
 */
export function verified(secret: string | undefined, { headers, body }: PostedMessage): object | undefined {
  if (!secret) return undefined;
  const standard = Object.entries(headers).map(([name, value]) => [name.replace(svixHeader, 'webhook-'), value]);
  try {
    return new Webhook(secret).verify(
      body.toString('utf8'),
      Object.fromEntries(standard) as Record<string, string>,
    ) as object;
  } catch {
    return undefined;
  }
}

/** A device's report from an event; nothing for other kinds of events. */
export function reportsOf(event: object): DeviceReport[] {
  const { device_id: providerDeviceId, occurred_at: reportedAt, ...rest } = event as Record<string, unknown>;
  if (typeof providerDeviceId !== 'string' || typeof reportedAt !== 'string' || isNaN(Date.parse(reportedAt)))
    return [];
  const report = reportOf(rest);
  return report ? [{ providerDeviceId, reportedAt, ...report }] : [];
}

function reportOf(event: Record<string, unknown>): Pick<DeviceReport, 'online' | 'batteryLevel' | 'state'> | undefined {
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
