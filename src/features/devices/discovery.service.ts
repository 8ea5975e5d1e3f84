import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { newId } from '#persistence';
import type { SyncCounts } from '../../outside/connections/connection.dto.js';
import type { Connection } from '../../outside/connections/connection.entity.js';
import { EventsService } from '../../platform/events/events.service.js';
import { connectionHasCodes } from './access-codes/access-codes.errors.js';
import { codeFailed } from './access-codes/access-codes.events.js';
import { AccessCodesRepository } from './access-codes/access-codes.repository.js';
import { afterReport, isLow } from './device-condition.js';
import { DeviceReports } from './device-reports.service.js';
import { unknownState } from './device.dto.js';
import { Device } from './device.entity.js';
import { deviceArchived, deviceBatteryLow, deviceDiscovered, deviceUpdated } from './devices.events.js';
import { DevicesRepository } from './devices.repository.js';
import type { FoundDevice } from './providers/device-answers.js';
import { DeviceReadingsRepository } from './readings/device-readings.repository.js';

/** Records what a provider lists: new devices, changes of known ones, and missing ones. */
@Injectable()
export class DiscoveryService {
  constructor(
    private readonly devices: DevicesRepository,
    private readonly readings: DeviceReadingsRepository,
    private readonly codes: AccessCodesRepository,
    private readonly reports: DeviceReports,
    private readonly events: EventsService,
  ) {}

  async take(caller: Caller, connection: Connection, found: readonly FoundDevice[]): Promise<SyncCounts> {
    const counts = { created: 0, updated: 0, cancelled: 0, unchanged: 0 };
    const known = await this.devices.ofConnection(caller.orgId, connection.id);
    for (const one of found) {
      const device = known.find(({ providerDeviceId }) => providerDeviceId === one.providerDeviceId);
      if (!device) await this.add(caller, connection, one);
      counts[!device ? 'created' : (await this.follow(caller, device, one)) ? 'updated' : 'unchanged'] += 1;
    }
    for (const device of known) {
      if (found.some(({ providerDeviceId }) => providerDeviceId === device.providerDeviceId)) continue;
      counts[(await this.lose(device)) ? 'cancelled' : 'unchanged'] += 1;
    }
    return counts;
  }

  /**
   * Devices of an ended connection respond to nobody; they are kept with their history. Their codes can no longer be
   * removed, so ending the connection is rejected while there are some, unless it is forced.
   */
  async release({ orgId, id }: Connection, isForced: boolean): Promise<void> {
    const devices = await this.devices.ofConnection(orgId, id);
    const codes = await this.codes.liveOfConnection(orgId, id);
    if (codes.length > 0 && !isForced) throw connectionHasCodes(codes.map((code) => code.id));
    for (const code of codes) {
      const before = await this.codes.update(code, {
        status: 'failed',
        failedBecause: 'connection_ended',
        dueAt: null,
      });
      this.events.record({ orgId }, codeFailed, code, before);
    }
    for (const device of devices) {
      if (device.archivedAt) continue;
      const before = await this.devices.update(device, { archivedAt: new Date().toISOString() });
      this.events.record({ orgId }, deviceArchived, device, before);
    }
  }

  private async add({ orgId }: Caller, connection: Connection, found: FoundDevice): Promise<void> {
    const { report, ...given } = found;
    const now = new Date();
    const device = Object.assign(new Device(), {
      ...given,
      orgId,
      id: newId('device'),
      connectionId: connection.id,
      propertyId: connection.propertyId,
      unitId: null,
      online: report.online ?? true,
      batteryLevel: null,
      state: unknownState,
      stateReportedAt: null,
      remoteControlEnabled: true,
      externalRefs: [],
      archivedAt: null,
      version: 1,
      createdAt: now.toISOString(),
      updatedAt: now.toISOString(),
    });
    Object.assign(device, afterReport(device, report, now)?.condition);
    await this.devices.insert(device);
    this.readings.note(device);
    this.events.record({ orgId }, deviceDiscovered, device);
    if (isLow(device.batteryLevel)) this.events.record({ orgId }, deviceBatteryLow, device, device);
  }

  /** The name is ours once the device is known; its capabilities are the provider's. */
  private async follow({ orgId }: Caller, device: Device, found: FoundDevice): Promise<boolean> {
    if (device.archivedAt) return false;
    const isOther = !isDeepStrictEqual(offerOf(found), offerOf(device));
    if (isOther) {
      const before = await this.devices.update(device, offerOf(found));
      this.events.record({ orgId }, deviceUpdated, device, before);
    }
    return (await this.reports.take(device, found.report)) || isOther;
  }

  private lose(device: Device): Promise<boolean> {
    const { providerDeviceId } = device;
    return this.reports.take(device, { providerDeviceId, reportedAt: new Date().toISOString(), online: false });
  }
}

const offerOf = ({ type, manufacturer, model, capabilities, limits }: Device | FoundDevice) => ({
  type,
  manufacturer,
  model,
  capabilities,
  limits,
});
