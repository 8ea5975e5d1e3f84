import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { CommandRunner } from '../../../src/features/devices/commands/command-runner.service.js';
import { CommandSteps } from '../../../src/features/devices/commands/command-steps.service.js';
import { DeviceSimulator } from '../../../src/features/devices/providers/simulator/simulator.provider.js';
import type { DeviceCommand } from '../../../src/features/devices/commands/device-command.entity.js';
import {
  claimOf,
  DeviceCommandsRepository,
} from '../../../src/features/devices/commands/device-commands.repository.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { type DoorReply, doorNames } from '../../support/doors.js';
import { absentId, keyWith } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { type Simulator, simulatorOf } from '../../support/simulator.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
let simulator: Simulator;
beforeAll(async () => {
  tenant = await startTenant();
});
beforeEach(async () => {
  simulator = await simulatorOf(tenant.api);
});
afterEach(() => {
  jest.restoreAllMocks();
  clock.restore();
});
afterAll(() => tenant.close());

const contacted = () =>
  until(
    () => simulator.counts(),
    ({ contacts }) => contacts === 1,
  );

const claims = () => tenant.service.app.get(DeviceCommandsRepository).claims;

/** Time passes in steps that are short enough to renew the leases of commands. */
async function pass(seconds: number): Promise<void> {
  for (let passed = 0; passed < seconds; passed += 5) {
    await claims().renew();
    clock.advance(5_000);
  }
}

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
  const ask = (operation: string, input: object, idempotencyKey?: string): Promise<DoorReply> =>
    tenant.doors[door].ask(operation, input, idempotencyKey === undefined ? {} : { idempotencyKey });
  const causedSince = async (device: string, before = { contacts: 0, effects: 0 }): Promise<[number, number]> => {
    const { contacts, effects } = await simulator.counts(device);
    return [contacts - before.contacts, effects - before.effects];
  };
  const rowsOf = async (deviceId: string): Promise<Json[]> =>
    (await ask('listDeviceCommands', { deviceId })).body.data as Json[];
  /** A slow command, and one that waits for it. */
  const oneBehindAnother = async (
    deviceId: string,
    asking = tenant.doors[door],
  ): Promise<Record<'first' | 'second', Promise<DoorReply>>> => {
    await simulator.behave('slow');
    const first = ask('unlockDevice', { deviceId });
    await contacted();
    const second = asking.ask('lockDevice', { deviceId });
    await until(
      () => rowsOf(deviceId),
      (rows) => rows.length === 2,
    );
    return { first, second };
  };

  it.each(faults)('take effect once or not at all, and are replayed without contact: %s', async (how, ...expected) => {
    const [status, caused, end, message] = expected;
    for (const [operation, device, args] of commands) {
      const deviceId = simulator.devices[device];
      const before = await simulator.counts(device);
      const key = randomUUID();
      await simulator.behave(how);
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

      await simulator.behave('ok');
      const anew = await ask(operation, { deviceId, ...args }, randomUUID());
      expect([anew.status, anew.body.data.status]).toEqual([200, 'succeeded']);
      expect((await ask(operation, { deviceId, ...args })).status).toBe(200);
      expect(await causedSince(device, before)).toEqual([caused[0] + 2, caused[1] + 2]);
    }
  });

  it('keep nothing if nothing was sent, so that the same key can be used within 5 seconds', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    const key = randomUUID();
    await simulator.behave('unreachable');
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
    await simulator.behave('ok');
    const startedAt = performance.now();
    await until(
      () => ask('lockDevice', { deviceId }, key),
      ({ status }) => status === 200,
    );
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(await causedSince('sim-lock-1')).toEqual([1, 1]);
  });

  it('return after 10 seconds while they are in progress, and continue until they are settled', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    await simulator.behave('slow');
    const key = randomUUID();
    // Only `pass` moves it: the vendor would be done by then where the machine is busy for five seconds.
    clock.set(Date.now());
    const asked = ask('unlockDevice', { deviceId }, key);
    await contacted();
    await pass(10);
    const { status, body } = await asked;
    expect([status, body.data.status]).toEqual([202, 'sent']);
    const commandId = body.data.id as string;
    expect((await ask('unlockDevice', { deviceId }, key)).body).toEqual(body);
    await pass(5);
    const settled = await until(
      async () => (await ask('getDeviceCommand', { commandId })).body.data as Json,
      (command) => command.status !== 'sent',
    );
    expect(settled).toMatchObject({ status: 'succeeded', error: null, settledAt: expect.any(String) });
    expect(await causedSince('sim-lock-1')).toEqual([1, 1]);
    expect((await ask('getDevice', { deviceId })).body.data.state.lockState).toBe('unlocked');
  });

  it('to one device run one after the other, and to different devices in parallel', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    const { first, second } = await oneBehindAnother(deviceId);
    await simulator.behave('ok');
    expect((await ask('lockDevice', { deviceId: simulator.devices['sim-lock-2'] })).status).toBe(200);
    expect(await causedSince('sim-lock-1')).toEqual([1, 0]);
    const [queued, sent] = await rowsOf(deviceId);
    expect([queued?.status, sent?.status]).toEqual(['queued', 'sent']);
    await pass(15);
    await Promise.all([first, second]);
    const rows = await until(
      () => rowsOf(deviceId),
      (all) => all.every(({ status }) => status === 'succeeded'),
    );
    expect(rows.map(({ operation }) => operation as string)).toEqual(['lockDevice', 'unlockDevice']);
    expect((await ask('getDevice', { deviceId })).body.data.state.lockState).toBe('locked');
  });

  it('that wait are rejected if they may no longer be sent when it is their turn', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    const { first, second } = await oneBehindAnother(deviceId);
    await ask('archiveDevice', { deviceId });
    await pass(15);
    await Promise.all([first, second]);
    const [refused] = await until(
      () => rowsOf(deviceId),
      ([command]) => command?.status !== 'queued',
    );
    expect(refused).toMatchObject({ status: 'refused', error: { code: 'DEVICE_ARCHIVED' }, sentAt: null });
    expect(await causedSince('sim-lock-1')).toEqual([1, 1]);
  });

  it('that wait are rejected if the key that requested them has ended when it is their turn', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    const { id, key } = await keyWith(tenant.api, { scopes: ['devices:control', 'devices:read'] });
    const { first, second } = await oneBehindAnother(deviceId, tenant.doors[door].as(key));
    await tenant.api.post(`/api-keys/${id}/revoke`);
    await pass(15);
    await Promise.all([first, second]);
    const [refused] = await until(
      () => rowsOf(deviceId),
      ([command]) => command?.status !== 'queued',
    );
    expect(refused).toMatchObject({ status: 'refused', error: { code: 'FORBIDDEN' }, sentAt: null });
    expect(await causedSince('sim-lock-1')).toEqual([1, 1]);
  });

  it('are rejected before any contact, with a row that gives the reason', async () => {
    const [lock, thermostat] = [simulator.devices['sim-lock-1'], simulator.devices['sim-thermostat-1']];
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
    const deviceId = simulator.devices['sim-thermostat-1'];
    const key = randomUUID();
    expect((await ask('setDeviceTemperature', { deviceId, temperature: 20 }, key)).status).toBe(200);
    expect((await ask('setDeviceTemperature', { deviceId, temperature: 21 }, key)).status).toBe(422);
  });

  it('that started under a key that is free again, after its time or an error, are distinguished', async () => {
    const deviceId = simulator.devices['sim-thermostat-1'];
    const key = randomUUID();
    const set = async (temperature: number) =>
      (await ask('setDeviceTemperature', { deviceId, temperature }, key)).status;
    expect(await set(20)).toBe(200);
    clock.advance(24 * 3_600_000);
    jest.spyOn(tenant.service.app.get(CommandRunner), 'start').mockRejectedValueOnce(new Error('Lost'));
    expect(await set(21)).toBe(500);
    expect(await set(22)).toBe(422);
  });

  it('are allowed for those who may control the device, and shown to those who may see it', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    await ask('updateDevice', { deviceId, propertyId: tenant.here });
    await ask('lockDevice', { deviceId });
    await ask('updateDevice', { deviceId, propertyId: tenant.elsewhere });
    await ask('unlockDevice', { deviceId });
    const onDoor = tenant.doors[door];
    const reader = onDoor.as((await keyWith(tenant.api, { scopes: ['devices:read', 'devices:write'] })).key);
    const [elsewhere, here] = await rowsOf(deviceId);
    expect((await reader.ask('lockDevice', { deviceId })).body.error.message).toContain('devices:control');
    expect((await reader.ask('getDeviceCommand', { commandId: here?.id })).status).toBe(200);
    const limited = onDoor.as(tenant.limited.key);
    expect((await limited.ask('lockDevice', { deviceId })).status).toBe(404);
    expect((await limited.ask('getDeviceCommand', { commandId: here?.id })).body.data.operation).toBe('lockDevice');
    expect((await limited.ask('getDeviceCommand', { commandId: elsewhere?.id })).status).toBe(404);
    expect((await limited.ask('listDeviceCommands', { deviceId })).body.data).toHaveLength(1);
    const stranger = onDoor.as(tenant.stranger.key);
    for (const id of [here?.id as string, absentId('command')])
      expect((await stranger.ask('getDeviceCommand', { commandId: id })).status).toBe(404);
    expect((await stranger.ask('unlockDevice', { deviceId })).status).toBe(404);
    expect((await stranger.ask('listDeviceCommands', {})).body.data).toEqual([]);
    expect(await causedSince('sim-lock-1')).toEqual([2, 2]);
  });
});

it('return 202 and the location of the command', async () => {
  const deviceId = simulator.devices['sim-lock-1'];
  await simulator.behave('slow');
  const key = { 'idempotency-key': randomUUID() };
  const asked = tenant.api.post(`/devices/${deviceId}/lock`, undefined, key);
  await contacted();
  clock.advance(10_000);
  const { status, headers, body, text } = await asked;
  expect([status, headers.get('location')]).toEqual([202, `/api/v1/device-commands/${body.data.id}`]);
  expect((await tenant.api.get(headers.get('location') as string)).body.data).toMatchObject({
    status: 'sent',
    deviceId,
  });
  const replay = await tenant.api.post(`/devices/${deviceId}/lock`, undefined, key);
  expect([replay.status, replay.text, replay.headers.get('location')]).toEqual([202, text, headers.get('location')]);
  clock.advance(5_000);
});

it('that took effect outrank a list that was requested before', async () => {
  const deviceId = simulator.devices['sim-lock-1'];
  const provider = tenant.service.app.get(DeviceSimulator);
  const discover = provider.discover.bind(provider);
  // Its response is late, and providers do not say how old theirs is.
  jest.spyOn(provider, 'discover').mockImplementationOnce(async (account, signal) => {
    const found = await discover(account, signal);
    if (found.outcome !== 'read') return found;
    expect((await tenant.api.post(`/devices/${deviceId}/unlock`)).body.data.status).toBe('succeeded');
    const reportedAt = new Date().toISOString();
    return { ...found, value: found.value.map((one) => ({ ...one, report: { ...one.report, reportedAt } })) };
  });
  clock.set(Date.now());
  expect((await tenant.api.post(`/connections/${simulator.connectionId}/sync`)).status).toBe(200);
  expect((await tenant.api.get(`/devices/${deviceId}`)).body.data.state.lockState).toBe('unlocked');
  clock.advance(1_000);
  await tenant.api.post(`/devices/${deviceId}/lock`);
  expect((await tenant.api.get(`/devices/${deviceId}`)).body.data.state.lockState).toBe('locked');
});

it('that wait cost no more than one, and more than twenty are rejected', async () => {
  const takeTurn = jest.spyOn(tenant.service.app.get(CommandSteps), 'takeTurn');
  const deviceId = simulator.devices['sim-lock-1'];
  const request = (headers?: Record<string, string>) =>
    tenant.api.post(`/devices/${deviceId}/lock`, undefined, headers);
  const rows = async () =>
    (await tenant.api.get(`/device-commands?deviceId=${deviceId}&limit=100`)).body.data as Json[];
  const open = () => tenant.service.app.get(DeviceCommandsRepository).openAt(tenant.orgId, deviceId as string);
  await simulator.behave('slow');
  const asked = [request()];
  await contacted();
  while (asked.length < 20) asked.push(request());
  await until(open, (count) => count === 20);
  const key = { 'idempotency-key': randomUUID() };
  const { status, headers, body } = await request(key);
  expect([status, body.error.code, headers.get('retry-after')]).toEqual([409, 'DEVICE_BUSY', '5']);
  expect(await rows()).toHaveLength(20);
  expect(takeTurn).toHaveBeenCalledTimes(1);
  await pass(60);
  // Commands without a response from the provider are inquired about as time passes.
  await until(
    () => pass(5).then(open),
    (count) => count === 0,
  );
  expect((await rows()).filter(({ sentAt }) => sentAt === null)).not.toHaveLength(0);
  await simulator.behave('ok');
  expect((await request(key)).status).toBe(200);
  await Promise.all(asked);
});

it('that wait keep their lease while their process lives, but no longer than they may be sent', async () => {
  const steps = tenant.service.app.get(CommandSteps);
  jest.spyOn(claims(), 'due').mockResolvedValue([]);
  const [asked, command] = await queued('lock', 1);
  const waitedFor = async (): Promise<number> => {
    await claims().hold(claimOf(command), () => claims().renew());
    const { dueAt, createdAt } = (await tenant.service.app
      .get(DeviceCommandsRepository)
      .findAny(tenant.orgId, command.id)) as DeviceCommand;
    return Date.parse(dueAt as string) - Date.parse(createdAt);
  };
  clock.set(Date.parse(command.createdAt) + 50_000);
  expect(await waitedFor()).toBeGreaterThanOrEqual(56_000);
  clock.set(Date.parse(command.createdAt) + 58_000);
  expect(await waitedFor()).toBe(60_000);
  await steps.settle(command, { status: 'failed', error: null });
  await asked;
});

const anybody = () => operatorFor(tenant.orgId, absentId('member'));

/** One more command to the first lock, which nobody carries out. */
const queued = async (operation: string, count: number): Promise<[Promise<unknown>, DeviceCommand]> => {
  jest.spyOn(tenant.service.app.get(CommandRunner), 'start').mockResolvedValue();
  const deviceId = simulator.devices['sim-lock-1'];
  const asked = tenant.api.post(`/devices/${deviceId}/${operation}`);
  const [row] = await until(
    async () => (await tenant.api.get(`/device-commands?deviceId=${deviceId}`)).body.data as Json[],
    (rows) => rows.length === count,
  );
  const commands = tenant.service.app.get(DeviceCommandsRepository);
  return [asked, (await commands.findAny(tenant.orgId, row?.id as string)) as DeviceCommand];
};

it('run in the order in which they arrived', async () => {
  const steps = tenant.service.app.get(CommandSteps);
  const [first, earlier] = await queued('lock', 1);
  const [second, later] = await queued('unlock', 2);
  expect(await steps.takeTurn(anybody(), later)).toBe('waits');
  expect(await steps.takeTurn(anybody(), earlier)).toMatchObject({ providerDeviceId: 'sim-lock-1' });
  expect(await steps.takeTurn(anybody(), later)).toBe('waits');
  for (const command of [earlier, later]) await steps.settle(command, { status: 'failed', error: null });
  await Promise.all([first, second]);
});

it('are not sent after a minute, whichever process checks them', async () => {
  const steps = tenant.service.app.get(CommandSteps);
  const due = jest.spyOn(claims(), 'due').mockResolvedValue([]);
  const shown = async ({ id }: DeviceCommand): Promise<Json> =>
    (await tenant.api.get(`/device-commands/${id}`)).body.data as Json;
  const [first, held] = await queued('unlock', 1);
  const [second, left] = await queued('lock', 2);
  clock.advance(60_000);
  expect(await steps.takeTurn(anybody(), held)).toBe('over');
  due.mockRestore();
  await until(
    () => shown(left),
    ({ status }) => status !== 'queued',
  );
  const unsent = {
    status: 'failed',
    sentAt: null,
    error: { code: 'CONNECTOR_ERROR', retryable: true, message: expect.stringContaining('waited a minute') },
  };
  expect([await shown(held), await shown(left)]).toEqual([
    expect.objectContaining(unsent),
    expect.objectContaining(unsent),
  ]);
  await Promise.all([first, second]);
  expect(await simulator.counts()).toEqual({ contacts: 0, effects: 0 });
});

it('are not written by a process that lost its claim', async () => {
  const steps = tenant.service.app.get(CommandSteps);
  const commands = tenant.service.app.get(DeviceCommandsRepository);
  const deviceId = simulator.devices['sim-lock-1'];
  await simulator.behave('slow');
  const asked = tenant.api.post(`/devices/${deviceId}/lock`);
  await contacted();
  const [{ id }] = (await tenant.api.get(`/device-commands?deviceId=${deviceId}`)).body.data as [Json];
  const waiting = (await commands.findAny(tenant.orgId, id as string)) as DeviceCommand;
  expect(await claims().take(waiting)).toBeUndefined();
  clock.advance(10_000);
  // Here, unless the service itself was faster.
  await claims().take(waiting);
  expect((await commands.findAny(tenant.orgId, waiting.id))?.attempt).toBe(waiting.attempt + 1);
  expect(await steps.note(waiting, { providerRef: 'late' })).toBe(false);
  await steps.settle(waiting, { status: 'failed', error: null });
  expect((await asked).body.data.status).toBe('sent');
  clock.advance(20_000);
  const settled = await until(
    () => commands.findAny(tenant.orgId, waiting.id),
    (command) => command?.status !== 'sent',
  );
  expect(settled?.status).toBe('succeeded');
});
