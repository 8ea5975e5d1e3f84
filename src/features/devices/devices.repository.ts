import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Page } from '#operations';
import { called, containing, Cursors, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { referredTo } from '../../tenancy/references/referred-to.js';
import type { CountDevices, DeviceCountsView, ListDevices } from './device.dto.js';
import { Device } from './device.entity.js';

const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  name: { asc: 'name', desc: 'name' },
};

@Injectable()
export class DevicesRepository {
  private readonly table: Table<Device>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Device, cursors);
  }

  find(caller: Caller, deviceId: string, tail = ''): Promise<Device | undefined> {
    return this.table.findOne(caller.orgId, this.visibleTo(caller).and('id = ?', uuidIn(deviceId)), tail);
  }

  /** Those in units, archived ones aside. */
  inUnits(caller: Caller, unitIds: readonly string[]): Promise<Device[]> {
    const where = this.visibleTo(caller).and('unit_id = any(?::uuid[]) and archived_at is null', unitIds.map(uuidIn));
    return this.table.find(caller.orgId, where, 'order by id limit 1000');
  }

  /** For work that no request asked for. */
  findAny(orgId: string, deviceId: string): Promise<Device | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(deviceId)));
  }

  /** The same, locked until the transaction ends. */
  findAnyForChange(orgId: string, deviceId: string): Promise<Device | undefined> {
    return this.table.findOne(orgId, this.table.where(orgId).and('id = ?', uuidIn(deviceId)), 'for no key update');
  }

  /** Those with codes of stays, locked in one order. */
  lockWithCodesOf(orgId: string, reservationIds: readonly string[]): Promise<Device[]> {
    const withCodes = `id = any(array(select device_id from access_codes c where c.org_id = devices.org_id
      and c.reservation_id = any(?::uuid[]) and c.status not in ('removed', 'failed')))`;
    const where = this.table.where(orgId).and(withCodes, reservationIds.map(uuidIn));
    return this.table.find(orgId, where, 'order by id for no key update');
  }

  /** Those in a unit that take access codes, locked in one order. */
  takingCodesIn(orgId: string, unitId: string): Promise<Device[]> {
    const where = this.table.where(orgId).and('unit_id = ? and archived_at is null', uuidIn(unitId));
    where.and(`(capabilities ->> 'accessCodes')::boolean`);
    return this.table.find(orgId, where, 'order by id for no key update');
  }

  list(caller: Caller, filters: ListDevices): Promise<Page<Device>> {
    const { q, online, archived, updatedSince, limit, cursor, sort, externalId, connectionId, ...others } = filters;
    // Beside an external id, the connection is the one in which the device has it.
    const isReferred = externalId !== undefined;
    const where = this.filtered(caller, isReferred ? others : { ...others, connectionId })
      .searching(q && containing(q), called('devices'))
      .when(online, 'online = ?')
      .since(updatedSince);
    if (archived !== undefined || updatedSince === undefined)
      where.and(`archived_at is ${archived ? 'not null' : 'null'}`);
    if (isReferred) referredTo(where, 'device', { externalId, connectionId });
    return this.table.page(caller.orgId, where, { limit, cursor, sort }, sortable);
  }

  async count(caller: Caller, filters: CountDevices): Promise<DeviceCountsView> {
    const where = this.filtered(caller, filters).and('archived_at is null');
    return await this.table.counts(caller.orgId, where, { online: 'online', offline: 'not online' });
  }

  /** All that a connection brought, or those that its provider calls so, locked in one order. */
  ofConnection(orgId: string, connectionId: string, providerDeviceIds?: readonly string[]): Promise<Device[]> {
    const where = this.table
      .where(orgId)
      .and('connection_id = ?', uuidIn(connectionId))
      .when(providerDeviceIds, 'provider_device_id = any(?)');
    return this.table.find(orgId, where, 'order by id for no key update');
  }

  insert(device: Device): Promise<Device> {
    return this.table.insert(device);
  }

  update(device: Device, changes: Partial<Device>): Promise<Device> {
    return this.table.update(device, changes);
  }

  /** The device repeated its last report: only the age of its state changes, which is not a new version. */
  confirmState({ orgId, id }: Device, reportedAt: string): void {
    const text = 'update devices set state_reported_at = $3 where org_id = $1 and id = $2';
    this.database.defer(orgId, text, [uuidIn(orgId), uuidIn(id), reportedAt]);
  }

  private filtered(caller: Caller, { type, propertyId, unitId, connectionId }: CountDevices): Where {
    return this.visibleTo(caller)
      .when(type, 'type = ?')
      .when(propertyId && uuidIn(propertyId), 'property_id = ?')
      .when(unitId && uuidIn(unitId), 'unit_id = ?')
      .when(connectionId && uuidIn(connectionId), 'connection_id = ?');
  }

  /** A credential that is limited to some properties sees the devices at them, and none that is nowhere. */
  private visibleTo({ orgId, propertyIds }: Caller): Where {
    return this.table.where(orgId).when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
  }
}
