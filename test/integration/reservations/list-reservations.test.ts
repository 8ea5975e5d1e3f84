import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, propertyOf, stayOf, unitOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
let propertyId: string;
let unitId: string;
let names: Map<string, string>;

/** Five stays: three consecutive ones in the unit, an inquiry and a cancelled one at the property. */
beforeAll(async () => {
  tenant = await startTenant();
  propertyId = await propertyOf(tenant.api);
  unitId = await unitOf(tenant.api, propertyId);
  names = new Map();
  const add = async (name: string, from: string, to: string, wishes: object = {}) => {
    const dates = { checkInDate: `2030-07-${from}`, checkOutDate: `2030-07-${to}` };
    const { id } = await stayOf(tenant.api, { propertyId, ...dates, ...wishes });
    names.set(id, name);
    return id as string;
  };
  await add('second', '04', '08', { unitId, primaryGuest: { name: 'Zoë Quartz', email: 'Zoe@example.com' } });
  const first = await add('first', '01', '04', { unitId });
  await add('third', '08', '10', { unitId, channel: 'airbnb', confirmationCode: 'HM-1' });
  await add('inquiry', '01', '20', { status: 'inquiry' });
  const cancelled = await add('cancelled', '02', '03', { status: 'inquiry' });
  await tenant.api.post(`/reservations/${first}/check-in`, { early: true });
  await tenant.api.post(`/reservations/${cancelled}/cancel`);
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const namesOf = (rows: Json[]): string[] => rows.map(({ id }) => names.get(id) as string);

describe.each(doorNames)('listReservations over %s', (door) => {
  const list = (input: object, key = tenant.key) =>
    tenant.doors[door].as(key).ask('listReservations', { propertyId, ...input });

  it.each([
    [{}, ['cancelled', 'inquiry', 'third', 'first', 'second']],
    [{ sort: 'createdAt' }, ['second', 'first', 'third', 'inquiry', 'cancelled']],
    [{ status: 'confirmed' }, ['third', 'first', 'second']],
    [{ status: 'cancelled' }, ['cancelled']],
    [{ stayStatus: 'checked_in' }, ['first']],
    [{ stayingOn: '2030-07-04', status: 'confirmed' }, ['second']],
    [{ stayingOn: '2030-07-02' }, ['cancelled', 'inquiry', 'first']],
    [{ arrivingOn: '2030-07-01' }, ['inquiry', 'first']],
    [{ arrivingFrom: '2030-07-04' }, ['third', 'second']],
    [{ arrivingBefore: '2030-07-04', sort: 'checkInDate' }, ['first', 'inquiry', 'cancelled']],
    [{ departingOn: '2030-07-04' }, ['first']],
    [{ inHouseOn: '2030-07-03' }, ['first']],
    [{ inHouseOn: '2030-07-04' }, []],
    [{ channel: 'airbnb' }, ['third']],
    [{ confirmationCode: 'HM-1' }, ['third']],
    [{ guestEmail: ' zoe@EXAMPLE.com' }, ['second']],
    [{ q: 'QUARTZ' }, ['second']],
    [{ q: 'zoë q' }, ['second']],
    [{ q: '%%%' }, []],
    [{ stayingOn: '2031-01-01' }, []],
  ])('filters by %j', async (filters, expected) => {
    expect(namesOf((await list(filters)).body.data)).toEqual(expected);
  });

  it('filters by unit and by guest', async () => {
    expect(namesOf((await list({ unitId })).body.data)).toEqual(['third', 'first', 'second']);
    const [{ primaryGuest }] = (await list({ q: 'Quartz' })).body.data;
    expect(namesOf((await list({ guestId: primaryGuest.id })).body.data)).toEqual(['second']);
    expect((await list({ guestId: absentId('guest') })).body.data).toEqual([]);
  });

  it('filters by unit type, by group, by a missing unit, and by a unit of some of the nights', async () => {
    const house = await propertyOf(tenant.api);
    const type = (await tenant.api.post(`/properties/${house}/unit-types`, { name: 'Double' })).body.data.id;
    const room = async (name: string): Promise<string> =>
      (await tenant.api.post(`/properties/${house}/units`, { name, unitTypeId: type })).body.data.id;
    const [one, two] = [await room('1'), await room('2')];
    clock.set('2030-07-01T16:00:00Z');
    const dates = { propertyId: house, checkInDate: '2030-07-01', checkOutDate: '2030-07-09' };
    const moved = await stayOf(tenant.api, { ...dates, unitId: one });
    const without = await stayOf(tenant.api, { ...dates, unitTypeId: type, groupRef: 'Choir' });
    await tenant.api.post(`/reservations/${moved.id}/check-in`);
    await tenant.api.post(`/reservations/${without.id}/cancel`);
    const other = await stayOf(tenant.api, { ...dates, unitTypeId: type, groupRef: 'Choir' });
    clock.set('2030-07-02T16:00:00Z');
    const to = { unitId: two, from: '2030-07-02' };
    expect((await tenant.api.post(`/reservations/${moved.id}/move`, to)).status).toBe(200);
    const ids = async (input: object) =>
      (await list({ propertyId: house, sort: 'createdAt', ...input })).body.data.map(({ id }: Json) => id);
    expect(await ids({ unitTypeId: type })).toEqual([moved.id, without.id, other.id]);
    expect(await ids({ groupRef: 'Choir' })).toEqual([without.id, other.id]);
    expect(await ids({ unassigned: true, status: 'confirmed' })).toEqual([other.id]);
    expect(await ids({ unassigned: false })).toEqual([moved.id]);
    expect([await ids({ unitId: one }), await ids({ unitId: two })]).toEqual([[moved.id], [moved.id]]);
  });

  it('countReservations counts what listReservations finds', async () => {
    const count = async (input: object, key = tenant.key) =>
      (await tenant.doors[door].as(key).ask('countReservations', { propertyId, ...input })).body.data;
    expect(await count({})).toEqual({
      status: { inquiry: 1, pending: 0, confirmed: 3, cancelled: 1, declined: 0, expired: 0 },
      stayStatus: { not_arrived: 4, checked_in: 1, checked_out: 0, no_show: 0 },
    });
    expect((await count({ stayingOn: '2030-07-02' })).status).toMatchObject({ inquiry: 1, confirmed: 1, cancelled: 1 });
    expect((await count({ unitId })).status).toMatchObject({ inquiry: 0, confirmed: 3, cancelled: 0 });
    expect(await count({}, tenant.limited.key)).toBeUndefined();
    const limited = tenant.doors[door].as(tenant.limited.key);
    const { data } = (await limited.ask('countReservations', { confirmationCode: 'HM-1' })).body;
    expect(data.status.confirmed).toBe(0);
  });

  it.each(['createdAt', '-createdAt', 'updatedAt', '-updatedAt', 'checkInDate', '-checkInDate'])(
    'returns every stay once over the pages sorted by %s',
    async (sort) => {
      const whole = (await list({ sort })).body.data;
      const seen: Json[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await list({ sort, limit: 2, ...(cursor && { cursor }) });
        seen.push(...body.data);
        cursor = body.meta.pagination.nextCursor ?? undefined;
      } while (cursor);
      expect(namesOf(seen)).toEqual(namesOf(whole));
      const field = sort.replace('-', '');
      const keys = whole.map((row: Json) => row[field] as string);
      expect(keys).toEqual([...keys].sort((a, b) => (sort.startsWith('-') ? -1 : 1) * a.localeCompare(b)));
    },
  );

  it('rejects a cursor of another list', async () => {
    const { nextCursor } = (await list({ limit: 1 })).body.meta.pagination;
    const reply = await list({ limit: 1, status: 'confirmed', cursor: nextCursor });
    expect([reply.status, issuePaths(reply)]).toEqual([400, ['cursor']]);
  });

  it.each([
    ['stayingOn', { stayingOn: '2030-02-30' }],
    ['q', { q: 'ab' }],
    ['q', { q: ' ab ' }],
    ['sort', { sort: 'dueAt' }],
    ['limit', { limit: 101 }],
    ['offset', { offset: 1 }],
  ])('rejects a bad %s', async (field, input) => {
    const reply = await list(input);
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
  });

  it('returns what has changed since, including cancelled ones', async () => {
    clock.set('2031-01-01T00:00:00Z');
    const elsewhere = await propertyOf(tenant.api);
    const [kept, cancelled] = [
      await stayOf(tenant.api, { propertyId: elsewhere }),
      await stayOf(tenant.api, { propertyId: elsewhere, checkInDate: '2030-08-01', checkOutDate: '2030-08-02' }),
    ];
    clock.set('2031-01-02T00:00:00Z');
    await tenant.api.post(`/reservations/${cancelled.id}/cancel`);
    const since = { propertyId: elsewhere, updatedSince: '2031-01-02T01:00:00+01:00' };
    const { data } = (await list(since)).body;
    expect(data.map(({ id, status }: Json) => [id, status])).toEqual([[cancelled.id, 'cancelled']]);
    expect((await list({ ...since, updatedSince: '2031-01-01T00:00:00Z' })).body.data).toHaveLength(2);
    expect(kept.updatedAt).toBe('2031-01-01T00:00:00.000Z');
  });

  it('shows a limited key only the stays at its properties', async () => {
    const { key } = tenant.limited;
    const own = await stayOf(tenant.api, {
      propertyId: tenant.here,
      checkInDate: door === 'rest' ? '2030-01-01' : '2030-02-01',
      checkOutDate: door === 'rest' ? '2030-01-02' : '2030-02-02',
    });
    const all = await tenant.doors[door].as(key).ask('listReservations', {});
    expect(new Set(all.body.data.map((row: Json) => row.propertyId))).toEqual(new Set([tenant.here]));
    expect(all.body.data[0].id).toBe(own.id);
    expect((await list({}, key)).status).toBe(404);
  });
});

describe('another organization’s stays', () => {
  it('are in no list and cannot be read by id', async () => {
    const foreign = await propertyOf(tenant.stranger);
    const { id } = await stayOf(tenant.stranger, { propertyId: foreign });
    const { data } = (await tenant.api.get('/reservations?limit=100')).body;
    expect(data.some((row: Json) => row.id === id)).toBe(false);
    expect((await tenant.api.get(`/reservations/${id}`)).status).toBe(404);
    expect((await tenant.api.get(`/reservations?propertyId=${foreign}`)).status).toBe(404);
  });
});
