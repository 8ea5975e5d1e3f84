import { Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';
import type { Connection } from '../../../../outside/connections/connection.entity.js';
import { freshMemory, type Memory, pass, simulatedDevices } from './simulated-vendor.js';

/**
 * The memory of the simulated vendor, in rows with their own transactions, like another system's: several nodes share
 * it, and it outlives them.
 */
@Injectable()
export class SimulatedDevicesRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** The devices of an account are created when it is read for the first time. */
  async open({ orgId, id }: Connection): Promise<Map<string, Memory>> {
    return await this.database.transaction(orgId, async () => {
      const now = new Date();
      for (const device of simulatedDevices) {
        this.database.defer(
          orgId,
          `insert into simulated_devices (org_id, connection_id, provider_device_id, memory) values ($1, $2, $3, $4)
           on conflict do nothing`,
          [uuidIn(orgId), uuidIn(id), device.providerDeviceId, JSON.stringify(freshMemory(device))],
        );
      }
      const text = `select provider_device_id, memory from simulated_devices
                     where org_id = $1 and connection_id = $2 order by provider_device_id`;
      const rows = await this.database.rows(orgId, text, [uuidIn(orgId), uuidIn(id)]);
      return new Map(
        rows.map((row) => {
          const memory = row.memory as Memory;
          pass(memory, now);
          return [row.provider_device_id as string, memory];
        }),
      );
    });
  }

  /** Changes the stored state of a device; undefined if there is no such device. */
  async change<T>(
    { orgId, id }: Connection,
    providerDeviceId: string,
    change: (memory: Memory, now: Date) => T,
  ): Promise<{ memory: Memory; result: T } | undefined> {
    return await this.database.transaction(orgId, async () => {
      const device = [uuidIn(orgId), uuidIn(id), providerDeviceId];
      const ofDevice = 'where org_id = $1 and connection_id = $2 and provider_device_id = $3';
      const text = `select memory from simulated_devices ${ofDevice} for update`;
      const [row] = await this.database.rows(orgId, text, device);
      if (!row) return undefined;
      const memory = row.memory as Memory;
      const now = new Date();
      pass(memory, now);
      const result = change(memory, now);
      const write = `update simulated_devices set memory = $4 ${ofDevice}`;
      this.database.defer(orgId, write, [...device, JSON.stringify(memory)]);
      return { memory, result };
    });
  }
}
