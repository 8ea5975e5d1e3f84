import { randomUUID } from 'node:crypto';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { until } from '../../support/feed.js';
import { type Simulator, simulatorOf } from '../../support/simulator.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
let simulator: Simulator;
beforeAll(async () => {
  tenant = await startTenant();
  simulator = await simulatorOf(tenant.api);
});
afterEach(() => clock.restore());
afterAll(() => tenant.close());

const commands = [
  ['lockDevice', 'sim-lock-1', {}],
  ['unlockDevice', 'sim-lock-1', {}],
  ['setDeviceTemperature', 'sim-thermostat-1', { temperature: 22.5 }],
  ['setDeviceMode', 'sim-thermostat-1', { mode: 'auto' }],
] as const;

/** What each behaviour is answered with: status and code, the effects at the vendor, and how the command ends. */
const matrix = {
  ok: [200, undefined, 1, 'succeeded'],
  refuse: [502, 'CONNECTOR_ERROR', 0, 'failed'],
  busy: [502, 'CONNECTOR_ERROR', 0, 'failed'],
  unreachable: [502, 'CONNECTOR_ERROR', 0, 'failed'],
  'lose-answer': [200, undefined, 1, 'succeeded'],
  malformed: [200, undefined, 1, 'succeeded'],
  corrupt: [500, 'NON_RETRYABLE', 1, 'unknown'],
} as const;

describe.each(doorNames)('commands over %s', (door) => {
  const ask = (operation: string, input: object, idempotencyKey?: string) =>
    tenant.doors[door].ask(operation, input, idempotencyKey === undefined ? {} : { idempotencyKey });
  const lastOf = async (deviceId: string): Promise<Json> =>
    (await ask('listDeviceCommands', { deviceId, limit: 1 })).body.data[0];

  it.each(Object.entries(matrix))('take effect once or not at all: %s', async (behaviour, expected) => {
    const [status, code, effects, end] = expected;
    for (const [operation, device, args] of commands) {
      const deviceId = simulator.devices[device];
      await simulator.behave(behaviour);
      const before = await simulator.counts(device);
      const contacts = behaviour === 'unreachable' ? 0 : 1;
      const key = randomUUID();
      const caused = async () => {
        const now = await simulator.counts(device);
        return [now.contacts - before.contacts, now.effects - before.effects];
      };
      const first = await ask(operation, { deviceId, ...args }, key);
      expect([operation, first.status, first.body.error?.code, await caused()]).toEqual([
        operation,
        status,
        code,
        [contacts, effects],
      ]);
      expect(await lastOf(deviceId)).toMatchObject({ operation, args, status: end });

      const again = await ask(operation, { deviceId, ...args }, key);
      if (behaviour !== 'unreachable') expect(again.body).toEqual(first.body);
      expect([again.status, await caused()]).toEqual([status, [contacts, effects]]);

      await simulator.behave('ok');
      if (behaviour === 'unreachable') {
        // Nothing was kept: the same key goes through once the provider is back, and within 5 seconds.
        await until(
          () => ask(operation, { deviceId, ...args }, key),
          (reply) => reply.status === 200,
        );
        expect(await caused()).toEqual([1, 1]);
      }
      const anew = await ask(operation, { deviceId, ...args }, randomUUID());
      expect([anew.status, anew.body.data?.status]).toEqual([200, 'succeeded']);
      expect((await ask(operation, { deviceId, ...args })).status).toBe(200);
    }
  });
});
