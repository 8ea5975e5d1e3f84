import { isDeepStrictEqual } from 'node:util';
import type { ChangeType } from '../../platform/events/event-type.js';
import type { Device } from './device.entity.js';
import {
  deviceBatteryLow,
  deviceCameOnline,
  type DeviceEventData,
  deviceStateChanged,
  deviceWentOffline,
} from './devices.events.js';
import { type DeviceReport, isReport } from './providers/device-answers.js';

/** Percent. */
const lowBattery = 20;

export interface Noticed {
  condition: Pick<Device, 'online' | 'batteryLevel' | 'state' | 'stateReportedAt'>;
  /** The events to record; none if the condition of the device did not change. */
  happened: ChangeType<DeviceEventData>[];
}

/**
 * The state of a device after a report: pure.
 *
 * @returns undefined for a report that is older than the last one, or breaks the port's contract. A last report from
 * the future is ignored.
 */
export function afterReport(device: Device, report: DeviceReport, now: Date): Noticed | undefined {
  if (!isReport(report)) return undefined;
  const reportedAt = new Date(report.reportedAt).toISOString();
  const last = device.stateReportedAt;
  if (last !== null && reportedAt < last && last <= now.toISOString()) return undefined;
  const { online, batteryLevel } = device;
  const condition = {
    online: report.online ?? online,
    batteryLevel: report.batteryLevel === undefined ? batteryLevel : report.batteryLevel,
    state: { ...device.state, ...report.state },
    stateReportedAt: reportedAt,
  };
  const happened = [
    ...(online && !condition.online ? [deviceWentOffline] : []),
    ...(!online && condition.online ? [deviceCameOnline] : []),
    ...(isLow(condition.batteryLevel) && !isLow(batteryLevel) ? [deviceBatteryLow] : []),
    ...(isDeepStrictEqual(condition.state, device.state) ? [] : [deviceStateChanged]),
  ];
  return { condition, happened };
}

export const isLow = (batteryLevel: number | null): boolean => batteryLevel !== null && batteryLevel <= lowBattery;
