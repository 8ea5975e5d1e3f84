import { newId } from '#persistence';
import type { Account } from '../../src/outside/connections/connection-provider.js';
import type { DeviceOperation } from '../../src/features/devices/device.dto.js';
import {
  type CommandAnswer,
  isReport,
  readCommandAnswer,
} from '../../src/features/devices/providers/device-answers.js';
import type {
  DeviceAction,
  DeviceOrder,
  DeviceProvider,
  DeviceSettings,
} from '../../src/features/devices/providers/device-provider.js';

/** How the provider treats the next commands. */
export const treatments = [
  'ok',
  'refuse',
  'busy',
  'unreachable',
  'lose-answer',
  'malformed',
  /** It accepts the command and reports later that it took effect. */
  'slow',
  /** It carries out the command but never answers, and the connection stays open. */
  'hang',
] as const;
export type Treatment = (typeof treatments)[number];

/** An adapter and the scripted provider that it connects to. */
export interface OtherSide {
  provider: DeviceProvider;
  account: Account<DeviceSettings>;
  /** The provider's ids of a lock and a thermostat; undefined if it has none. */
  lock: string;
  thermostat: string | undefined;
  /** Treatments that this provider cannot show, each with the reason. */
  cannot: Partial<Record<Treatment, string>>;
  treat(how: Treatment): Promise<void>;
  /** How often a command took effect at the device, as the provider counts it. */
  effects(providerDeviceId: string): Promise<number>;
  /** Makes the provider report something on its own, and returns what the adapter made of it. */
  push?(providerDeviceId: string): Promise<unknown>;
  close(): Promise<void>;
}

const actions: Record<DeviceOperation, DeviceAction> = {
  lockDevice: { operation: 'lockDevice' },
  unlockDevice: { operation: 'unlockDevice' },
  setDeviceTemperature: { operation: 'setDeviceTemperature', temperature: 20 },
  setDeviceMode: { operation: 'setDeviceMode', mode: 'heat' },
};

/**
 * The suite that every adapter of the device port passes, run against something that speaks the provider's real
 * protocol.
 */
export function describeDeviceProvider(name: string, open: () => Promise<OtherSide>): void {
  describe(`the device provider ${name}`, () => {
    let other: OtherSide;
    beforeAll(async () => {
      other = await open();
    });
    beforeEach(() => other.treat('ok'));
    afterAll(() => other.close());

    const signal = (): AbortSignal => AbortSignal.timeout(10_000);
    const orderOf = (providerDeviceId: string, action: DeviceAction): DeviceOrder => ({
      commandId: newId('command'),
      providerDeviceId,
      action,
    });
    const send = async (order: DeviceOrder): Promise<CommandAnswer> => {
      const answer: unknown = await other.provider.send(other.account, order, signal());
      expect(readCommandAnswer(answer)).toBe(answer);
      return answer as CommandAnswer;
    };
    /** Inquires until the provider knows, as the service does. */
    const settled = async (order: DeviceOrder, first?: CommandAnswer): Promise<CommandAnswer> => {
      const sentAt = new Date(Date.now() - 1_000).toISOString();
      const providerRef = first && 'providerRef' in first ? (first.providerRef ?? null) : null;
      for (let answer = first; ;) {
        if (answer && ['confirmed', 'refused'].includes(answer.outcome)) return answer;
        answer = await other.provider.inquire(other.account, { ...order, providerRef, sentAt }, signal());
        expect(readCommandAnswer(answer)).toBe(answer);
        if (answer.outcome === 'unknown') return answer;
      }
    };
    /** How often it took effect, once it is settled. */
    const caused = async (order: DeviceOrder): Promise<[CommandAnswer, CommandAnswer, number]> => {
      const before = await other.effects(order.providerDeviceId);
      const first = await send(order);
      const last = await settled(order, first);
      return [first, last, (await other.effects(order.providerDeviceId)) - before];
    };
    const lockOrder = (): DeviceOrder => orderOf(other.lock, actions.lockDevice);

    it('discovers its devices, with their capabilities and states', async () => {
      const found = await other.provider.discover(other.account, signal());
      expect(found.outcome).toBe('read');
      const devices = found.outcome === 'read' ? found.value : [];
      expect(devices.map(({ providerDeviceId }) => providerDeviceId)).toContain(other.lock);
      for (const device of devices) {
        expect(Object.keys(device.capabilities).sort()).toEqual([
          'accessCodes',
          'lockDevice',
          'setDeviceMode',
          'setDeviceTemperature',
          'unlockDevice',
        ]);
        expect(device.report.providerDeviceId).toBe(device.providerDeviceId);
        expect(isReport(device.report)).toBe(true);
      }
    });

    it('carries out a command once, and reports it', async () => {
      for (const operation of ['unlockDevice', 'lockDevice'] as const) {
        const order = orderOf(other.lock, actions[operation]);
        const [, last, effects] = await caused(order);
        expect([operation, last.outcome, effects]).toEqual([operation, 'confirmed', 1]);
        const state = await other.provider.readState(other.account, other.lock, signal());
        expect(state).toMatchObject({
          outcome: 'read',
          value: { state: { lockState: operation === 'lockDevice' ? 'locked' : 'unlocked' } },
        });
      }
    });

    it('sets a thermostat', async () => {
      if (other.thermostat === undefined) return;
      for (const operation of ['setDeviceMode', 'setDeviceTemperature'] as const) {
        const [, last, effects] = await caused(orderOf(other.thermostat, actions[operation]));
        expect([operation, last.outcome, effects]).toEqual([operation, 'confirmed', 1]);
      }
      const state = await other.provider.readState(other.account, other.thermostat, signal());
      expect(state).toMatchObject({ outcome: 'read', value: { state: { targetTemperature: 20, mode: 'heat' } } });
    });

    it.each(['refuse', 'busy'] as const)('reports a rejection, and whether a retry can help: %s', async (how) => {
      if (other.cannot[how]) return;
      await other.treat(how);
      const [, last, effects] = await caused(lockOrder());
      expect([last, effects]).toEqual([{ outcome: 'refused', retryable: how === 'busy' }, 0]);
    });

    it('returns unreachable only if nothing was sent', async () => {
      if (other.cannot.unreachable) return;
      await other.treat('unreachable');
      const before = await other.effects(other.lock);
      expect(await send(lockOrder())).toEqual({ outcome: 'unreachable' });
      await other.treat('ok');
      expect((await other.effects(other.lock)) - before).toBe(0);
    });

    it.each(['lose-answer', 'malformed'] as const)('treats unreadable responses as unknown: %s', async (how) => {
      if (other.cannot[how]) return;
      await other.treat(how);
      const order = lockOrder();
      const before = await other.effects(other.lock);
      expect(await send(order)).toEqual({ outcome: 'unknown' });
      await other.treat('ok');
      const last = await settled(order);
      const effects = (await other.effects(other.lock)) - before;
      expect(effects).toBeLessThanOrEqual(1);
      if (last.outcome === 'confirmed') expect(effects).toBe(1);
      if (last.outcome === 'refused') expect(effects).toBe(0);
    });

    it('waits for slow commands, and causes them once', async () => {
      if (other.cannot.slow) return;
      await other.treat('slow');
      const [first, last, effects] = await caused(lockOrder());
      expect(['accepted', 'unknown', 'confirmed']).toContain(first.outcome);
      expect([last.outcome, effects]).toEqual(['confirmed', 1]);
    });

    it('waits no longer than its limit for a missing response, with an unknown result', async () => {
      if (other.cannot.hang) return;
      await other.treat('hang');
      const order = lockOrder();
      const before = await other.effects(other.lock);
      expect(await other.provider.send(other.account, order, AbortSignal.timeout(500))).toEqual({ outcome: 'unknown' });
      await other.treat('ok');
      expect((await settled(order)).outcome).toBe('confirmed');
      expect((await other.effects(other.lock)) - before).toBe(1);
    });

    it('causes nothing by inquiries', async () => {
      const order = lockOrder();
      const first = await send(order);
      await settled(order, first);
      const before = await other.effects(other.lock);
      for (let times = 0; times < 3; times += 1) await settled(order);
      expect(await other.effects(other.lock)).toBe(before);
    });

    it('stops when it is aborted, and throws nothing', async () => {
      const order = lockOrder();
      const gone = AbortSignal.abort();
      const answer = await other.provider.send(other.account, order, gone);
      expect(['unreachable', 'unknown']).toContain(answer.outcome);
      expect((await other.provider.discover(other.account, gone)).outcome).not.toBe('refused');
      expect(['unreachable', 'unknown']).toContain(
        (await other.provider.send(other.account, orderOf('no such device', actions.lockDevice), gone)).outcome,
      );
    });

    it('rejects unknown devices, or cannot tell', async () => {
      const answer = await settled(
        orderOf('no-such-device', actions.lockDevice),
        await send(orderOf('no-such-device', actions.lockDevice)),
      );
      expect(['refused', 'unknown']).toContain(answer.outcome);
    });

    it('stores access codes, each once', async () => {
      const { codes } = other.provider;
      if (!codes) return;
      const order = {
        codeId: newId('code'),
        providerDeviceId: other.lock,
        name: 'Guest of July',
        code: '482916',
        startsAt: new Date(Date.now() + 3_600_000).toISOString(),
        endsAt: new Date(Date.now() + 7_200_000).toISOString(),
        isOneTime: false,
      };
      const first = await codes.set(other.account, order, signal());
      const again = await codes.set(other.account, order, signal());
      expect(['confirmed', 'accepted']).toContain(first.outcome);
      expect(again).toMatchObject({ providerRef: (first as { providerRef: string }).providerRef });
      const listed = async () => {
        const answer = await codes.list(other.account, other.lock, signal());
        return answer.outcome === 'read' ? answer.value.filter((code) => code.name === order.name) : answer;
      };
      expect(await listed()).toHaveLength(1);
      const { providerRef } = first as { providerRef: string };
      const code = { providerDeviceId: other.lock, providerRef };
      expect(['confirmed', 'accepted']).toContain((await codes.remove(other.account, code, signal())).outcome);
      expect(await listed()).toEqual([]);
      expect((await codes.remove(other.account, code, signal())).outcome).toBe('confirmed');
    });

    it('receives reports of devices', async () => {
      if (!other.push) return;
      const received = await other.push(other.lock);
      expect(received).toEqual([expect.objectContaining({ providerDeviceId: other.lock })]);
    });
  });
}
