import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { type AddressInfo, createServer, type Socket } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { Aedes } from 'aedes';
import { connectAsync, type MqttClient } from 'mqtt';
import { until } from './feed.js';
import { freePort } from './start-app.js';

export type ZigbeeTreatment = 'ok' | 'refuse' | 'busy' | 'lose-answer' | 'malformed' | 'slow' | 'hang' | 'undelivered';

export const frontDoor = '0x00158d0001a2b3c4';
export const radiator = '0x00158d0005d6e7f8';
export const porch = '0x00158d0009aabbcc';

const credentials = { username: 'operations', password: 'between us' };

export interface Broker {
  url: string;
  credentials: Record<string, string>;
  /** How many clients other than zigbee2mqtt are connected. */
  guests(): number;
  dropLines(): void;
  close(): Promise<void>;
}

/** A real broker in this process. */
export async function startBroker(): Promise<Broker> {
  const aedes = await Aedes.createBroker({
    authenticate: (_client, username, password, done) =>
      done(null, username === credentials.username && password?.toString() === credentials.password),
  });
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket.on('close', () => sockets.delete(socket)));
    aedes.handle(socket);
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `mqtt://127.0.0.1:${(server.address() as AddressInfo).port}`,
    credentials,
    guests: () => sockets.size - 1,
    dropLines: () => {
      // The first is zigbee2mqtt's own.
      for (const socket of [...sockets].slice(1)) socket.destroy();
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
      await new Promise<void>((resolve) => aedes.close(() => resolve()));
    },
  };
}

/** If Eclipse Mosquitto is installed, the broker that most zigbee2mqtt users run. */
export const mosquitto = ['/usr/sbin/mosquitto', '/usr/local/sbin/mosquitto', '/opt/homebrew/sbin/mosquitto'].find(
  (path) => existsSync(path),
);

export async function startMosquitto(): Promise<Broker> {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'mosquitto-'));
  const file = join(folder, 'mosquitto.conf');
  writeFileSync(
    file,
    `listener ${port} 127.0.0.1\nallow_anonymous true\npersistence false\nuser ${userInfo().username}\n`,
  );
  const process = spawn(mosquitto as string, ['-c', file], { stdio: 'ignore' });
  const url = `mqtt://127.0.0.1:${port}`;
  await until(
    () =>
      connectAsync(url, { reconnectPeriod: 0 }).then(
        (client) => client.endAsync(true).then(() => true),
        () => false,
      ),
    (isUp) => isUp,
  );
  return {
    url,
    credentials: {},
    guests: () => 0,
    dropLines: () => undefined,
    close: async () => {
      const ended = once(process, 'exit');
      process.kill('SIGKILL');
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const binary = (name: string, on: unknown, off: unknown, access: number) => ({
  type: 'binary',
  name,
  property: name,
  value_on: on,
  value_off: off,
  access,
});
const numeric = (name: string, access: number, more = {}) => ({
  type: 'numeric',
  name,
  property: name,
  access,
  ...more,
});

/** As `bridge/devices` of zigbee2mqtt lists a coordinator, a lock, a thermostat, a contact and a lamp. */
const devices = [
  { ieee_address: '0x00124b0000000001', type: 'Coordinator', friendly_name: 'Coordinator', definition: null },
  {
    ieee_address: frontDoor,
    type: 'EndDevice',
    friendly_name: 'house/front door',
    definition: {
      model: 'YRD426NRSC',
      vendor: 'Yale',
      exposes: [
        {
          type: 'lock',
          features: [
            binary('state', 'LOCK', 'UNLOCK', 7),
            {
              type: 'enum',
              name: 'lock_state',
              property: 'lock_state',
              access: 1,
              values: ['not_fully_locked', 'locked', 'unlocked'],
            },
          ],
        },
        numeric('battery', 1, { unit: '%' }),
      ],
    },
  },
  {
    ieee_address: radiator,
    type: 'EndDevice',
    friendly_name: 'radiator',
    definition: {
      model: 'TS0601_thermostat',
      vendor: 'Tuya',
      exposes: [
        {
          type: 'climate',
          features: [
            numeric('occupied_heating_setpoint', 7, { value_min: 5, value_max: 30, value_step: 0.5 }),
            numeric('local_temperature', 5),
            {
              type: 'enum',
              name: 'system_mode',
              property: 'system_mode',
              access: 7,
              values: ['off', 'heat', 'auto'],
            },
          ],
        },
      ],
    },
  },
  {
    ieee_address: porch,
    type: 'EndDevice',
    friendly_name: 'porch',
    definition: {
      model: 'MCCGQ11LM',
      vendor: 'Aqara',
      exposes: [binary('contact', false, true, 1), numeric('battery', 1)],
    },
  },
  {
    ieee_address: '0x00158d000dddddd',
    type: 'Router',
    friendly_name: 'lamp',
    definition: { model: 'LED1545G12', vendor: 'IKEA', exposes: [{ type: 'light', features: [] }] },
  },
];

export interface Zigbee2Mqtt {
  treat(how: ZigbeeTreatment): void;
  effects(device: string): number;
  /** A device reports something on its own. */
  say(name: string, payload: object | string): Promise<void>;
  /** zigbee2mqtt ends, and reports it; messages are not read until it runs again. */
  stop(): Promise<void>;
  start(): Promise<void>;
  close(): Promise<void>;
}

/** A scripted zigbee2mqtt on a real broker: the topics and messages of the real one. */
export async function startZigbee2Mqtt(
  { url, credentials: own }: Pick<Broker, 'url' | 'credentials'>,
  onLose: () => void,
): Promise<Zigbee2Mqtt> {
  const client: MqttClient = await connectAsync(url, { ...own, reconnectPeriod: 0 });
  const base = 'zigbee2mqtt';
  const counts = new Map<string, number>();
  const timers = new Set<NodeJS.Timeout>();
  let how: ZigbeeTreatment = 'ok';
  let runs = true;
  const states: Record<string, Record<string, unknown>> = {
    'house/front door': { state: 'LOCK', lock_state: 'locked', battery: 74 },
    radiator: { occupied_heating_setpoint: 18, local_temperature: 19.5, system_mode: 'off' },
    porch: { contact: true, battery: 55 },
  };
  const say = async (name: string, payload: object | string, retain = false): Promise<void> => {
    const text = typeof payload === 'string' ? payload : JSON.stringify(payload);
    await client.publishAsync(`${base}/${name}`, text, { qos: 0, retain });
  };
  const report = (name: string): Promise<void> => say(name, states[name] as object);
  const log = (message: string): Promise<void> => say('bridge/logging', { level: 'error', message, namespace: 'z2m' });
  const failed = (name: string, key: string, why: string): Promise<void> =>
    log(`Publish 'set' '${key}' to '${name}' failed: 'Error: ZCL command ${name} failed (${why})'`);

  const set = async (device: { friendly_name: string; ieee_address: string }, wanted: Record<string, unknown>) => {
    const { friendly_name: name, ieee_address: address } = device;
    const key = Object.keys(wanted)[0] as string;
    if (how === 'refuse') return await failed(name, key, `Status 'UNSUPPORTED_CLUSTER'`);
    if (how === 'busy') return await failed(name, key, `Status 'FAILURE'`);
    counts.set(address, (counts.get(address) ?? 0) + 1);
    const { state } = wanted;
    Object.assign(states[name] as object, wanted, state && { lock_state: state === 'LOCK' ? 'locked' : 'unlocked' });
    if (how === 'undelivered') return await failed(name, key, 'Delivery failed');
    if (how === 'hang') return;
    if (how === 'lose-answer') return onLose();
    if (how === 'malformed') return await say(name, '{"state": LOC');
    if (how === 'slow') return void timers.add(setTimeout(() => void report(name), 300));
    await report(name);
  };

  client.on('message', (topic, payload) => {
    if (!runs) return;
    const path = topic.slice(base.length + 1);
    const body = JSON.parse(payload.toString()) as Record<string, unknown>;
    if (path === 'bridge/request/health_check') {
      void say('bridge/response/health_check', { data: { healthy: true }, status: 'ok', ...body });
      return;
    }
    const [, name, verb] = /^(.*)\/(get|set)$/.exec(path) ?? [];
    const device = devices.find(({ friendly_name }) => friendly_name === name);
    if (!device) void log(`Entity '${name}' is unknown`);
    else void (verb === 'set' ? set(device, body) : report(device.friendly_name));
  });
  await client.subscribeAsync([
    `${base}/bridge/request/#`,
    `${base}/+/set`,
    `${base}/+/get`,
    `${base}/+/+/set`,
    `${base}/+/+/get`,
  ]);
  await say('bridge/devices', devices, true);
  await say('bridge/state', { state: 'online' }, true);
  for (const name of Object.keys(states)) await say(`${name}/availability`, { state: 'online' }, true);
  await say('porch', { ...states.porch, last_seen: '2026-01-02T03:04:05.000Z' }, true);

  return {
    treat: (next) => (how = next),
    effects: (device) => counts.get(device) ?? 0,
    say,
    stop: async () => {
      runs = false;
      await say('bridge/state', { state: 'offline' }, true);
    },
    start: async () => {
      runs = true;
      await say('bridge/state', { state: 'online' }, true);
    },
    close: async () => {
      for (const timer of timers) clearTimeout(timer);
      await client.endAsync(true);
    },
  };
}
