import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import type { DoorReply, doorNames } from '../../support/doors.js';
import { until } from '../../support/feed.js';
import { type Simulator, simulatorOf } from '../../support/simulator.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { DeviceCommandsRepository } from '../../../src/features/devices/commands/device-commands.repository.js';

type Counts = Awaited<ReturnType<Simulator['counts']>>;

/** Simulated devices, new for each test, and the time in which their commands run. */
export class CommandWorld {
  simulator!: Simulator;

  private constructor(readonly tenant: Tenant) {}

  static async start(): Promise<CommandWorld> {
    return new CommandWorld(await startTenant());
  }

  async reset(): Promise<void> {
    this.simulator = await simulatorOf(this.tenant.api);
  }

  contacted(): Promise<Counts> {
    return until(
      () => this.simulator.counts(),
      ({ contacts }) => contacts === 1,
    );
  }

  claims() {
    return this.tenant.service.app.get(DeviceCommandsRepository).claims;
  }

  /** Time passes in steps that are short enough to renew the leases of commands. */
  async pass(seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 5) {
      await this.claims().renew();
      clock.advance(5_000);
    }
  }
}

/** Calls about commands, over one door. The world is started later than its tests are defined. */
export function commandsOver(door: (typeof doorNames)[number], world: () => CommandWorld) {
  const ask = (operation: string, input: object, idempotencyKey?: string): Promise<DoorReply> =>
    world().tenant.doors[door].ask(operation, input, idempotencyKey === undefined ? {} : { idempotencyKey });
  return {
    ask,
    causedSince: async (device: string, before: Counts = { contacts: 0, effects: 0 }): Promise<[number, number]> => {
      const { contacts, effects } = await world().simulator.counts(device);
      return [contacts - before.contacts, effects - before.effects];
    },
    rowsOf: async (deviceId: string): Promise<Json[]> =>
      (await ask('listDeviceCommands', { deviceId })).body.data as Json[],
  };
}
