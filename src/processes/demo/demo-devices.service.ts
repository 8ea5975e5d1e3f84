import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { ConnectionsService } from '../../outside/connections/connections.service.js';
import { DevicesService } from '../../features/devices/devices.service.js';
import type { Property } from '../../tenancy/properties/property.entity.js';

/** The places of the simulated devices, by the number of the property, and their names. */
const places: Record<string, { property: number; name: string }> = {
  'sim-lock-1': { property: 0, name: 'Casa Azul, front door' },
  'sim-thermostat-1': { property: 0, name: 'Casa Azul, living room' },
  'sim-lock-2': { property: 1, name: 'Lakeside Cabin, front door' },
};

/** Locks and a thermostat of a simulated vendor. */
@Injectable()
export class DemoDevices {
  constructor(
    private readonly connections: ConnectionsService,
    private readonly devices: DevicesService,
  ) {}

  /** @returns how many there are. */
  async add(caller: Caller, properties: readonly Property[]): Promise<number> {
    const { id: connectionId } = await this.connections.create(caller, {
      provider: 'simulator',
      kind: 'device',
      name: 'Simulated devices',
    });
    const { items } = await this.devices.list(caller, { connectionId });
    for (const { id: deviceId, providerDeviceId } of items) {
      const place = places[providerDeviceId];
      const propertyId = place && properties[place.property]?.id;
      if (propertyId) await this.devices.update(caller, { deviceId, name: place.name, propertyId });
    }
    return items.length;
  }
}
