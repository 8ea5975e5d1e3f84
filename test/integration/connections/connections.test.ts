import { uuidIn } from '#persistence';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { calendar, stay } from '../../support/calendar-server.js';
import { type Door, doorNames, doors } from '../../support/doors.js';
import { absentId, keyWith, propertyOf, unitOf } from '../../support/factories.js';
import { dumpOf } from '../../support/dump.js';
import { CalendarWorld } from './calendar-world.js';

let world: CalendarWorld;
beforeAll(async () => {
  world = await CalendarWorld.start();
});
beforeEach(() => world.reset());
afterAll(() => world.close());

describe.each(doorNames)('connections over %s', (door) => {
  let ask: Door['ask'];
  beforeAll(() => ({ ask } = doors(world.service)[door].as(world.api.key)));

  it('are created, read, changed and disconnected, and never show their credentials', async () => {
    const made = await ask('createConnection', world.ical());
    expect(made.status).toBe(201);
    expect(made.body.data).toMatchObject({
      provider: 'ical',
      kind: 'pms',
      name: 'Channel',
      status: 'connecting',
      reason: null,
      propertyId: world.propertyId,
      settings: { url: world.calendars.url, propertyId: world.propertyId },
      errors: [],
      lastSyncAt: null,
      version: 1,
    });
    const connectionId = made.body.data.id;
    const changed = await ask('updateConnection', {
      connectionId,
      name: 'Renamed',
      credentials: { token: 'another-secret' },
    });
    expect(changed.body.data).toMatchObject({ name: 'Renamed', status: 'connecting' });
    const listed = await ask('listConnections', { propertyId: world.propertyId, limit: 100 });
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toContain(connectionId);
    const ended = await ask('disconnectConnection', { connectionId });
    expect(ended.body.data).toMatchObject({ status: 'disconnected', nextSyncAt: null });
    for (const { body } of [made, changed, listed, ended])
      expect(JSON.stringify(body)).not.toMatch(/secret|credentials/);
    for (const operation of ['testConnection', 'syncConnection', 'updateConnection']) {
      const { status, body } = await ask(operation, {
        connectionId,
        ...(operation === 'updateConnection' && { name: 'x' }),
      });
      expect([status, body.error.code]).toEqual([409, 'CONNECTION_DISCONNECTED']);
    }
  });

  it('reject unknown providers, settings and places', async () => {
    const refused = async (given: object) => {
      const { status, body } = await ask('createConnection', { ...world.ical(), ...given });
      const issues = body.error.details?.issues as { path: string[]; message: string }[] | undefined;
      return [status, issues?.map(({ path, message }) => `${path.join('.')}: ${message}`)];
    };
    expect(await refused({ provider: 'nowhere' })).toEqual([
      400,
      ['provider: Choose one of: ical, push, seam, simulator, zigbee2mqtt.'],
    ]);
    expect(await refused({ kind: 'device' })).toEqual([400, ['kind: Choose one of: pms.']]);
    expect(await refused({ settings: { url: world.calendars.url, propertyId: world.propertyId, speed: 1 } })).toEqual([
      400,
      ['settings.speed: Unknown field. Remove it.'],
    ]);
    expect((await refused({ settings: {} }))[1]).toHaveLength(2);
    expect((await refused({ settings: { url: world.calendars.url, propertyId: absentId('property') } }))[0]).toBe(404);
    expect((await refused({ settings: { url: world.calendars.url, propertyId: 'nonsense' } }))[0]).toBe(404);
    expect(
      (
        await refused({
          settings: { url: world.calendars.url, propertyId: world.propertyId, unitId: absentId('unit') },
        })
      )[0],
    ).toBe(404);
  });

  it.each([
    'http://calendar.example/a.ics',
    'https://10.0.0.1/a.ics',
    'https://[::1]/a.ics',
    'ftp://a.example/',
    'words',
  ])('reject the address %s before it is called', async (url) => {
    const { status, body } = await ask('createConnection', world.ical({ url }));
    expect([status, body.error.details.issues[0].path]).toEqual([400, ['settings', 'url']]);
  });
});

describe('credentials', () => {
  it('are encrypted in the database, and deleted after a disconnect', async () => {
    const id = await world.connect();
    const dump = await dumpOf(world.service.database.url);
    expect(dump).not.toContain('very-secret-token');
    await world.api.post(`/connections/${id}/disconnect`);
    const { rows } = await world.database.query('select credentials from connections where id = $1', [
      id.split('_')[1],
    ]);
    expect(rows).toEqual([{ credentials: null }]);
  });
});

describe('access', () => {
  it('depends on scopes, organizations and properties', async () => {
    const id = await world.connect();
    const reader = (await keyWith(world.api, { scopes: ['connections:read'] })).api;
    expect((await reader.get(`/connections/${id}`)).status).toBe(200);
    expect((await reader.post(`/connections/${id}/sync`)).status).toBe(403);
    const stranger = await anotherOrganization(world.service);
    expect((await stranger.get(`/connections/${id}`)).status).toBe(404);
    expect((await stranger.post(`/connections/${id}/sync`)).status).toBe(404);
    const elsewhere = await propertyOf(world.api, 'Elsewhere');
    const limited = (await keyWith(world.api, { propertyIds: [elsewhere] })).api;
    const everywhere = { provider: 'simulator', kind: 'pms', name: 'PMS', settings: {} };
    const { id: ofAll } = (await world.api.post('/connections', everywhere)).body.data;
    for (const hidden of [id, ofAll as string]) {
      expect((await limited.get(`/connections/${hidden}`)).status).toBe(404);
      expect((await limited.patch(`/connections/${hidden}`, { name: 'Mine' })).status).toBe(404);
      expect((await limited.post(`/connections/${hidden}/sync`)).status).toBe(404);
      expect((await limited.post(`/connections/${hidden}/disconnect`)).status).toBe(404);
    }
    expect((await limited.get('/connections')).body.data).toEqual([]);
    expect((await limited.post('/connections', everywhere)).body.error.details.key).toBe('CONNECTION_NEEDS_A_PROPERTY');
    expect((await limited.post('/connections', world.ical({ propertyId: elsewhere }))).status).toBe(201);
  });
});

describe('a connection that is not disconnected', () => {
  it('keeps its place from being archived', async () => {
    const place = await propertyOf(world.api, 'Connected');
    const [unitId, another] = [await unitOf(world.api, place), await unitOf(world.api, place, '102')];
    const id = await world.connect({ propertyId: place, unitId });
    const refusal = async (path: string) => {
      const { status, body } = await world.api.post(`/properties/${path}/archive`);
      return [status, body.error.code, body.error.details];
    };
    expect(await refusal(`${place}/units/${unitId}`)).toEqual([409, 'UNIT_HAS_CONNECTIONS', { connectionIds: [id] }]);
    expect(await refusal(place)).toEqual([409, 'PROPERTY_HAS_CONNECTIONS', { connectionIds: [id] }]);
    expect((await world.api.post(`/properties/${place}/units/${another}/archive`)).status).toBe(200);
    await world.api.post(`/connections/${id}/disconnect`);
    expect((await world.api.post(`/properties/${place}/archive`)).status).toBe(200);
  });

  it('imports nothing if the property was archived anyway', async () => {
    const place = await propertyOf(world.api, 'Gone');
    world.calendars.answer.body = calendar(stay('a@x', '20270701', '20270704'));
    const id = await world.connect({ propertyId: place });
    await world.database.query('update properties set archived_at = now() where id = $1', [uuidIn(place)]);
    const { body } = await world.api.post(`/connections/${id}/sync`);
    expect(body.data).toMatchObject({
      status: 'degraded',
      reason: expect.stringContaining('The property is archived'),
    });
    expect((await world.api.get(`/reservations?propertyId=${place}`)).body.data).toEqual([]);
  });
});

describe('testConnection', () => {
  it('returns whether the provider answers, and imports nothing', async () => {
    const place = await propertyOf(world.api, 'Tested');
    world.calendars.answer.body = calendar(stay('a@x', '20270701', '20270704'));
    const id = await world.connect({ propertyId: place });
    const { body } = await world.api.post(`/connections/${id}/test`);
    expect(body.data).toMatchObject({ status: 'connected', reason: null, lastSyncAt: null });
    expect((await world.api.get(`/reservations?propertyId=${place}`)).body.data).toEqual([]);
    world.calendars.answer = { status: 503, body: '' };
    const failed = await world.api.post(`/connections/${id}/test`);
    expect(failed.status).toBe(200);
    expect(failed.body.data).toMatchObject({
      status: 'degraded',
      reason: 'The address returned 503 instead of a calendar.',
      errors: [{ message: 'The address returned 503 instead of a calendar.' }],
    });
  });
});
