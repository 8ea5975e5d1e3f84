import { schemaOf } from '#operations';
import pg from 'pg';
import { UpdateReservation } from '../../../src/features/reservations/reservation-changes.dto.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, nightsFromToday, propertyOf, stayOf, unitOf, pushedBy } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const fieldsOfUpdate = schemaOf(UpdateReservation).properties as object;

const read = async (id: string) => (await tenant.api.get(`/reservations/${id}`)).body.data;

/** A connection that stays are imported from, at its own property. */
const connectionOf = async (): Promise<string> => {
  const settings = { propertyId: await propertyOf(tenant.api) };
  const wishes = { provider: 'simulator', kind: 'pms', name: 'PMS', credentials: {}, settings };
  return (await tenant.api.post('/connections', wishes)).body.data.id;
};

/** As if another system had imported the stay. */
async function cameFrom(id: string, source: string, changes = ''): Promise<void> {
  const connectionId = await connectionOf();
  const database = new pg.Client({ connectionString: tenant.service.database.url });
  await database.connect();
  await database.query(
    `update reservations set source = $2, exempt = $2 <> 'manual', connection_id = $3, external_id = $4 ${changes} where id = $1`,
    [id.replace('reservation_', ''), source, connectionId.replace('connection_', ''), id],
  );
  await database.end();
}

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);

  it('updateReservation changes the given fields, keeps the rest, and clears with null', async () => {
    const stay = await stayOf(tenant.api, {
      propertyId: await propertyOf(tenant.api),
      notes: 'Late',
      channel: 'direct',
    });
    const { status, body } = await ask('updateReservation', { reservationId: stay.id, notes: null, locale: 'pt-BR' });
    expect(status).toBe(200);
    const { updatedAt } = body.data;
    expect(body.data).toEqual({ ...stay, notes: null, locale: 'pt-BR', version: 2, updatedAt });
    expect(await read(stay.id)).toEqual(body.data);
  });

  it.each(['manual', 'ical', 'provider'])(
    'updateReservation accepts what getReservation returned of a %s stay',
    async (source) => {
      const { id } = await stayOf(tenant.api, {
        propertyId: await propertyOf(tenant.api),
        primaryGuest: { name: 'Ana', phone: '1' },
        companions: [{ name: 'Rui' }],
        guestCounts: { adults: 2 },
        total: { amountMinor: 100, currency: 'EUR' },
        arrivalAt: '2030-07-01T18:30:00Z',
        externalRefs: [{ connectionId: await pushedBy(tenant.api), externalId: '1' }],
        metadata: { deposit: 'paid' },
        channel: 'direct',
      });
      if (source !== 'manual') await cameFrom(id, source);
      const stay = await read(id);
      const fields = Object.keys(fieldsOfUpdate).filter((name) => name in stay);
      expect(fields.length).toBeGreaterThan(10);
      const back = Object.fromEntries(fields.map((name) => [name, stay[name]]));
      expect((await ask('updateReservation', { reservationId: id, ...back })).body.data).toEqual(stay);
    },
  );

  it.each(['checkInDate', 'checkOutDate', 'propertyId', 'unitId', 'stayStatus'])(
    'updateReservation rejects %s, which has an operation of its own',
    async (field) => {
      const reply = await ask('updateReservation', { reservationId: absentId('reservation'), [field]: 'x' });
      expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
    },
  );

  it('updateReservation sets a custom time, which a move keeps and null clears', async () => {
    const { id } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api) });
    await ask('updateReservation', { reservationId: id, arrivalAt: '2030-07-01T18:30:00Z' });
    const moved = await ask('moveReservation', {
      reservationId: id,
      checkInDate: '2030-12-01',
      checkOutDate: '2030-12-02',
    });
    expect(moved.body.data.arrivalAt).toBe('2030-12-01T19:30:00.000Z');
    const usual = await ask('updateReservation', { reservationId: id, arrivalAt: null });
    expect(usual.body.data.arrivalAt).toBe('2030-12-01T15:00:00.000Z');
  });

  it.each([
    ['inquiry', ['pending', 'confirmed', 'declined', 'expired'], []],
    ['pending', ['confirmed', 'declined', 'expired'], ['inquiry']],
    ['confirmed', [], ['inquiry', 'pending', 'declined', 'expired']],
  ])('updateReservation accepts the returned fields of a stay that is %s', async (from, allowed, refused) => {
    const outcomes: unknown[] = [];
    for (const status of [...allowed, ...refused]) {
      const { id } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api), status: from });
      const { body } = await ask('updateReservation', { reservationId: id, status });
      outcomes.push(body.data?.status ?? body.error.code);
    }
    expect(outcomes).toEqual([...allowed, ...refused.map(() => 'RESERVATION_STATUS')]);
  });

  it('updateReservation cancels nothing', async () => {
    const { id } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api) });
    const reply = await ask('updateReservation', { reservationId: id, status: 'cancelled' });
    expect([reply.status, issuePaths(reply)]).toEqual([400, ['status']]);
    const { data } = (await ask('cancelReservation', { reservationId: id })).body;
    expect((await ask('updateReservation', { reservationId: id, status: 'cancelled' })).body.data).toEqual(data);
  });

  it('updateReservation rejects the confirmation of nights that another stay has taken', async () => {
    const propertyId = await propertyOf(tenant.api);
    const { id } = await stayOf(tenant.api, { propertyId, status: 'inquiry' });
    await stayOf(tenant.api, { propertyId });
    const { status, body } = await ask('updateReservation', { reservationId: id, status: 'confirmed' });
    expect([status, body.error.code]).toEqual([409, 'RESERVATION_OVERLAP']);
    expect((await read(id)).status).toBe('inquiry');
  });

  it('moveReservation takes a stay to another property, and out of the unit', async () => {
    const [from, to] = [await propertyOf(tenant.api), await propertyOf(tenant.api)];
    const unitId = await unitOf(tenant.api, from);
    const { id } = await stayOf(tenant.api, { propertyId: from, unitId });
    const dates = { checkInDate: '2030-08-01', checkOutDate: '2030-08-02' };
    const there = await ask('moveReservation', { reservationId: id, ...dates, propertyId: to });
    expect(there.body.data).toMatchObject({ ...dates, propertyId: to, unitId: null, version: 2 });
    const back = await ask('moveReservation', { reservationId: id, ...dates, propertyId: from, unitId });
    expect(back.body.data).toMatchObject({ propertyId: from, unitId });
    const inPlace = await ask('moveReservation', { reservationId: id, ...dates, checkOutDate: '2030-08-04' });
    expect(inPlace.body.data).toMatchObject({ propertyId: from, unitId, checkOutDate: '2030-08-04' });
  });

  it('moveReservation never moves a stay out of the sight of a limited key', async () => {
    const { id, checkInDate, checkOutDate } = await stayOf(tenant.api, {
      propertyId: tenant.here,
      ...nights(door === 'rest' ? 1 : 2),
    });
    const input = { reservationId: id, checkInDate, checkOutDate, propertyId: tenant.elsewhere };
    expect((await ask('moveReservation', input, tenant.limited.key)).status).toBe(404);
    expect((await read(id)).propertyId).toBe(tenant.here);
  });

  it('moveReservation and cancelReservation reject a stay that has ended', async () => {
    const { id } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api) });
    await ask('checkInReservation', { reservationId: id, early: true });
    await ask('checkOutReservation', { reservationId: id });
    const dates = { checkInDate: '2030-08-01', checkOutDate: '2030-08-02' };
    const moved = await ask('moveReservation', { reservationId: id, ...dates });
    expect([moved.status, moved.body.error.code]).toEqual([409, 'RESERVATION_NOT_MOVABLE']);
    expect(moved.body.error.message).toMatch(/^The stay is checked out\. /);
    const cancelled = await ask('cancelReservation', { reservationId: id });
    expect([cancelled.status, cancelled.body.error.code]).toEqual([409, 'RESERVATION_NOT_CANCELLABLE']);
  });

  it('cancelReservation records when and why, and is rejected a second time', async () => {
    const { id } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api) });
    clock.set(Date.now());
    const { body } = await ask('cancelReservation', { reservationId: id, reason: 'Ill' });
    expect(body.data).toMatchObject({ status: 'cancelled', cancellationReason: 'Ill', version: 2 });
    expect(body.data.cancelledAt).toBe(body.data.updatedAt);
    const again = await ask('cancelReservation', { reservationId: id });
    expect(again.status).toBe(409);
    expect(again.body.error.message).toBe('The stay is cancelled already.');
  });

  it('moveReservation with only a unit says that it needs the dates, and what changes only the unit', async () => {
    const propertyId = await propertyOf(tenant.api);
    const unitId = await unitOf(tenant.api, propertyId);
    const { id } = await stayOf(tenant.api, { propertyId });
    const reply = await ask('moveReservation', { reservationId: id, unitId });
    const { issues } = reply.body.error.details;
    expect([reply.status, issues]).toEqual([
      400,
      [
        {
          path: ['checkInDate'],
          message: expect.stringMatching(/^Pass both dates.* only the unit, use assignUnit\.$/),
        },
      ],
    ]);
    const half = await ask('moveReservation', { reservationId: id, unitId, checkOutDate: '2030-08-02' });
    expect(half.body.error.details.issues[0].message).toBe('Pass the date of the first night.');
  });

  it('the states of a stay allow exactly these transitions', async () => {
    const verbs = {
      checkInReservation: ['not_arrived', 'checked_in'],
      undoCheckIn: ['checked_in', 'not_arrived'],
      checkOutReservation: ['checked_in', 'checked_out'],
      undoCheckOut: ['checked_out', 'checked_in'],
      markNoShow: ['not_arrived', 'no_show'],
      undoNoShow: ['no_show', 'not_arrived'],
    };
    const ways = {
      not_arrived: [],
      checked_in: ['checkInReservation'],
      checked_out: ['checkInReservation', 'checkOutReservation'],
      no_show: ['markNoShow'],
    };
    for (const [state, way] of Object.entries(ways)) {
      for (const [verb, [from, to]] of Object.entries(verbs)) {
        const { id } = await stayOf(tenant.api, {
          propertyId: await propertyOf(tenant.api),
          ...nightsFromToday(),
        });
        for (const step of way) await ask(step, { reservationId: id });
        const { body } = await ask(verb, { reservationId: id });
        expect([state, verb, body.data?.stayStatus ?? body.error.code]).toEqual([
          state,
          verb,
          state === from ? to : 'STAY_STATUS',
        ]);
      }
    }
  });

  it.each(['checkInReservation', 'undoCheckIn', 'checkOutReservation', 'markNoShow', 'cancelReservation'])(
    '%s finds no stay that the key cannot see',
    async (operation) => {
      const { id } = await stayOf(tenant.stranger, { propertyId: await propertyOf(tenant.stranger) });
      for (const reservationId of [absentId('reservation'), id])
        expect((await ask(operation, { reservationId })).status).toBe(404);
    },
  );
});

const nights = (month: number) => ({ checkInDate: `2031-0${month}-01`, checkOutDate: `2031-0${month}-02` });

describe('a stay of another system', () => {
  it.each([
    ['ical', { status: 'declined', channel: 'x' }, ['status', 'channel']],
    [
      'provider',
      { primaryGuest: { name: 'X' }, total: { amountMinor: 1, currency: 'EUR' } },
      ['primaryGuest', 'total'],
    ],
  ])('%s: keeps the fields that the system owns', async (source, changes, fields) => {
    const { id } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api), status: 'pending' });
    await cameFrom(id, source);
    const { status, body } = await tenant.api.patch(`/reservations/${id}`, changes);
    expect([status, body.error.code, body.error.details.fields]).toEqual([409, 'PROVIDER_OWNED', fields]);
    expect((await tenant.api.patch(`/reservations/${id}`, { notes: 'Ours' })).body.data.notes).toBe('Ours');
  });

  it('is neither moved nor cancelled here, but guests check in', async () => {
    const { id, checkInDate, checkOutDate } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api) });
    await cameFrom(id, 'provider');
    const moved = await tenant.api.post(`/reservations/${id}/move`, { checkInDate, checkOutDate });
    expect(moved.body.error.code).toBe('PROVIDER_OWNED');
    expect((await tenant.api.post(`/reservations/${id}/cancel`)).body.error.code).toBe('PROVIDER_OWNED');
    expect((await tenant.api.post(`/reservations/${id}/check-in`, { early: true })).body.data.stayStatus).toBe(
      'checked_in',
    );
  });

  it('gets its guest here if it is from a calendar', async () => {
    const { id } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api) });
    await cameFrom(id, 'ical');
    const { body } = await tenant.api.patch(`/reservations/${id}`, { primaryGuest: { name: 'Ana' } });
    expect(body.data.primaryGuest.name).toBe('Ana');
  });

  it('takes nights from our bookings, and an overlap only prevents new bookings', async () => {
    const propertyId = await propertyOf(tenant.api);
    const ours = await stayOf(tenant.api, { propertyId });
    const theirs = await stayOf(tenant.api, { propertyId, checkInDate: '2030-07-03', checkOutDate: '2030-07-05' });
    await cameFrom(theirs.id, 'ical', `, check_in_date = '2030-07-02'`);
    expect((await tenant.api.post(`/reservations/${ours.id}/check-in`, { early: true })).status).toBe(200);
    expect((await tenant.api.patch(`/reservations/${ours.id}`, { notes: 'Two in one bed' })).status).toBe(200);
    const longer = { checkInDate: '2030-07-01', checkOutDate: '2030-07-04' };
    expect((await tenant.api.post(`/reservations/${ours.id}/move`, longer)).body.error.code).toBe(
      'RESERVATION_OVERLAP',
    );
    const taken = await tenant.api.post('/reservations', {
      propertyId,
      checkInDate: '2030-07-04',
      checkOutDate: '2030-07-06',
    });
    expect(taken.body.error.details.reservations).toEqual([
      { id: theirs.id, checkInDate: '2030-07-02', checkOutDate: '2030-07-05', source: 'ical' },
    ]);
    await cameFrom(ours.id, 'manual', ', overlapping = true');
    await cameFrom(theirs.id, 'ical', ', overlapping = true');
    const shorter = { checkInDate: '2030-07-01', checkOutDate: '2030-07-02' };
    const moved = await tenant.api.post(`/reservations/${ours.id}/move`, shorter);
    expect([moved.body.data.overlapping, (await read(theirs.id)).overlapping]).toEqual([false, false]);
  });
});

describe('If-Match', () => {
  it('rejects a change that was prepared for an earlier version', async () => {
    const { id } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api) });
    const first = { 'if-match': '"1"' };
    expect((await tenant.api.patch(`/reservations/${id}`, { notes: 'a' }, first)).headers.get('etag')).toBe('"2"');
    for (const verb of ['check-in', 'cancel', 'no-show']) {
      const { status, body } = await tenant.api.post(`/reservations/${id}/${verb}`, undefined, first);
      expect([status, body.error.code]).toEqual([409, 'VERSION_MISMATCH']);
    }
    expect((await read(id)).version).toBe(2);
  });
});

describe('a time in the hour that clocks show twice', () => {
  const dates = { checkInDate: '2027-10-31', checkOutDate: '2027-11-01' };
  const times = { arrivalAt: '2027-10-31T00:30:00.000Z', departureAt: '2027-11-01T09:00:00.000Z' };
  const propertyIn = async (timezone: string): Promise<string> =>
    (await tenant.api.post('/properties', { name: 'Clocks', timezone })).body.data.id;

  it.each(['2027-10-31T00:30:00.000Z', '2027-10-31T01:30:00.000Z'])('is the given moment: %s', async (at) => {
    const propertyId = await propertyIn('Europe/Berlin');
    const { id, ...made } = await stayOf(tenant.api, { propertyId, ...dates, arrivalAt: at });
    expect(made.arrivalAt).toBe(at);
    await tenant.api.patch(`/reservations/${id}`, { arrivalAt: null });
    expect((await tenant.api.patch(`/reservations/${id}`, { arrivalAt: at })).body.data.arrivalAt).toBe(at);
  });

  it('remains so when the stay becomes longer, and when its property changes', async () => {
    const propertyId = await propertyIn('Europe/Berlin');
    const { id, version } = await stayOf(tenant.api, { propertyId, ...dates, ...times });
    await tenant.api.patch(`/properties/${propertyId}`, { checkInTime: '16:00', timezone: 'Europe/Paris' });
    expect(await read(id)).toMatchObject({ ...times, version });
    const longer = { ...dates, checkOutDate: '2027-11-02' };
    const { body } = await tenant.api.post(`/reservations/${id}/move`, longer);
    expect(body.data).toMatchObject({ arrivalAt: times.arrivalAt, departureAt: '2027-11-02T09:00:00.000Z' });
    await tenant.api.patch(`/properties/${propertyId}`, { timezone: 'Europe/Athens' });
    expect(await read(id)).toMatchObject({ arrivalAt: '2027-10-30T23:30:00.000Z' });
  });

  it('is kept at the arrival and at the departure', async () => {
    const propertyId = await propertyIn('Europe/Berlin');
    const departureAt = '2027-10-31T00:30:00.000Z';
    const night = { checkInDate: '2027-10-30', checkOutDate: '2027-10-31' };
    const { id } = await stayOf(tenant.api, { propertyId, ...night, departureAt });
    await tenant.api.patch(`/properties/${propertyId}`, { checkInTime: '16:00' });
    const earlier = { ...night, checkInDate: '2027-10-29' };
    expect((await tenant.api.post(`/reservations/${id}/move`, earlier)).body.data).toMatchObject({
      arrivalAt: '2027-10-29T14:00:00.000Z',
      departureAt,
    });
  });
});

describe('a no-show', () => {
  it('keeps its nights and its tasks', async () => {
    const start = { event: 'departure', offsetMinutes: 0 };
    const automaticTasks = [{ name: 'Turnover', type: 'cleaning', timeRule: { start, end: start } }];
    const made = await tenant.api.post('/properties', { name: 'Loft', timezone: 'UTC', automaticTasks });
    const stay = await stayOf(tenant.api, { propertyId: made.body.data.id, ...nightsFromToday() });
    expect((await tenant.api.post(`/reservations/${stay.id}/no-show`)).body.data.status).toBe('confirmed');
    const { propertyId, checkInDate, checkOutDate } = stay;
    const again = await tenant.api.post('/reservations', { propertyId, checkInDate, checkOutDate });
    expect(again.body.error.code).toBe('RESERVATION_OVERLAP');
    const tasks = await tenant.api.get(`/tasks?reservationId=${stay.id}`);
    expect(tasks.body.data).toMatchObject([{ name: 'Turnover', status: 'pending' }]);
  });
});

describe('a stay that has ended', () => {
  it('keeps its times when its property or its notes change', async () => {
    const propertyId = await propertyOf(tenant.api);
    const dates = { checkInDate: '2020-07-01', checkOutDate: '2020-07-03' };
    const { id, arrivalAt } = await stayOf(tenant.api, { propertyId, ...dates });
    await tenant.api.patch(`/properties/${propertyId}`, { checkInTime: '18:00' });
    const { body } = await tenant.api.patch(`/reservations/${id}`, { notes: 'Nice people' });
    expect(body.data.arrivalAt).toBe(arrivalAt);
  });
});
