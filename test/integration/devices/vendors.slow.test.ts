import { Webhook } from 'standardwebhooks';
import { SystemDatabase } from '#system-database';
import { SyncsService } from '../../../src/outside/connections/syncs.service.js';
import { DeviceLines } from '../../../src/features/devices/lines/device-lines.service.js';
import type { Api, Json } from '../../support/api.js';
import { absentId, keyWith } from '../../support/factories.js';
import { clock } from '../../support/clock.js';
import { feedSettled, until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { type SeamServer, startSeamServer } from '../../support/seam-server.js';
import { type Service, startApp } from '../../support/start-app.js';
import {
  type Broker,
  frontDoor,
  porch,
  startBroker,
  startZigbee2Mqtt,
  type Zigbee2Mqtt,
} from '../../support/zigbee2mqtt.js';

const env = { OUTBOUND_ALLOW: '127.0.0.1' };

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp(env);
  ({ api } = await keyWith(service.api));
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const connect = async (wishes: object): Promise<string> => {
  const made = await api.post('/connections', { kind: 'device', name: 'Vendor', ...wishes });
  expect([made.status, made.body.data?.status]).toEqual([201, 'connecting']);
  return made.body.data.id as string;
};
const connectionOf = async (id: string): Promise<Json> => (await api.get(`/connections/${id}`)).body.data;
const deviceOf = async (connectionId: string, providerDeviceId: string): Promise<Json> => {
  const listed = (await api.get(`/devices?connectionId=${connectionId}`)).body.data as Json[];
  return listed.find((device) => device.providerDeviceId === providerDeviceId) as Json;
};
const sync = async (id: string): Promise<Json> => (await api.post(`/connections/${id}/sync`, {})).body.data;
const eventsOf = async (type: string): Promise<Json[]> => {
  await feedSettled(service);
  return (await api.get(`/events?types=${type}`)).body.data as Json[];
};

describe('devices behind zigbee2mqtt', () => {
  let broker: Broker;
  let script: Zigbee2Mqtt;
  let id: string;
  beforeAll(async () => {
    broker = await startBroker();
    script = await startZigbee2Mqtt(broker, () => broker.dropLines());
    id = await connect({ provider: 'zigbee2mqtt', credentials: broker.credentials, settings: { url: broker.url } });
  });
  afterAll(async () => {
    await script.close();
    await broker.close();
  });
  const look = (node = service): Promise<void> => node.app.get(DeviceLines).look();
  const leaseEnd = async (): Promise<number> => {
    const [lease] = await service.app.get(SystemDatabase).rows('select lease_until from device_lines');
    return Date.parse(lease?.lease_until as string);
  };
  const listenersAre = (count: number) =>
    until(
      () => Promise.resolve(broker.guests()),
      (guests) => guests === count,
    );

  it('are found, and commanded once', async () => {
    expect(await sync(id)).toMatchObject({ status: 'connected', lastSync: { created: 3 } });
    const lock = await deviceOf(id, frontDoor);
    expect(lock).toMatchObject({ name: 'house/front door', type: 'lock', online: true });
    const done = await api.post(`/devices/${lock.id}/unlock`, {});
    expect([done.status, done.body.data?.status, script.effects(frontDoor)]).toEqual([200, 'succeeded', 1]);
    expect(await deviceOf(id, frontDoor)).toMatchObject({ state: { lockState: 'unlocked' }, batteryLevel: 74 });
  });

  it('are followed by one node, and by another when that one ends or disappears', async () => {
    const receives = async (contact: boolean): Promise<void> => {
      const device = await until(
        async () => {
          await script.say('porch', { contact, battery: 12 });
          return await deviceOf(id, porch);
        },
        ({ state }) => state.isOpen === !contact,
      );
      expect(device).toMatchObject({ batteryLevel: 12 });
    };
    const hearsTheDoor = (battery: number) =>
      until(
        async () => {
          await script.say('house/front door', { battery });
          return await deviceOf(id, frontDoor);
        },
        ({ batteryLevel }) => batteryLevel === battery,
      );
    const another = await startApp(env, service);
    await Promise.all([look(), look(another), look(), look(another)]);
    await receives(false);
    expect(broker.guests()).toBe(1);
    expect(await eventsOf('device.battery_low')).toMatchObject([{ data: { providerDeviceId: porch } }]);
    await another.close();
    await look();
    await hearsTheDoor(73);
    // The broker has retained the porch's report of 2 January, which is older than later ones.
    expect(await deviceOf(id, porch)).toMatchObject({ state: { isOpen: true }, batteryLevel: 12 });
    await receives(true);
    expect(broker.guests()).toBe(1);
    for (const _ of [0, 1]) {
      const leased = await leaseEnd();
      await look();
      expect(await leaseEnd()).toBeGreaterThan(leased);
    }

    // Another process takes it over, as after a pause of this one, and disappears.
    const goneAt = new Date(Date.now() + 20_000).toISOString();
    const text = 'update device_lines set holder = gen_random_uuid(), lease_until = $1';
    await service.app.get(SystemDatabase).rows(text, [goneAt]);
    await look();
    await listenersAre(0);
    await look();
    expect(broker.guests()).toBe(0);
    clock.advance(20_000);
    await look();
    await listenersAre(1);
  });

  it('go offline and come back as the bridge reports', async () => {
    for (const state of ['offline', 'online']) {
      await until(
        async () => {
          await script.say('porch/availability', { state });
          return await deviceOf(id, porch);
        },
        ({ online }) => online === (state === 'online'),
      );
    }
    // More than one if the broker delivers its retained report that the device is there between two of ours.
    const [event] = await eventsOf('device.went_offline');
    expect(event).toMatchObject({ data: { providerDeviceId: porch } });
  });

  it('leave their connection degraded while the bridge does not run, and connected soon after', async () => {
    await script.stop();
    await listenersAre(0);
    await until(
      () => performDue(service.app.get(SyncsService)).then(() => connectionOf(id)),
      ({ status }) => status === 'degraded',
    );
    expect(await connectionOf(id)).toMatchObject({
      reason: 'The provider is unreachable. The service retries automatically.',
    });
    const refused = await api.post(`/devices/${(await deviceOf(id, frontDoor)).id}/lock`, {});
    expect([refused.status, script.effects(frontDoor)]).toEqual([502, 1]);
    await script.start();
    clock.advance(20_000);
    await look();
    await until(
      () => performDue(service.app.get(SyncsService)).then(() => connectionOf(id)),
      ({ status }) => status === 'connected',
    );
  });

  it('are no longer followed when their connection has another account, or none', async () => {
    await listenersAre(1);
    const credentials = { username: 'operations', password: 'wrong' };
    await api.patch(`/connections/${id}`, { credentials });
    await look();
    await listenersAre(0);
    const tested = await api.post(`/connections/${id}/test`, {});
    expect(tested.body.data).toMatchObject({
      status: 'degraded',
      reason: 'The provider rejected the request for its devices. Check the credentials and settings.',
    });
    await api.patch(`/connections/${id}`, { credentials: broker.credentials });
    clock.advance(20_000);
    await look();
    await listenersAre(1);
    expect((await api.post(`/connections/${id}/disconnect`, {})).body.data).toMatchObject({ status: 'disconnected' });
    await look();
    await listenersAre(0);
  });
});

describe('devices by Seam', () => {
  const secret = `whsec_${Buffer.from('a secret of thirty-two bytes....').toString('base64')}`;
  let server: SeamServer;
  let id: string;
  beforeAll(async () => {
    server = await startSeamServer();
    const credentials = { apiKey: server.apiKey, webhookSecret: secret };
    id = await connect({ provider: 'seam', credentials, settings: { endpoint: server.url } });
  });
  afterAll(() => server.close());

  it('are found, and commanded once', async () => {
    expect(await sync(id)).toMatchObject({ status: 'connected' });
    const lock = await deviceOf(id, server.lock);
    expect(lock).toMatchObject({ type: 'lock', state: { lockState: 'locked' }, batteryLevel: 100 });
    server.treat('lose-answer');
    const done = await api.post(`/devices/${lock.id}/unlock`, {});
    expect([done.status, done.body.data?.status, server.effects(server.lock)]).toEqual([200, 'succeeded', 1]);
    server.treat('ok');
    const thermostat = await deviceOf(id, server.thermostat);
    expect(thermostat).toMatchObject({ type: 'thermostat', limits: { modes: ['off', 'heat', 'cool', 'auto'] } });
    const heated = await api.post(`/devices/${thermostat.id}/mode`, { mode: 'heat' });
    expect([heated.status, heated.body.data?.status]).toEqual([200, 'succeeded']);
    expect(await deviceOf(id, server.thermostat)).toMatchObject({ state: { mode: 'heat' } });
  });

  it('report events at the address that Seam posts to, and nobody else can post there', async () => {
    const { webhookUrl } = await connectionOf(id);
    const path = new URL(webhookUrl as string).pathname;
    const post = async (event: object, to = path, by = secret): Promise<number> => {
      const [text, now] = [JSON.stringify(event), new Date()];
      const headers = {
        'content-type': 'application/json',
        'svix-id': 'msg_2',
        'svix-timestamp': String(Math.floor(now.getTime() / 1_000)),
        'svix-signature': new Webhook(by).sign('msg_2', now, text),
      };
      return (await fetch(`${service.url}${to}`, { method: 'POST', headers, body: text })).status;
    };
    const event = { event_type: 'lock.locked', device_id: server.lock, occurred_at: new Date().toISOString() };
    const forged = `whsec_${Buffer.from('the secret of somebody else.....').toString('base64')}`;
    const zigbee = path.replace(/connection_.*/, absentId('connection'));
    expect(await post(event, path, forged)).toBe(404);
    expect(await post(event, zigbee)).toBe(404);
    expect(await post(event, '/device-messages/org_1/connection_1')).toBe(404);
    expect(await deviceOf(id, server.lock)).toMatchObject({ state: { lockState: 'unlocked' } });
    expect(await post(event)).toBe(204);
    expect(await deviceOf(id, server.lock)).toMatchObject({ state: { lockState: 'locked' } });
    expect(await post({ ...event, event_type: 'device.disconnected' })).toBe(204);
    expect(await deviceOf(id, server.lock)).toMatchObject({ online: false });
    expect(await post({ ...event, device_id: 'a device of later' })).toBe(204);
  });
});
