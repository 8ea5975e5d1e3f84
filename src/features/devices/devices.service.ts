import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import type { Page } from '#operations';
import { ConnectionAccounts } from '../../outside/connections/connection-accounts.js';
import { connectionIsOver } from '../../outside/connections/connections.errors.js';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import { propertyIsArchived } from '../../tenancy/properties/properties.errors.js';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import { References } from '../../tenancy/references/references.service.js';
import { UnitsService } from '../../tenancy/units/units.service.js';
import { deviceInUse } from './access-codes/access-codes.errors.js';
import { AccessCodesRepository } from './access-codes/access-codes.repository.js';
import { CodeFollower } from './access-codes/code-follower.service.js';
import type {
  CountDevices,
  DeviceCountsView,
  ListDeviceReadings,
  ListDevices,
  ThisDevice,
  UpdateDevice,
} from './device.dto.js';
import type { Device } from './device.entity.js';
import { deviceIsArchived, deviceNotFound, propertyMustBeNamed, unitWithoutProperty } from './devices.errors.js';
import { deviceArchived, type DeviceEventData, deviceRestored, deviceUpdated } from './devices.events.js';
import { DevicesRepository } from './devices.repository.js';
import type { DeviceReading } from './readings/device-reading.entity.js';
import { DeviceReadingsRepository } from './readings/device-readings.repository.js';

@Injectable()
export class DevicesService {
  constructor(
    private readonly devices: DevicesRepository,
    private readonly readings: DeviceReadingsRepository,
    private readonly accounts: ConnectionAccounts,
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
    private readonly codes: AccessCodesRepository,
    private readonly follower: CodeFollower,
    private readonly references: References,
    private readonly events: EventsService,
  ) {}

  async list(caller: Caller, input: ListDevices): Promise<Page<Device>> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    if (input.externalId !== undefined) await this.references.admit(caller, input);
    return await this.devices.list(caller, input);
  }

  async count(caller: Caller, input: CountDevices): Promise<DeviceCountsView> {
    if (input.propertyId) await this.properties.get(caller, input.propertyId);
    return await this.devices.count(caller, input);
  }

  async get(caller: Caller, { deviceId }: ThisDevice): Promise<Device> {
    const device = await this.devices.find(caller, deviceId);
    if (!device) throw deviceNotFound();
    return device;
  }

  async listReadings(caller: Caller, input: ListDeviceReadings): Promise<Page<DeviceReading>> {
    await this.get(caller, input);
    return await this.readings.list(caller.orgId, input);
  }

  /** Locks the place before the device: everything locks in this order. */
  async update(caller: Caller, { deviceId, externalRefs: refs, ...input }: UpdateDevice): Promise<Device> {
    if (input.propertyId) await this.properties.lock(caller, [input.propertyId]);
    const device = await this.forChange(caller, deviceId);
    if (device.archivedAt) throw deviceIsArchived();
    const leavesUnit = input.propertyId !== undefined && input.unitId === undefined;
    const placed = { ...input, ...(leavesUnit && { unitId: null }) };
    const { propertyId, unitId } = { ...device, ...placed };
    if (caller.propertyIds && !propertyId) throw propertyMustBeNamed();
    if (unitId && !propertyId) throw unitWithoutProperty();
    if (input.propertyId && (await this.properties.get(caller, input.propertyId)).archivedAt)
      throw propertyIsArchived();
    if (input.unitId && propertyId) await this.units.usable(caller.orgId, propertyId, input.unitId);
    const externalRefs = await this.references.merged(caller, 'device', device, refs);
    const changed = await this.write(caller, device, { ...placed, externalRefs }, deviceUpdated);
    if (input.propertyId !== undefined || input.unitId !== undefined) await this.follower.followDevice(caller, changed);
    return changed;
  }

  async archive(caller: Caller, { deviceId }: ThisDevice): Promise<Device> {
    const device = await this.forChange(caller, deviceId);
    if (device.archivedAt) return device;
    const live = await this.codes.liveAtDevice(caller.orgId, deviceId);
    if (live.length > 0) throw deviceInUse(live.map(({ id }) => id));
    return await this.write(caller, device, { archivedAt: new Date().toISOString() }, deviceArchived);
  }

  /** @throws conflict_error if its connection has ended. */
  async restore(caller: Caller, { deviceId }: ThisDevice): Promise<Device> {
    const device = await this.forChange(caller, deviceId);
    if (!device.archivedAt) return device;
    if (!(await this.accounts.of(caller.orgId, device.connectionId))) throw connectionIsOver();
    return await this.write(caller, device, { archivedAt: null }, deviceRestored);
  }

  private async write(
    caller: Caller,
    device: Device,
    changes: Partial<Device>,
    happened: ChangeType<DeviceEventData>,
  ): Promise<Device> {
    const before = await this.devices.update(device, changes);
    this.events.record(caller, happened, device, before);
    return device;
  }

  private async forChange(caller: Caller, deviceId: string): Promise<Device> {
    const device = await this.devices.find(caller, deviceId, 'for no key update');
    if (!device) throw deviceNotFound();
    expectVersion(caller, device);
    return device;
  }
}
