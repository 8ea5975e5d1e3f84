import type { Json } from '../../support/api.js';
import type { DoorReply, doorNames } from '../../support/doors.js';
import { feedSettled } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { type Simulator, simulatorOf } from '../../support/simulator.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { CodeKeeper } from '../../../src/features/devices/access-codes/code-keeper.service.js';

export const hour = 3_600_000;
export const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();

/** A simulated lock, new for each test. Due work runs only when a test runs it. */
export class CodeWorld {
  simulator!: Simulator;
  deviceId!: string;

  private constructor(readonly tenant: Tenant) {}

  static async start(): Promise<CodeWorld> {
    return new CodeWorld(await startTenant({ WORKER: 'off' }));
  }

  async reset(): Promise<void> {
    this.simulator = await simulatorOf(this.tenant.api);
    this.deviceId = this.simulator.devices['sim-lock-1'];
  }

  /** Runs what is due now, as far as possible. */
  work(): Promise<void> {
    return performDue(this.tenant.service.app.get(CodeKeeper));
  }

  async eventsOf(accessCodeId: string): Promise<string[]> {
    await feedSettled(this.tenant.service);
    const { body } = await this.tenant.api.get(`/events?subject=${accessCodeId}`);
    return (body.data as Json[]).map(({ type }) => type as string);
  }
}

export const refusal = ({ status, body }: DoorReply): unknown[] => [status, body.error.details?.key ?? body.error.code];

/** Calls about the codes of the lock, over one door. The world is started later than its tests are defined. */
export function codesOver(door: (typeof doorNames)[number], world: () => CodeWorld) {
  const ask = (operation: string, input: object): Promise<DoorReply> =>
    world().tenant.doors[door].ask(operation, input);
  const make = (wishes: object): Promise<DoorReply> =>
    ask('createAccessCode', { deviceId: world().deviceId, name: 'Cleaners', type: 'ongoing', ...wishes });
  const read = async (accessCodeId: string): Promise<Json> =>
    ((await ask('listAccessCodes', { deviceId: world().deviceId, limit: 100 })).body.data as Json[]).find(
      ({ id }) => id === accessCodeId,
    ) as Json;
  return {
    ask,
    make,
    made: async (wishes: object = {}): Promise<string> => {
      const { status, body } = await make(wishes);
      expect([status, body.error]).toEqual([201, undefined]);
      return body.data.id as string;
    },
    read,
    statusOf: async (accessCodeId: string): Promise<unknown> => (await read(accessCodeId)).status,
    reveal: async (accessCodeId: string): Promise<string> =>
      (await ask('revealAccessCode', { accessCodeId })).body.data.code as string,
  };
}
