import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import { CommandRunner } from '../../../src/features/devices/commands/command-runner.service.js';
import { CommandSteps } from '../../../src/features/devices/commands/command-steps.service.js';
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

describe.each(doorNames)('commands over %s', (door) => {
  const { ask, causedSince, rowsOf } = commandsOver(door, () => world);
  /** A slow command, and one that waits for it. */
  const oneBehindAnother = async (
    deviceId: string,
    asking = world.tenant.doors[door],
  ): Promise<Record<'first' | 'second', Promise<DoorReply>>> => {
    await world.simulator.behave('slow');
    const first = ask('unlockDevice', { deviceId });
    await world.contacted();
    const second = asking.ask('lockDevice', { deviceId });
    await until(
      () => rowsOf(deviceId),
      (rows) => rows.length === 2,
    );
    return { first, second };
  };

  it('to one device run one after the other, and to different devices in parallel', async () => {
    const deviceId = world.simulator.devices['sim-lock-1'];
    const { first, second } = await oneBehindAnother(deviceId);
    await world.simulator.behave('ok');
    expect((await ask('lockDevice', { deviceId: world.simulator.devices['sim-lock-2'] })).status).toBe(200);
    expect(await causedSince('sim-lock-1')).toEqual([1, 0]);
    const [queued, sent] = await rowsOf(deviceId);
    expect([queued?.status, sent?.status]).toEqual(['queued', 'sent']);
    await world.pass(15);
    await Promise.all([first, second]);
    const rows = await until(
      () => rowsOf(deviceId),
      (all) => all.every(({ status }) => status === 'succeeded'),
    );
    expect(rows.map(({ operation }) => operation as string)).toEqual(['lockDevice', 'unlockDevice']);
    expect((await ask('getDevice', { deviceId })).body.data.state.lockState).toBe('locked');
  });

  it('that wait are rejected if they may no longer be sent when it is their turn', async () => {
    const deviceId = world.simulator.devices['sim-lock-1'];
    const { first, second } = await oneBehindAnother(deviceId);
    await ask('archiveDevice', { deviceId });
    await world.pass(15);
    await Promise.all([first, second]);
    const [refused] = await until(
      () => rowsOf(deviceId),
      ([command]) => command?.status !== 'queued',
    );
    expect(refused).toMatchObject({ status: 'refused', error: { code: 'DEVICE_ARCHIVED' }, sentAt: null });
    expect(await causedSince('sim-lock-1')).toEqual([1, 1]);
  });

  it('that wait are rejected if the key that requested them has ended when it is their turn', async () => {
    const deviceId = world.simulator.devices['sim-lock-1'];
    const { id, key } = await keyWith(world.tenant.api, { scopes: ['devices:control', 'devices:read'] });
    const { first, second } = await oneBehindAnother(deviceId, world.tenant.doors[door].as(key));
    await world.tenant.api.post(`/api-keys/${id}/revoke`);
    await world.pass(15);
    await Promise.all([first, second]);
    const [refused] = await until(
      () => rowsOf(deviceId),
      ([command]) => command?.status !== 'queued',
    );
    expect(refused).toMatchObject({ status: 'refused', error: { code: 'FORBIDDEN' }, sentAt: null });
    expect(await causedSince('sim-lock-1')).toEqual([1, 1]);
  });
});

const anybody = () => operatorFor(world.tenant.orgId, absentId('member'));

/** One more command to the first lock, which nobody carries out. */
const queued = async (operation: string, count: number): Promise<[Promise<unknown>, DeviceCommand]> => {
  jest.spyOn(world.tenant.service.app.get(CommandRunner), 'start').mockResolvedValue();
  const deviceId = world.simulator.devices['sim-lock-1'];
  const asked = world.tenant.api.post(`/devices/${deviceId}/${operation}`);
  const [row] = await until(
    async () => (await world.tenant.api.get(`/device-commands?deviceId=${deviceId}`)).body.data as Json[],
    (rows) => rows.length === count,
  );
  const commands = world.tenant.service.app.get(DeviceCommandsRepository);
  return [asked, (await commands.findAny(world.tenant.orgId, row?.id as string)) as DeviceCommand];
};

it('that wait cost no more than one, and more than twenty are rejected', async () => {
  const takeTurn = jest.spyOn(world.tenant.service.app.get(CommandSteps), 'takeTurn');
  const deviceId = world.simulator.devices['sim-lock-1'];
  const request = (headers?: Record<string, string>) =>
    world.tenant.api.post(`/devices/${deviceId}/lock`, undefined, headers);
  const rows = async () =>
    (await world.tenant.api.get(`/device-commands?deviceId=${deviceId}&limit=100`)).body.data as Json[];
  const open = () =>
    world.tenant.service.app.get(DeviceCommandsRepository).openAt(world.tenant.orgId, deviceId as string);
  await world.simulator.behave('slow');
  const asked = [request()];
  await world.contacted();
  while (asked.length < 20) asked.push(request());
  await until(open, (count) => count === 20);
  const key = { 'idempotency-key': randomUUID() };
  const { status, headers, body } = await request(key);
  expect([status, body.error.code, headers.get('retry-after')]).toEqual([409, 'DEVICE_BUSY', '5']);
  expect(await rows()).toHaveLength(20);
  expect(takeTurn).toHaveBeenCalledTimes(1);
  await world.pass(60);
  // Commands without a response from the provider are inquired about as time passes.
  await until(
    () => world.pass(5).then(open),
    (count) => count === 0,
  );
  expect((await rows()).filter(({ sentAt }) => sentAt === null)).not.toHaveLength(0);
  await world.simulator.behave('ok');
  expect((await request(key)).status).toBe(200);
  await Promise.all(asked);
});

it('that wait keep their lease while their process lives, but no longer than they may be sent', async () => {
  const steps = world.tenant.service.app.get(CommandSteps);
  jest.spyOn(world.claims(), 'due').mockResolvedValue([]);
  const [asked, command] = await queued('lock', 1);
  const waitedFor = async (): Promise<number> => {
    await world.claims().hold(claimOf(command), () => world.claims().renew());
    const { dueAt, createdAt } = (await world.tenant.service.app
      .get(DeviceCommandsRepository)
      .findAny(world.tenant.orgId, command.id)) as DeviceCommand;
    return Date.parse(dueAt as string) - Date.parse(createdAt);
  };
  clock.set(Date.parse(command.createdAt) + 50_000);
  expect(await waitedFor()).toBeGreaterThanOrEqual(56_000);
  clock.set(Date.parse(command.createdAt) + 58_000);
  expect(await waitedFor()).toBe(60_000);
  await steps.settle(command, { status: 'failed', error: null });
  await asked;
});

it('run in the order in which they arrived', async () => {
  const steps = world.tenant.service.app.get(CommandSteps);
  const [first, earlier] = await queued('lock', 1);
  const [second, later] = await queued('unlock', 2);
  expect(await steps.takeTurn(anybody(), later)).toBe('waits');
  expect(await steps.takeTurn(anybody(), earlier)).toMatchObject({ providerDeviceId: 'sim-lock-1' });
  expect(await steps.takeTurn(anybody(), later)).toBe('waits');
  for (const command of [earlier, later]) await steps.settle(command, { status: 'failed', error: null });
  await Promise.all([first, second]);
});

it('are not sent after a minute, whichever process checks them', async () => {
  const steps = world.tenant.service.app.get(CommandSteps);
  const due = jest.spyOn(world.claims(), 'due').mockResolvedValue([]);
  const shown = async ({ id }: DeviceCommand): Promise<Json> =>
    (await world.tenant.api.get(`/device-commands/${id}`)).body.data as Json;
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
  expect(await world.simulator.counts()).toEqual({ contacts: 0, effects: 0 });
});

it('are not written by a process that lost its claim', async () => {
  const steps = world.tenant.service.app.get(CommandSteps);
  const commands = world.tenant.service.app.get(DeviceCommandsRepository);
  const deviceId = world.simulator.devices['sim-lock-1'];
  await world.simulator.behave('slow');
  const asked = world.tenant.api.post(`/devices/${deviceId}/lock`);
  await world.contacted();
  const [{ id }] = (await world.tenant.api.get(`/device-commands?deviceId=${deviceId}`)).body.data as [Json];
  const waiting = (await commands.findAny(world.tenant.orgId, id as string)) as DeviceCommand;
  expect(await world.claims().take(waiting)).toBeUndefined();
  clock.advance(10_000);
  // Here, unless the service itself was faster.
  await world.claims().take(waiting);
  expect((await commands.findAny(world.tenant.orgId, waiting.id))?.attempt).toBe(waiting.attempt + 1);
  expect(await steps.note(waiting, { providerRef: 'late' })).toBe(false);
  await steps.settle(waiting, { status: 'failed', error: null });
  expect((await asked).body.data.status).toBe('sent');
  clock.advance(20_000);
  const settled = await until(
    () => commands.findAny(world.tenant.orgId, waiting.id),
    (command) => command?.status !== 'sent',
  );
  expect(settled?.status).toBe('succeeded');
});
