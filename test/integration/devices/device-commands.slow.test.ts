import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { CommandRunner } from '../../../src/features/devices/commands/command-runner.service.js';
import { DeviceSimulator } from '../../../src/features/devices/providers/simulator/simulator.provider.js';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { absentId, keyWith } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { CommandWorld, commandsOver } from './command-world.js';

let world: CommandWorld;
beforeAll(async () => {
  world = await CommandWorld.start();
});
beforeEach(() => world.reset());
afterEach(() => {
  jest.restoreAllMocks();
  clock.restore();
});
afterAll(() => world.tenant.close());

const commands = [
  ['lockDevice', 'sim-lock-1', {}],
  ['unlockDevice', 'sim-lock-1', {}],
  ['setDeviceTemperature', 'sim-thermostat-1', { temperature: 22.5 }],
  ['setDeviceMode', 'sim-thermostat-1', { mode: 'auto' }],
] as const;

/** The vendor's behaviors: how each is answered, contacts and effects there, how the command ends, and why. */
const faults: [behaviour: string, status: number, caused: [number, number], end: string, message: RegExp][] = [
  ['ok', 200, [1, 1], 'succeeded', /^$/],
  ['refuse', 502, [1, 0], 'failed', /A retry does not help/],
  ['busy', 502, [1, 0], 'failed', /A retry can help/],
  ['lose-answer', 200, [1, 1], 'succeeded', /^$/],
  ['malformed', 200, [1, 1], 'succeeded', /^$/],
  ['corrupt', 500, [1, 1], 'unknown', /Do not retry/],
];

describe.each(doorNames)('commands over %s', (door) => {
  const { ask, causedSince, rowsOf } = commandsOver(door, () => world);

  it.each(faults)('take effect once or not at all, and are replayed without contact: %s', async (how, ...expected) => {
    const [status, caused, end, message] = expected;
    for (const [operation, device, args] of commands) {
      const deviceId = world.simulator.devices[device];
      const before = await world.simulator.counts(device);
      const key = randomUUID();
      await world.simulator.behave(how);
      const first = await ask(operation, { deviceId, ...args }, key);
      expect([operation, first.status, first.body.error?.message ?? '']).toEqual([
        operation,
        status,
        expect.stringMatching(message),
      ]);
      expect(await causedSince(device, before)).toEqual(caused);
      const [row] = await rowsOf(deviceId);
      expect(row).toMatchObject({ operation, args, status: end, deviceId });
      const again = await ask(operation, { deviceId, ...args }, key);
      expect([again.status, again.body]).toEqual([status, first.body]);
      expect(await causedSince(device, before)).toEqual(caused);

      await world.simulator.behave('ok');
      const anew = await ask(operation, { deviceId, ...args }, randomUUID());
      expect([anew.status, anew.body.data.status]).toEqual([200, 'succeeded']);
      expect((await ask(operation, { deviceId, ...args })).status).toBe(200);
      expect(await causedSince(device, before)).toEqual([caused[0] + 2, caused[1] + 2]);
    }
  });

  it('keep nothing if nothing was sent, so that the same key can be used within 5 seconds', async () => {
    const deviceId = world.simulator.devices['sim-lock-1'];
    const key = randomUUID();
    await world.simulator.behave('unreachable');
    // So often that the breaker opens too.
    for (let times = 0; times < 8; times += 1) {
      const { status, body } = await ask('lockDevice', { deviceId }, key);
      expect([status, body.error.code, body.error.message]).toEqual([
        502,
        'CONNECTOR_ERROR',
        expect.stringContaining('nothing was sent'),
      ]);
    }
    expect(await causedSince('sim-lock-1')).toEqual([0, 0]);
    await world.simulator.behave('ok');
    const startedAt = performance.now();
    await until(
      () => ask('lockDevice', { deviceId }, key),
      ({ status }) => status === 200,
    );
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(await causedSince('sim-lock-1')).toEqual([1, 1]);
  });

  it('return after 10 seconds while they are in progress, and continue until they are settled', async () => {
    const deviceId = world.simulator.devices['sim-lock-1'];
    await world.simulator.behave('slow');
    const key = randomUUID();
    // Only `pass` moves it: the vendor would be done by then where the machine is busy for five seconds.
    clock.set(Date.now());
    const asked = ask('unlockDevice', { deviceId }, key);
    await world.contacted();
    await world.pass(10);
    const { status, body } = await asked;
    expect([status, body.data.status]).toEqual([202, 'sent']);
    const commandId = body.data.id as string;
    expect((await ask('unlockDevice', { deviceId }, key)).body).toEqual(body);
    await world.pass(5);
    const settled = await until(
      async () => (await ask('getDeviceCommand', { commandId })).body.data as Json,
      (command) => command.status !== 'sent',
    );
    expect(settled).toMatchObject({ status: 'succeeded', error: null, settledAt: expect.any(String) });
    expect(await causedSince('sim-lock-1')).toEqual([1, 1]);
    expect((await ask('getDevice', { deviceId })).body.data.state.lockState).toBe('unlocked');
  });

  it('are rejected before any contact, with a row that gives the reason', async () => {
    const [lock, thermostat] = [world.simulator.devices['sim-lock-1'], world.simulator.devices['sim-thermostat-1']];
    const refused = async (operation: string, deviceId: string, args: object = {}): Promise<unknown[]> => {
      const key = randomUUID();
      const { status, body } = await ask(operation, { deviceId, ...args }, key);
      expect((await ask(operation, { deviceId, ...args }, key)).body).toEqual(body);
      expect(body.error.message).toMatch(/^[A-Z].{20,}\.$/);
      const [row, ...before] = await rowsOf(deviceId);
      expect(row).toMatchObject({ operation, status: 'refused', sentAt: null });
      // The response also says what to do about the key of the request.
      expect(body.error.message).toContain(row?.error.message);
      return [status, body.error.details?.key ?? body.error.code, row?.error.code, before.length];
    };
    const notOffered = 'DEVICE_OPERATION_NOT_OFFERED';
    const outOfRange = 'DEVICE_TEMPERATURE_OUT_OF_RANGE';
    expect(await refused('lockDevice', thermostat)).toEqual([400, notOffered, notOffered, 0]);
    for (const [index, temperature] of [6.9, 30.1, 500].entries())
      expect(await refused('setDeviceTemperature', thermostat, { temperature })).toEqual([
        400,
        outOfRange,
        outOfRange,
        index + 1,
      ]);
    expect(await refused('setDeviceMode', thermostat, { mode: 'eco' })).toEqual([
      400,
      'DEVICE_MODE_NOT_OFFERED',
      'DEVICE_MODE_NOT_OFFERED',
      4,
    ]);
    const off = 'REMOTE_CONTROL_DISABLED';
    await ask('updateDevice', { deviceId: lock, remoteControlEnabled: false });
    expect(await refused('lockDevice', lock)).toEqual([403, off, off, 0]);
    await ask('updateDevice', { deviceId: lock, remoteControlEnabled: true });
    await ask('updateOrganization', { remoteControlEnabled: false });
    expect(await refused('lockDevice', lock)).toEqual([403, off, off, 1]);
    await ask('updateOrganization', { remoteControlEnabled: true });
    await ask('archiveDevice', { deviceId: lock });
    expect(await refused('lockDevice', lock)).toEqual([409, 'DEVICE_ARCHIVED', 'DEVICE_ARCHIVED', 2]);
    expect([await causedSince('sim-lock-1'), await causedSince('sim-thermostat-1')]).toEqual([
      [0, 0],
      [0, 0],
    ]);
    const invalid = await ask('setDeviceMode', { deviceId: thermostat, mode: 'boil' });
    expect([invalid.status, invalid.body.error.details.issues[0].path]).toEqual([400, ['mode']]);
  });

  it('accept only what the key was used for', async () => {
    const deviceId = world.simulator.devices['sim-thermostat-1'];
    const key = randomUUID();
    expect((await ask('setDeviceTemperature', { deviceId, temperature: 20 }, key)).status).toBe(200);
    expect((await ask('setDeviceTemperature', { deviceId, temperature: 21 }, key)).status).toBe(422);
  });

  it('that started under a key that is free again, after its time or an error, are distinguished', async () => {
    const deviceId = world.simulator.devices['sim-thermostat-1'];
    const key = randomUUID();
    const set = async (temperature: number) =>
      (await ask('setDeviceTemperature', { deviceId, temperature }, key)).status;
    expect(await set(20)).toBe(200);
    clock.advance(24 * 3_600_000);
    jest.spyOn(world.tenant.service.app.get(CommandRunner), 'start').mockRejectedValueOnce(new Error('Lost'));
    expect(await set(21)).toBe(500);
    expect(await set(22)).toBe(422);
  });

  it('are allowed for those who may control the device, and shown to those who may see it', async () => {
    const deviceId = world.simulator.devices['sim-lock-1'];
    await ask('updateDevice', { deviceId, propertyId: world.tenant.here });
    await ask('lockDevice', { deviceId });
    await ask('updateDevice', { deviceId, propertyId: world.tenant.elsewhere });
    await ask('unlockDevice', { deviceId });
    const onDoor = world.tenant.doors[door];
    const reader = onDoor.as((await keyWith(world.tenant.api, { scopes: ['devices:read', 'devices:write'] })).key);
    const [elsewhere, here] = await rowsOf(deviceId);
    expect((await reader.ask('lockDevice', { deviceId })).body.error.message).toContain('devices:control');
    expect((await reader.ask('getDeviceCommand', { commandId: here?.id })).status).toBe(200);
    const limited = onDoor.as(world.tenant.limited.key);
    expect((await limited.ask('lockDevice', { deviceId })).status).toBe(404);
    expect((await limited.ask('getDeviceCommand', { commandId: here?.id })).body.data.operation).toBe('lockDevice');
    expect((await limited.ask('getDeviceCommand', { commandId: elsewhere?.id })).status).toBe(404);
    expect((await limited.ask('listDeviceCommands', { deviceId })).body.data).toHaveLength(1);
    const stranger = onDoor.as(world.tenant.stranger.key);
    for (const id of [here?.id as string, absentId('command')])
      expect((await stranger.ask('getDeviceCommand', { commandId: id })).status).toBe(404);
    expect((await stranger.ask('unlockDevice', { deviceId })).status).toBe(404);
    expect((await stranger.ask('listDeviceCommands', {})).body.data).toEqual([]);
    expect(await causedSince('sim-lock-1')).toEqual([2, 2]);
  });
});

it('return 202 and the location of the command', async () => {
  const deviceId = world.simulator.devices['sim-lock-1'];
  await world.simulator.behave('slow');
  const key = { 'idempotency-key': randomUUID() };
  const asked = world.tenant.api.post(`/devices/${deviceId}/lock`, undefined, key);
  await world.contacted();
  clock.advance(10_000);
  const { status, headers, body, text } = await asked;
  expect([status, headers.get('location')]).toEqual([202, `/api/v1/device-commands/${body.data.id}`]);
  expect((await world.tenant.api.get(headers.get('location') as string)).body.data).toMatchObject({
    status: 'sent',
    deviceId,
  });
  const replay = await world.tenant.api.post(`/devices/${deviceId}/lock`, undefined, key);
  expect([replay.status, replay.text, replay.headers.get('location')]).toEqual([202, text, headers.get('location')]);
  clock.advance(5_000);
});

it('that took effect outrank a list that was requested before', async () => {
  const deviceId = world.simulator.devices['sim-lock-1'];
  const provider = world.tenant.service.app.get(DeviceSimulator);
  const discover = provider.discover.bind(provider);
  // Its response is late, and providers do not say how old theirs is.
  jest.spyOn(provider, 'discover').mockImplementationOnce(async (account, signal) => {
    const found = await discover(account, signal);
    if (found.outcome !== 'read') return found;
    expect((await world.tenant.api.post(`/devices/${deviceId}/unlock`)).body.data.status).toBe('succeeded');
    const reportedAt = new Date().toISOString();
    return { ...found, value: found.value.map((one) => ({ ...one, report: { ...one.report, reportedAt } })) };
  });
  clock.set(Date.now());
  expect((await world.tenant.api.post(`/connections/${world.simulator.connectionId}/sync`)).status).toBe(200);
  expect((await world.tenant.api.get(`/devices/${deviceId}`)).body.data.state.lockState).toBe('unlocked');
  clock.advance(1_000);
  await world.tenant.api.post(`/devices/${deviceId}/lock`);
  expect((await world.tenant.api.get(`/devices/${deviceId}`)).body.data.state.lockState).toBe('locked');
});
