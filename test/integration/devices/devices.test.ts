import { SystemDatabase } from '#system-database';
import { DeviceReports } from '../../../src/features/devices/device-reports.service.js';
import type { DeviceReport } from '../../../src/features/devices/providers/device-answers.js';
import type { Json } from '../../support/api.js';
import { type Door, doorNames } from '../../support/doors.js';
import { feedSettled } from '../../support/feed.js';
import { absentId, keyWith, propertyOf, unitOf } from '../../support/factories.js';
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
afterAll(() => tenant.close());

/** As a vendor pushes it. */
const report = (report: Partial<DeviceReport> & { reportedAt: string }): Promise<void> =>
  tenant.service.app
    .get(DeviceReports)
    .receive(tenant.orgId, simulator.connectionId, [{ providerDeviceId: 'sim-lock-1', ...report }]);
const at = (second: number): string => new Date(Date.now() + second * 1_000).toISOString();
const eventsOf = async (deviceId: string): Promise<string[]> => {
  await feedSettled(tenant.service);
  return ((await tenant.api.get(`/events?subject=${deviceId}`)).body.data as Json[]).map(({ type }) => type as string);
};

describe.each(doorNames)('devices over %s', (name) => {
  let ask: Door['ask'];
  let door: Door;
  beforeAll(() => {
    door = tenant.doors[name];
    ({ ask } = door);
  });

  it('appear with their connection, with their capabilities and states', async () => {
    const { connectionId } = simulator;
    const { status, body } = await ask('listDevices', { connectionId, sort: 'name' });
    expect([status, body.data.map((device: Json) => [device.providerDeviceId, device.type])]).toEqual([
      200,
      [
        ['sim-lock-2', 'lock'],
        ['sim-lock-1', 'lock'],
        ['sim-thermostat-1', 'thermostat'],
      ],
    ]);
    const device = (await ask('getDevice', { deviceId: simulator.devices['sim-lock-1'] })).body.data;
    expect(device).toMatchObject({
      name: 'Front door',
      connectionId,
      propertyId: null,
      manufacturer: 'Simulator',
      online: true,
      batteryLevel: 80,
      state: { lockState: 'locked', temperature: null, mode: null },
      capabilities: { lockDevice: true, setDeviceMode: false, accessCodes: true },
      remoteControlEnabled: true,
      archivedAt: null,
      version: 1,
    });
    expect(Date.parse(device.stateReportedAt)).toBeLessThanOrEqual(Date.now());
    expect((await ask('listDevices', { connectionId, type: 'thermostat' })).body.data).toHaveLength(1);
    expect((await ask('listDevices', { connectionId, online: false })).body.data).toEqual([]);
  });

  it('are renamed, placed and switched, and keep that through syncs', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    const unitId = await unitOf(tenant.api, tenant.here, `Unit ${name}`);
    const changes = { name: 'Cellar', propertyId: tenant.here, unitId, remoteControlEnabled: false };
    expect((await ask('updateDevice', { deviceId, ...changes })).body.data).toMatchObject({ ...changes, version: 2 });
    const synced = await ask('syncConnection', { connectionId: simulator.connectionId });
    expect(synced.body.data.lastSync).toEqual({ created: 0, updated: 0, cancelled: 0, unchanged: 3 });
    expect((await ask('getDevice', { deviceId })).body.data).toMatchObject({ ...changes, version: 2 });
    // At another property it is in no unit, unless one is named.
    const moved = await ask('updateDevice', { deviceId, propertyId: tenant.elsewhere });
    expect(moved.body.data).toMatchObject({ propertyId: tenant.elsewhere, unitId: null });

    const refused = async (input: object) => {
      const { status, body } = await ask('updateDevice', { deviceId, ...input });
      return [status, body.error.details?.key ?? body.error.code];
    };
    expect(await refused({ unitId })).toEqual([404, 'NOT_FOUND']);
    expect(await refused({ propertyId: null, unitId })).toEqual([400, 'DEVICE_UNIT_WITHOUT_PROPERTY']);
    expect(await refused({ propertyId: absentId('property') })).toEqual([404, 'NOT_FOUND']);
    const gone = await propertyOf(tenant.api, 'Gone');
    await tenant.api.post(`/properties/${gone}/archive`);
    expect(await refused({ propertyId: gone })).toEqual([409, 'PROPERTY_ARCHIVED']);
  });

  it('are archived and restored, but not after their connection has ended', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    const { connectionId } = simulator;
    const listed = async (archived: boolean): Promise<number> =>
      (await ask('listDevices', { connectionId, archived })).body.data.length as number;
    expect((await ask('archiveDevice', { deviceId })).body.data.archivedAt).toEqual(expect.any(String));
    expect([await listed(false), await listed(true)]).toEqual([2, 1]);
    const { updatedAt: updatedSince } = (await ask('getDevice', { deviceId })).body.data;
    const since = (await ask('listDevices', { connectionId, updatedSince })).body.data as Json[];
    expect(since.map(({ id }) => id as string)).toEqual([deviceId]);
    expect((await ask('updateDevice', { deviceId, name: 'x' })).body.error.code).toBe('DEVICE_ARCHIVED');
    expect((await ask('restoreDevice', { deviceId })).body.data.archivedAt).toBeNull();
    await ask('disconnectConnection', { connectionId });
    expect([await listed(false), await listed(true)]).toEqual([0, 3]);
    const refused = await ask('restoreDevice', { deviceId });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'CONNECTION_DISCONNECTED']);
    expect((await ask('lockDevice', { deviceId })).body.error.code).toBe('DEVICE_ARCHIVED');
  });

  it('are counted as they are listed', async () => {
    const { connectionId } = simulator;
    const counted = async (filters: object, key = tenant.key): Promise<Json> =>
      (await door.as(key).ask('countDevices', { connectionId, ...filters })).body.data;
    expect(await counted({})).toEqual({ online: 3, offline: 0 });
    expect(await counted({ type: 'lock' })).toEqual({ online: 2, offline: 0 });
    expect(await counted({}, tenant.limited.key)).toEqual({ online: 0, offline: 0 });
    expect(await counted({}, tenant.stranger.key)).toEqual({ online: 0, offline: 0 });
  });

  it('are visible to a limited credential only at its properties', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    const limited = door.as(tenant.limited.key);
    const sees = async (): Promise<unknown[]> => [
      (await limited.ask('getDevice', { deviceId })).status,
      (await limited.ask('updateDevice', { deviceId, name: 'Mine' })).status,
      (await limited.ask('listDeviceReadings', { deviceId })).status,
      (await limited.ask('listDevices', { connectionId: simulator.connectionId })).body.data.length,
    ];
    expect(await sees()).toEqual([404, 404, 404, 0]);
    await ask('updateDevice', { deviceId, propertyId: tenant.elsewhere });
    expect(await sees()).toEqual([404, 404, 404, 0]);
    await ask('updateDevice', { deviceId, propertyId: tenant.here });
    expect(await sees()).toEqual([200, 200, 200, 1]);
    const astray = await limited.ask('updateDevice', { deviceId, propertyId: null });
    expect([astray.status, astray.body.error.details.issues[0].path]).toEqual([400, ['propertyId']]);
    expect((await limited.ask('updateDevice', { deviceId, propertyId: tenant.elsewhere })).status).toBe(404);
    expect((await door.as(tenant.stranger.key).ask('getDevice', { deviceId })).status).toBe(404);
    const reader = door.as((await keyWith(tenant.api, { scopes: ['devices:read'] })).key);
    expect((await reader.ask('getDevice', { deviceId })).status).toBe(200);
    expect((await reader.ask('archiveDevice', { deviceId })).status).toBe(403);
  });

  it('keep a property from being ready while it is unlocked or colder than its target', async () => {
    const propertyId = await propertyOf(tenant.api, 'Ready');
    const [lock, thermostat] = [simulator.devices['sim-lock-1'], simulator.devices['sim-thermostat-1']];
    for (const deviceId of [lock, thermostat]) await ask('updateDevice', { deviceId, propertyId });
    const readiness = async (): Promise<unknown[]> => {
      const { body } = await ask('getProperty', { propertyId });
      const listed = (await ask('listProperties', { limit: 1 })).body.data[0];
      expect([listed.readiness, listed.notReadyBecause]).toEqual([body.data.readiness, body.data.notReadyBecause]);
      return [body.data.readiness, ...body.data.notReadyBecause];
    };
    expect(await readiness()).toEqual(['ready']);
    await ask('unlockDevice', { deviceId: lock });
    await report({ providerDeviceId: 'sim-thermostat-1', reportedAt: at(1), state: { temperature: 12 } });
    expect(await readiness()).toEqual(['not_ready', 'unlocked', 'temperature']);
    const dirty = await ask('setPropertyStatus', { propertyId, cleaningStatus: 'dirty' });
    expect(dirty.body.data.notReadyBecause).toEqual(['not_clean', 'unlocked', 'temperature']);
    await ask('setPropertyStatus', { propertyId, cleaningStatus: 'inspected' });
    await ask('archiveDevice', { deviceId: thermostat });
    await ask('lockDevice', { deviceId: lock });
    expect(await readiness()).toEqual(['ready']);
  });

  it('of a connection for one property are at that property', async () => {
    const input = { provider: 'simulator', kind: 'device', name: 'Here', settings: { propertyId: tenant.here } };
    const limited = door.as(tenant.limited.key);
    const { body } = await limited.ask('createConnection', input);
    const { data } = (await limited.ask('listDevices', { connectionId: body.data.id })).body;
    expect(data.map(({ propertyId }: Json) => propertyId as string)).toEqual(Array(3).fill(tenant.here));
    const anywhere = await limited.ask('createConnection', { ...input, settings: {} });
    expect(anywhere.body.error.details.key).toBe('CONNECTION_NEEDS_A_PROPERTY');
    const unknown = await ask('createConnection', { ...input, settings: { behaviour: { 'sim-lock-1': 'sulk' } } });
    expect(unknown.body.error.details.issues[0].path).toEqual(['settings', 'behaviour', 'sim-lock-1']);
  });
});

describe('the reports of devices', () => {
  it('are kept with their age, recorded as events, and as a reading for each change', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    const known = (await eventsOf(deviceId)).length;
    await report({ reportedAt: at(1), state: { lockState: 'unlocked' } });
    // Reported again: only its age is new.
    await report({ reportedAt: at(2), state: { lockState: 'unlocked' } });
    await report({ reportedAt: at(3), batteryLevel: 20 });
    await report({ reportedAt: at(4), batteryLevel: 12, online: false });
    const back = at(5);
    await report({ reportedAt: back, online: true });
    expect((await eventsOf(deviceId)).slice(known)).toEqual([
      'device.state_changed',
      'device.battery_low',
      'device.went_offline',
      'device.came_online',
    ]);
    const device = (await tenant.api.get(`/devices/${deviceId}`)).body.data;
    expect(device).toMatchObject({ online: true, batteryLevel: 12, stateReportedAt: back, version: 5 });
    const readings = (await tenant.api.get(`/devices/${deviceId}/readings`)).body.data as Json[];
    expect(readings.map(({ online, batteryLevel, state }) => [online, batteryLevel, state.lockState])).toEqual([
      [true, 12, 'unlocked'],
      [false, 12, 'unlocked'],
      [true, 20, 'unlocked'],
      [true, 80, 'unlocked'],
      [true, 80, 'locked'],
    ]);
    const [latest] = readings;
    const span = `from=${latest?.reportedAt}&before=${at(60)}`;
    expect((await tenant.api.get(`/devices/${deviceId}/readings?${span}`)).body.data).toEqual([latest]);
  });

  it('are kept for thirty days as a reading, until the next one', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    await tenant.service.app
      .get(SystemDatabase)
      .rows("update device_readings set reported_at = reported_at - interval '30 days 1 minute'", []);
    const readings = async () => (await tenant.api.get(`/devices/${deviceId}/readings`)).body.data as Json[];
    expect(await readings()).toHaveLength(1);
    await report({ reportedAt: at(6), batteryLevel: 11 });
    expect((await readings()).map(({ batteryLevel }) => batteryLevel)).toEqual([11]);
  });

  it('are ignored while the device is archived', async () => {
    const { connectionId, devices } = simulator;
    const deviceId = devices['sim-lock-1'];
    const archived = (await tenant.api.post(`/devices/${deviceId}/archive`)).body.data as Json;
    const known = await eventsOf(deviceId);
    await report({ reportedAt: at(1), online: false, batteryLevel: 5 });
    const offers = `update devices set model = 'Older' where id = $1`;
    await tenant.service.app.get(SystemDatabase).rows(offers, [deviceId.replace('device_', '')]);
    await tenant.api.post(`/connections/${connectionId}/sync`);
    expect((await tenant.api.get(`/devices/${deviceId}`)).body.data).toEqual({ ...archived, model: 'Older' });
    expect(await eventsOf(deviceId)).toEqual(known);
  });

  it('are ignored if something newer is known', async () => {
    const deviceId = simulator.devices['sim-lock-1'];
    await report({ reportedAt: at(-3_600), state: { lockState: 'unlocked' }, online: false });
    expect((await tenant.api.get(`/devices/${deviceId}`)).body.data).toMatchObject({
      online: true,
      state: { lockState: 'locked' },
      version: 1,
    });
  });
});
