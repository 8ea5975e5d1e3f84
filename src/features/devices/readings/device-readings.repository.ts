import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, newId, Table, TenantDatabase, uuidIn } from '#persistence';
import type { ListDeviceReadings } from '../device.dto.js';
import type { Device } from '../device.entity.js';
import { DeviceReading } from './device-reading.entity.js';

const keptMs = 30 * 24 * 60 * 60_000;

/** Readings are reached through their device, which the credential must see. */
@Injectable()
export class DeviceReadingsRepository {
  private readonly table: Table<DeviceReading>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, DeviceReading, cursors);
  }

  list(
    orgId: string,
    { deviceId, from, before, limit, cursor, sort }: ListDeviceReadings,
  ): Promise<Page<DeviceReading>> {
    const where = this.table
      .where(orgId)
      .and('device_id = ?', uuidIn(deviceId))
      .whenWithin(from, 'reported_at >= ?::timestamptz')
      .whenWithin(before, 'reported_at < ?::timestamptz');
    return this.table.page(orgId, where, { limit, cursor, sort });
  }

  /** Notes how a device is now, and forgets how it was more than 30 days ago. */
  note({ orgId, id: deviceId, online, batteryLevel, state, stateReportedAt }: Device): void {
    const now = Date.now();
    const reportedAt = stateReportedAt ?? new Date(now).toISOString();
    this.table.insertAtCommit(
      Object.assign(new DeviceReading(), {
        orgId,
        id: newId('reading'),
        deviceId,
        reportedAt,
        online,
        batteryLevel,
        state,
      }),
    );
    this.database.defer(
      orgId,
      'delete from device_readings where org_id = $1 and device_id = $2 and reported_at < $3',
      [uuidIn(orgId), uuidIn(deviceId), new Date(now - keptMs).toISOString()],
    );
  }
}
