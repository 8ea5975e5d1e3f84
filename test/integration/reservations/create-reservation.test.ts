import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, propertyOf, stayOf, unitOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const dates = { checkInDate: '2030-07-01', checkOutDate: '2030-07-03' };

describe.each(doorNames)('createReservation over %s', (door) => {
  const book = (input: object, key = tenant.key) => tenant.doors[door].as(key).ask('createReservation', input);

  it('returns the whole stay, and getReservation the same', async () => {
    const propertyId = await propertyOf(tenant.api);
    const { status, body } = await book({ ...dates, propertyId });
    expect(status).toBe(201);
    const { id, createdAt, updatedAt, ...stay } = body.data;
    expect([/^reservation_[0-9a-f]{32}$/.test(id), updatedAt]).toEqual([true, createdAt]);
    expect(stay).toEqual({
      ...dates,
      propertyId,
      unitId: null,
      unitTypeId: null,
      bookedUnitTypeId: null,
      occupies: 'property',
      occupiedFrom: dates.checkInDate,
      occupiedUntil: dates.checkOutDate,
      segments: [{ unitId: null, unitTypeId: null, from: dates.checkInDate, until: dates.checkOutDate }],
      groupRef: null,
      departedAt: null,
      warnings: [],
      arrivalAt: '2030-07-01T14:00:00.000Z',
      departureAt: '2030-07-03T10:00:00.000Z',
      arrivalLocal: '2030-07-01T15:00',
      departureLocal: '2030-07-03T11:00',
      confirmationCode: null,
      channel: null,
      status: 'confirmed',
      stayStatus: 'not_arrived',
      primaryGuest: null,
      companions: [],
      guestCounts: null,
      locale: null,
      notes: null,
      total: null,
      source: 'manual',
      overlapping: false,
      cancelledAt: null,
      cancellationReason: null,
      metadata: {},
      externalRefs: [],
      version: 1,
    });
    const read = await tenant.doors[door].as(tenant.key).ask('getReservation', { reservationId: id });
    expect(read.body.data).toEqual(body.data);
  });

  it('keeps a custom time, given with any offset', async () => {
    const propertyId = await propertyOf(tenant.api);
    const { body } = await book({ ...dates, propertyId, arrivalAt: '2030-07-01T21:30:00+03:00' });
    expect(body.data).toMatchObject({
      arrivalAt: '2030-07-01T18:30:00.000Z',
      departureAt: '2030-07-03T10:00:00.000Z',
    });
  });

  it.each([
    ['STAY_WITHOUT_A_NIGHT', { checkOutDate: '2030-07-01' }],
    ['STAY_TOO_LONG', { checkOutDate: '2033-07-02' }],
    ['ARRIVAL_ON_ANOTHER_DAY', { arrivalAt: '2030-07-01T23:30:00Z' }],
    ['DEPARTURE_ON_ANOTHER_DAY', { departureAt: '2030-07-02T10:00:00Z' }],
  ])('rejects with %s', async (reason, wrong) => {
    const { status, body } = await book({ ...dates, propertyId: tenant.here, ...wrong });
    expect([status, body.error.details.key]).toEqual([400, reason]);
  });

  it.each([
    ['checkInDate', { checkInDate: '2030-02-30' }],
    ['status', { status: 'cancelled' }],
    ['stayStatus', { stayStatus: 'checked_in' }],
    ['guestCounts.adults', { guestCounts: { adults: -1 } }],
    ['primaryGuest.name', { primaryGuest: {} }],
    ['primaryGuest.name', { primaryGuest: { name: ' ' } }],
    ['total.currency', { total: { amountMinor: 1, currency: 'euro' } }],
    ['total.currency', { total: { amountMinor: 1, currency: 'ABC' } }],
    ['locale', { locale: 'pt_BR' }],
    ['source', { source: 'ical' }],
  ])('rejects a bad %s', async (field, wrong) => {
    const reply = await book({ ...dates, propertyId: tenant.here, ...wrong });
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
  });

  it.each([
    ['first', { timezone: 'Asia/Tokyo', checkInTime: '00:00' }, ['1000-01-01', '1000-01-02'], -40_000],
    ['last', { timezone: 'America/New_York', checkOutTime: '23:00' }, ['9000-12-30', '9000-12-31'], 40_000],
  ])('accepts at most %s days, whatever the time zone and the work', async (_, times, days, offsetMinutes) => {
    const start = { event: 'departure', offsetMinutes };
    const automaticTasks = [{ name: 'Check', type: 'inspection', timeRule: { start, end: start } }];
    const property = await tenant.api.post('/properties', { name: 'Edge', automaticTasks, ...times });
    const [checkInDate, checkOutDate] = days;
    const { status } = await book({ propertyId: property.body.data.id, checkInDate, checkOutDate });
    expect(status).toBe(201);
  });

  it('rejects a place that does not exist, belongs to another property or is hidden from this credential', async () => {
    const foreign = await propertyOf(tenant.stranger);
    const unitId = await unitOf(tenant.api, tenant.elsewhere);
    const refused = [
      await book({ ...dates, propertyId: absentId('property') }),
      await book({ ...dates, propertyId: foreign }),
      await book({ ...dates, propertyId: tenant.here, unitId }),
      await book({ ...dates, propertyId: tenant.elsewhere }, tenant.limited.key),
    ];
    expect(refused.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
  });

  it('requires the scope', async () => {
    expect((await book({ ...dates, propertyId: tenant.here }, tenant.reader.key)).status).toBe(403);
  });
});

describe('at a clock change', () => {
  it.each([
    ['Europe/Berlin', '02:30', '2027-03-28', '2027-03-28T03:30'],
    ['Europe/Berlin', '02:30', '2027-10-31', '2027-10-31T02:30'],
    ['America/St_Johns', '00:01', '2010-03-14', '2010-03-14T01:01'],
    ['America/Santiago', '00:00', '2027-09-05', '2027-09-05T01:00'],
    ['Australia/Lord_Howe', '02:15', '2027-10-03', '2027-10-03T02:45'],
    ['Australia/Lord_Howe', '01:45', '2027-04-04', '2027-04-04T01:45'],
    ['Asia/Kathmandu', '14:00', '2027-03-28', '2027-03-28T14:00'],
    // The day that Samoa skipped.
    ['Pacific/Apia', '10:00', '2011-12-30', '2011-12-31T10:00'],
  ])('in %s at %s on %s a stay arrives and leaves at %s', async (timezone, time, date, local) => {
    const times = { timezone, checkInTime: time, checkOutTime: time };
    const propertyId = (await tenant.api.post('/properties', { name: 'Clocks', ...times })).body.data.id as string;
    const beside = (days: number): string => new Date(Date.parse(date) + days * 86_400_000).toISOString().slice(0, 10);
    const stayFrom = (checkInDate: string, checkOutDate: string): Promise<Json> =>
      stayOf(tenant.api, { propertyId, checkInDate, checkOutDate });
    const [before, after] = [await stayFrom(beside(-1), date), await stayFrom(date, beside(1))];
    expect(after).toMatchObject({ arrivalLocal: local, occupiedFrom: date, occupiedUntil: beside(1) });
    expect(before).toMatchObject({ departureLocal: local, departureAt: after.arrivalAt, occupiedUntil: date });
    const path = `/reservations/${after.id}/move`;
    await tenant.api.post(path, { checkInDate: beside(5), checkOutDate: beside(6) });
    const { body } = await tenant.api.post(path, { checkInDate: date, checkOutDate: beside(1) });
    expect(body.data).toMatchObject({ arrivalAt: after.arrivalAt, departureAt: after.departureAt });
  });
});

describe('places', () => {
  it('are a unit, or else the whole property', async () => {
    const propertyId = await propertyOf(tenant.api);
    const [one, two] = [await unitOf(tenant.api, propertyId, 'One'), await unitOf(tenant.api, propertyId, 'Two')];
    await stayOf(tenant.api, { propertyId, unitId: one });
    await stayOf(tenant.api, { propertyId, unitId: two });
    const { status, body } = await tenant.api.post('/reservations', { ...dates, propertyId, unitId: one });
    expect([status, body.error.code]).toEqual([409, 'RESERVATION_OVERLAP']);
  });

  it('are not taken by inquiries, nor by cancelled stays', async () => {
    const propertyId = await propertyOf(tenant.api);
    await stayOf(tenant.api, { propertyId, status: 'inquiry' });
    const cancelled = await stayOf(tenant.api, { propertyId });
    await tenant.api.post(`/reservations/${cancelled.id}/cancel`);
    expect((await stayOf(tenant.api, { propertyId })).overlapping).toBe(false);
  });

  it('that are archived accept no stays', async () => {
    const propertyId = await propertyOf(tenant.api);
    const unitId = await unitOf(tenant.api, propertyId);
    await tenant.api.post(`/properties/${propertyId}/units/${unitId}/archive`);
    const unit = await tenant.api.post('/reservations', { ...dates, propertyId, unitId });
    expect([unit.status, unit.body.error.code]).toEqual([409, 'UNIT_ARCHIVED']);
    await tenant.api.post(`/properties/${propertyId}/archive`);
    const property = await tenant.api.post('/reservations', { ...dates, propertyId });
    expect([property.status, property.body.error.code]).toEqual([409, 'PROPERTY_ARCHIVED']);
  });
});

describe('races', () => {
  it('let one of the bookings over REST and MCP take the last night', async () => {
    const propertyId = await propertyOf(tenant.api);
    const { rest, mcp } = tenant.doors;
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, n) => (n % 2 ? rest : mcp).ask('createReservation', { ...dates, propertyId })),
    );
    expect(replies.map(({ status }) => status).sort()).toEqual([201, ...Array(7).fill(409)]);
    expect((await tenant.api.get(`/reservations?propertyId=${propertyId}`)).body.data).toHaveLength(1);
  });

  it.each(['property', 'unit'])('never leave a stay at a %s that was archived at the same time', async (archived) => {
    for (let round = 0; round < 8; round += 1) {
      const propertyId = await propertyOf(tenant.api);
      const unitId = archived === 'unit' ? await unitOf(tenant.api, propertyId) : null;
      const place = `/properties/${propertyId}${unitId ? `/units/${unitId}` : ''}`;
      const replies = await Promise.all([
        tenant.api.post('/reservations', { ...dates, propertyId, unitId }),
        tenant.api.post(`${place}/archive`),
      ]);
      expect(replies.filter(({ status }) => status === 409)).toHaveLength(1);
    }
  });

  it('let two stays swap places without waiting for each other', async () => {
    const propertyId = await propertyOf(tenant.api);
    const [one, two] = [await unitOf(tenant.api, propertyId, 'One'), await unitOf(tenant.api, propertyId, 'Two')];
    const [first, second] = [
      await stayOf(tenant.api, { propertyId, unitId: one }),
      await stayOf(tenant.api, { propertyId, unitId: two, checkInDate: '2030-07-10', checkOutDate: '2030-07-12' }),
    ];
    const move = ({ id, checkInDate, checkOutDate }: Record<string, string>, unitId: string) =>
      tenant.api.post(`/reservations/${id}/move`, { checkInDate, checkOutDate, unitId });
    for (let round = 0; round < 4; round += 1) {
      const [here, there] = round % 2 ? [one, two] : [two, one];
      const replies = await Promise.all([move(first, here), move(second, there)]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200]);
    }
  });
});
