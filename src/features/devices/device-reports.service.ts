import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import { afterReport } from './device-condition.js';
import type { Device } from './device.entity.js';
import { DevicesRepository } from './devices.repository.js';
import type { DeviceReport } from './providers/device-answers.js';
import { DeviceReadingsRepository } from './readings/device-readings.repository.js';

/** Records the reports of devices: queried, after a command, or pushed. */
@Injectable()
export class DeviceReports {
  constructor(
    private readonly database: TenantDatabase,
    private readonly devices: DevicesRepository,
    private readonly readings: DeviceReadingsRepository,
    private readonly events: EventsService,
  ) {}

  /** Records what was pushed on a connection, in its own transaction; unknown devices are skipped. */
  async receive(orgId: string, connectionId: string, reports: readonly DeviceReport[]): Promise<void> {
    await this.database.transaction(orgId, async () => {
      const names = reports.map(({ providerDeviceId }) => providerDeviceId);
      const devices = await this.devices.ofConnection(orgId, connectionId, names);
      for (const report of reports) {
        const device = devices.find(({ providerDeviceId }) => providerDeviceId === report.providerDeviceId);
        if (device) await this.take(device, report);
      }
    });
  }

  /**
   * Reports of an archived device are ignored: it keeps its state until it is restored.
   *
   * @param device locked by the current transaction.
   * @returns whether anything but the age of its state changed.
   */
  async take(device: Device, report: DeviceReport): Promise<boolean> {
    if (device.archivedAt) return false;
    const noticed = afterReport(device, report, new Date());
    if (!noticed) return false;
    const { condition, happened } = noticed;
    if (happened.length === 0 && condition.batteryLevel === device.batteryLevel) {
      this.devices.confirmState(device, condition.stateReportedAt as string);
      return false;
    }
    const before = await this.devices.update(device, condition);
    this.readings.note(device);
    for (const type of happened) this.events.record({ orgId: device.orgId }, type, device, before);
    return true;
  }
}
