import { Outbound } from '#outbound';
import { newId } from '#persistence';
import type { Account } from '../../src/outside/connections/connection-provider.js';
import type { DeviceReport } from '../../src/features/devices/providers/device-answers.js';
import type { DeviceOrder } from '../../src/features/devices/providers/device-provider.js';
import type { DeviceProviders } from '../../src/features/devices/providers/device-providers.js';
import type { Zigbee2MqttSettings } from '../../src/features/devices/providers/zigbee2mqtt/zigbee2mqtt-settings.dto.js';
import { Zigbee2MqttProvider } from '../../src/features/devices/providers/zigbee2mqtt/zigbee2mqtt.provider.js';
import { accountOf } from '../support/account.js';
import {
  type Broker,
  frontDoor,
  mosquitto,
  porch,
  radiator,
  startBroker,
  startMosquitto,
  startZigbee2Mqtt,
  type Zigbee2Mqtt,
} from '../support/zigbee2mqtt.js';
import { describeDeviceProvider, type OtherSide } from './device-provider.contract.js';

const nobodyListens = 'mqtt://127.0.0.1:1';
const noRegister = { register: () => undefined } as unknown as DeviceProviders;
const adapter = (): Zigbee2MqttProvider => new Zigbee2MqttProvider(noRegister, new Outbound(['127.0.0.1']));

const openOn =
  (start: () => Promise<Broker>, cannot: OtherSide['cannot'] = {}) =>
  async (): Promise<OtherSide> => {
    const broker = await start();
    const script = await startZigbee2Mqtt(broker, () => broker.dropLines());
    const account = accountOf<Zigbee2MqttSettings>('zigbee2mqtt', { url: broker.url }, broker.credentials);
    const provider = adapter();
    return {
      provider,
      account,
      lock: frontDoor,
      thermostat: radiator,
      cannot,
      treat: (how) => {
        account.settings = { url: how === 'unreachable' ? nobodyListens : broker.url };
        script.treat(how === 'unreachable' ? 'ok' : how);
        return Promise.resolve();
      },
      effects: (device) => Promise.resolve(script.effects(device)),
      push: async () => {
        const over = new AbortController();
        const received = await new Promise<DeviceReport>((resolve, reject) => {
          void provider.pushing
            .listen?.(account, (report) => report.state?.lockState === 'unlocked' && resolve(report), over.signal)
            .then((line) => (line.outcome === 'listening' ? undefined : reject(new Error(line.outcome))))
            .then(() => script.say('house/front door', { state: 'UNLOCK', lock_state: 'unlocked', battery: 73 }));
        });
        over.abort();
        return [received];
      },
      close: async () => {
        await script.close();
        await broker.close();
      },
    };
  };

describeDeviceProvider('zigbee2mqtt', openOn(startBroker));

const onMosquitto = openOn(startMosquitto, { 'lose-answer': 'A broker of its own process loses no single line.' });
if (mosquitto) describeDeviceProvider('zigbee2mqtt on mosquitto', onMosquitto);
else console.warn('Skipped: zigbee2mqtt on mosquitto, which is not installed here.');

describe('the connection to zigbee2mqtt', () => {
  let broker: Broker;
  let script: Zigbee2Mqtt;
  let account: Account<Zigbee2MqttSettings>;
  beforeAll(async () => {
    broker = await startBroker();
    script = await startZigbee2Mqtt(broker, () => broker.dropLines());
    account = accountOf<Zigbee2MqttSettings>('zigbee2mqtt', { url: broker.url }, broker.credentials);
  });
  beforeEach(() => script.treat('ok'));
  afterAll(async () => {
    await script.close();
    await broker.close();
  });

  const signal = (): AbortSignal => AbortSignal.timeout(10_000);
  const order = (operation: 'lockDevice' | 'unlockDevice'): DeviceOrder => ({
    commandId: newId('command'),
    providerDeviceId: frontDoor,
    action: { operation },
  });

  it('finds locks, thermostats and sensors, with their limits and the age of their reports', async () => {
    const found = await adapter().discover(account, signal());
    expect(found).toMatchObject({
      outcome: 'read',
      value: [
        {
          providerDeviceId: frontDoor,
          name: 'house/front door',
          type: 'lock',
          manufacturer: 'Yale',
          capabilities: { lockDevice: true, unlockDevice: true, setDeviceMode: false, accessCodes: false },
          report: { online: true },
        },
        {
          providerDeviceId: radiator,
          type: 'thermostat',
          limits: { minTemperature: 5, maxTemperature: 30, modes: ['off', 'heat', 'auto'] },
        },
        {
          providerDeviceId: porch,
          type: 'sensor',
          report: { reportedAt: '2026-01-02T03:04:05.000Z', batteryLevel: 55, state: { isOpen: false } },
        },
      ],
    });
  });

  it('treats a command that was not delivered as one that may still arrive', async () => {
    script.treat('undelivered');
    const before = script.effects(frontDoor);
    const sent = await adapter().send(account, order('unlockDevice'), AbortSignal.timeout(1_000));
    expect([sent, script.effects(frontDoor) - before]).toEqual([{ outcome: 'unknown' }, 1]);
  });

  it('waits for an effect that does not appear, and stops after a minute', async () => {
    const inquiry = { ...order('lockDevice'), providerRef: null };
    await script.say('house/front door', { state: 'UNLOCK', lock_state: 'unlocked' });
    const asked = (sentAt: number) =>
      adapter().inquire(account, { ...inquiry, sentAt: new Date(sentAt).toISOString() }, signal());
    expect(await asked(Date.now())).toEqual({ outcome: 'accepted' });
    expect(await asked(Date.now() - 61_000)).toEqual({ outcome: 'unknown' });
  });

  it('distinguishes a broker that rejects us from a bridge that does not run', async () => {
    const stranger = { ...account, credentials: { username: 'operations', password: 'wrong' } };
    expect(await adapter().discover(stranger, signal())).toEqual({ outcome: 'refused', retryable: false });
    const elsewhere = { ...account, settings: { url: broker.url, baseTopic: 'another/house' } };
    expect(await adapter().send(elsewhere, order('lockDevice'), AbortSignal.timeout(300))).toEqual({
      outcome: 'unreachable',
    });
  });

  it('connects only where the guard allows', async () => {
    const guarded = new Zigbee2MqttProvider(noRegister, new Outbound());
    expect(await guarded.send(account, order('lockDevice'), signal())).toEqual({ outcome: 'unreachable' });
    for (const url of [broker.url, 'mqtt://broker.example', 'https://broker.example', 'mqtts://10.0.0.7'])
      expect(() => guarded.check({ url })).toThrow('url: ');
    expect(() => guarded.check({ url: 'mqtts://broker.example', baseTopic: 'house/+' })).toThrow(
      'settings.baseTopic: ',
    );
    expect(() => guarded.check({ url: 'mqtts://broker.example', baseTopic: 'house/zigbee' })).not.toThrow();
  });

  it('closes the connection when the bridge ends, and on request', async () => {
    const received: DeviceReport[] = [];
    const over = new AbortController();
    const open = () => adapter().pushing.listen?.(account, (report) => received.push(report), over.signal);
    const lines = [await open(), await open()];
    await script.say('porch/availability', 'offline');
    await script.stop();
    for (const line of lines) await (line as { lost: Promise<void> }).lost;
    expect(received).toContainEqual(expect.objectContaining({ providerDeviceId: porch, online: false }));
    await script.start();
    const again = await open();
    over.abort();
    await (again as { lost: Promise<void> }).lost;
  });
});
