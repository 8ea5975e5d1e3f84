import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, propertyOf, stayOf, unitOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const read = async (id: string) => (await tenant.api.get(`/properties/${id}`)).body.data;
const soon = { checkInDate: '2090-07-01', checkOutDate: '2090-07-03' };

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);

  it('updateProperty changes the given fields, keeps the rest, and clears with null', async () => {
    const propertyId = await propertyOf(tenant.api);
    const before = await read(propertyId);
    const address = { line1: 'Rua 1', city: 'Lisboa', country: 'PT' };
    const first = await ask('updateProperty', { propertyId, address, capacity: 3, tags: ['sea'] });
    const { updatedAt } = first.body.data;
    expect(first.body.data).toEqual({ ...before, address, capacity: 3, tags: ['sea'], version: 2, updatedAt });
    const second = await ask('updateProperty', { propertyId, address: null, capacity: null });
    expect(second.body.data).toMatchObject({ address: null, capacity: null, tags: ['sea'], version: 3 });
    expect(await read(propertyId)).toEqual(second.body.data);
  });

  it.each([
    ['name', { name: null }],
    ['checkInTime', { checkInTime: null }],
    ['geo.latitude', { geo: { latitude: 91, longitude: 0 } }],
    ['address.country', { address: { country: 'Portugal' } }],
    ['wifi.password', { wifi: { networkName: 'x' } }],
    ['cleaningStatus', { cleaningStatus: 'dirty' }],
    ['automaticTasks.0.timeRule.start.event', { automaticTasks: [automatic('midnight')] }],
    ['automaticTasks.0.timeRule.end.offsetMinutes', { automaticTasks: [automatic('arrival', 1e9)] }],
  ])('updateProperty rejects a bad %s', async (field, changes) => {
    const reply = await ask('updateProperty', { propertyId: tenant.here, ...changes });
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
  });

  it.each([
    ['dirty', 'not_ready'],
    ['cleaning', 'not_ready'],
    ['clean', 'ready'],
    ['inspected', 'ready'],
    ['out_of_service', 'not_ready'],
    ['out_of_order', 'not_ready'],
  ])('setPropertyStatus %s changes it to %s', async (cleaningStatus, readiness) => {
    const { body } = await ask('setPropertyStatus', { propertyId: tenant.here, cleaningStatus });
    expect(body.data).toMatchObject({ cleaningStatus, readiness });
  });

  it('archiveProperty is blocked by future stays only', async () => {
    const propertyId = await propertyOf(tenant.api);
    await stayOf(tenant.api, { propertyId, checkInDate: '2020-01-01', checkOutDate: '2020-01-02' });
    const { id } = await stayOf(tenant.api, { propertyId, ...soon, status: 'inquiry' });
    const refused = await ask('archiveProperty', { propertyId });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'PROPERTY_IN_USE']);
    expect(refused.body.error.details.reservationIds).toEqual([id]);
    await tenant.api.patch(`/reservations/${id}`, { status: 'declined' });
    clock.set(Date.now());
    const { body } = await ask('archiveProperty', { propertyId });
    expect(body.data).toMatchObject({ archivedAt: body.data.updatedAt, version: 2 });
    expect((await ask('archiveProperty', { propertyId })).body.data).toEqual(body.data);
    const listed = async (filters: object) =>
      (await ask('listProperties', { limit: 100, ...filters })).body.data.some(
        (p: { id: string }) => p.id === propertyId,
      );
    expect([await listed({}), await listed({ archived: true })]).toEqual([false, true]);
    // Held back while a transaction of another test could still precede it.
    await until(() => listed({ updatedSince: body.data.updatedAt }), Boolean);
    const restored = await ask('restoreProperty', { propertyId });
    expect(restored.body.data).toMatchObject({ archivedAt: null, version: 3 });
    expect((await ask('restoreProperty', { propertyId })).body.data.version).toBe(3);
  });

  it('revealWifi shows what no other response does, and null deletes it', async () => {
    const propertyId = await propertyOf(tenant.api);
    const reveal = () => ask('revealWifi', { propertyId });
    expect((await reveal()).body.error.code).toBe('NO_WIFI');
    const wifi = { networkName: 'casa', password: 'hunter22' };
    const changed = await ask('updateProperty', { propertyId, wifi });
    expect([changed.body.data.hasWifi, JSON.stringify(changed.body)]).toEqual([
      true,
      expect.not.stringContaining('hunter22'),
    ]);
    expect((await reveal()).body.data).toEqual(wifi);
    await ask('updateProperty', { propertyId, wifi: null });
    expect((await reveal()).body.error.code).toBe('NO_WIFI');
  });

  it('rotateCalendarFeed returns another address, which revealCalendarFeed then shows', async () => {
    const propertyId = await propertyOf(tenant.api);
    const url = async (operation: string) => (await ask(operation, { propertyId })).body.data.url as string;
    const before = await url('revealCalendarFeed');
    expect(await url('revealCalendarFeed')).toBe(before);
    const after = await url('rotateCalendarFeed');
    expect(after).not.toBe(before);
    expect(await url('revealCalendarFeed')).toBe(after);
  });

  it.each([
    'updateProperty',
    'setPropertyStatus',
    'archiveProperty',
    'restoreProperty',
    'revealWifi',
    'revealCalendarFeed',
    'rotateCalendarFeed',
  ])('%s is limited to the properties of the key, and to its scopes', async (operation) => {
    const input = (propertyId: string) => ({
      propertyId,
      ...(operation === 'setPropertyStatus' && { cleaningStatus: 'dirty' }),
    });
    const foreign = await propertyOf(tenant.stranger);
    expect((await ask(operation, input(tenant.elsewhere), tenant.limited.key)).status).toBe(404);
    expect((await ask(operation, input(foreign))).status).toBe(404);
    expect((await ask(operation, input(absentId('property')))).status).toBe(404);
    expect((await ask(operation, input(tenant.here), tenant.reader.key)).status).toBe(403);
  });

  it('units are added, listed, changed and archived at their property', async () => {
    const propertyId = await propertyOf(tenant.api);
    const { status, body } = await ask('createUnit', { propertyId, name: '101' });
    const { id: unitId, createdAt, updatedAt, ...unit } = body.data;
    expect([status, /^unit_[0-9a-f]{32}$/.test(unitId), updatedAt]).toEqual([201, true, createdAt]);
    expect(unit).toEqual({
      propertyId,
      unitTypeId: null,
      name: '101',
      floor: null,
      sortOrder: 0,
      connectsTo: [],
      capacity: null,
      cleaningStatus: 'clean',
      doNotDisturb: false,
      doNotDisturbUntil: null,
      makeUpRoom: false,
      makeUpRoomUntil: null,
      readiness: 'ready',
      notReadyBecause: [],
      tags: [],
      metadata: {},
      externalRefs: [],
      archivedAt: null,
      version: 1,
    });
    expect((await ask('listUnits', { propertyId })).body.data).toEqual([body.data]);
    const changed = await ask('updateUnit', { propertyId, unitId, cleaningStatus: 'dirty', capacity: 2 });
    expect(changed.body.data).toMatchObject({ name: '101', cleaningStatus: 'dirty', capacity: 2, version: 2 });
    const stay = await stayOf(tenant.api, { propertyId, unitId, ...soon });
    const refused = await ask('archiveUnit', { propertyId, unitId });
    expect([refused.status, refused.body.error.code]).toEqual([409, 'UNIT_IN_USE']);
    await tenant.api.post(`/reservations/${stay.id}/cancel`);
    clock.set(Date.now());
    const archived = await ask('archiveUnit', { propertyId, unitId });
    expect(archived.body.data).toMatchObject({ archivedAt: archived.body.data.updatedAt, version: 3 });
    expect((await ask('listUnits', { propertyId })).body.data).toEqual([]);
    expect((await ask('listUnits', { propertyId, archived: true })).body.data).toEqual([archived.body.data]);
    const { updatedAt: changedAt } = archived.body.data;
    const since = async (updatedSince: string) => (await ask('listUnits', { propertyId, updatedSince })).body.data;
    // While a transaction of another file is open, what could come after it is held back.
    expect(
      await until(
        () => since(changedAt),
        ({ length }) => length > 0,
      ),
    ).toEqual([archived.body.data]);
    expect(await since(new Date(Date.parse(changedAt) + 1).toISOString())).toEqual([]);
  });

  it('units are accessible only through their own property', async () => {
    const unitId = await unitOf(tenant.api, tenant.elsewhere);
    const attempts = [
      await ask('updateUnit', { propertyId: tenant.here, unitId, name: 'x' }),
      await ask('archiveUnit', { propertyId: tenant.here, unitId }),
      await ask('updateUnit', { propertyId: tenant.elsewhere, unitId, name: 'x' }, tenant.limited.key),
      await ask('archiveUnit', { propertyId: tenant.elsewhere, unitId }, tenant.limited.key),
      await ask('createUnit', { propertyId: tenant.elsewhere, name: 'x' }, tenant.limited.key),
      await ask('listUnits', { propertyId: tenant.elsewhere }, tenant.limited.key),
    ];
    expect(attempts.map(({ status }) => status)).toEqual(Array(6).fill(404));
  });

  it('createUnit is rejected at an archived property', async () => {
    const propertyId = await propertyOf(tenant.api);
    await ask('archiveProperty', { propertyId });
    const { status, body } = await ask('createUnit', { propertyId, name: 'x' });
    expect([status, body.error.code]).toEqual([409, 'PROPERTY_ARCHIVED']);
  });
});

function automatic(event: string, offsetMinutes = 0): object {
  const end = { event: 'arrival', offsetMinutes };
  return { name: 'x', type: 'cleaning', timeRule: { start: { event, offsetMinutes: 0 }, end } };
}

describe('If-Match', () => {
  it('rejects a change to an earlier version', async () => {
    const propertyId = await propertyOf(tenant.api);
    const unitId = await unitOf(tenant.api, propertyId);
    const stale = { 'if-match': '"7"' };
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'x' }],
      ['POST', '/archive', undefined],
      ['PATCH', `/units/${unitId}`, { name: 'x' }],
      ['POST', `/units/${unitId}/archive`, undefined],
    ] as const) {
      const reply = await tenant.api.send(method, `/properties/${propertyId}${path}`, body, stale);
      expect([reply.status, reply.body.error.code]).toEqual([409, 'VERSION_MISMATCH']);
    }
  });
});
