import { readFileSync } from 'node:fs';
import type { Api, Json } from '../../support/api.js';
import { calendar, type CalendarServer, startCalendarServer, stay } from '../../support/calendar-server.js';
import { clock } from '../../support/clock.js';
import { type Door, doorNames, doors } from '../../support/doors.js';
import { keyWith } from '../../support/factories.js';
import { dumpOf } from '../../support/dump.js';
import { type Service, startApp } from '../../support/start-app.js';
import { turnsGivenUp } from '../../support/turns.js';

let service: Service;
let api: Api;
let calendars: CalendarServer;
beforeAll(async () => {
  calendars = await startCalendarServer();
  service = await startApp({ OUTBOUND_ALLOW: 'localhost' });
  ({ api } = await keyWith(service.api));
});
afterEach(() => clock.restore());
afterAll(async () => {
  await service.close();
  await calendars.close();
});

const turnover = {
  name: 'Turnover',
  type: 'cleaning',
  timeRule: { start: { event: 'departure', offsetMinutes: 0 }, end: { event: 'next_arrival', offsetMinutes: -60 } },
};

async function connected(wishes: object = {}): Promise<{ propertyId: string; connectionId: string }> {
  const property = await api.post('/properties', {
    name: 'Loft',
    timezone: 'Europe/Lisbon',
    automaticTasks: [turnover],
    ...wishes,
  });
  const propertyId = property.body.data.id as string;
  const settings = { url: calendars.url, propertyId };
  const made = await api.post('/connections', {
    provider: 'ical',
    kind: 'pms',
    name: 'Channel',
    credentials: {},
    settings,
  });
  return { propertyId, connectionId: made.body.data.id as string };
}

const serve = (...events: string[][]): void => void (calendars.answer = { status: 200, body: calendar(...events) });
const sync = async (connectionId: string): Promise<Json> =>
  (await api.post(`/connections/${connectionId}/sync`)).body.data;
const staysAt = async (propertyId: string): Promise<Json[]> =>
  (await api.get(`/reservations?propertyId=${propertyId}&sort=checkInDate&limit=100`)).body.data;
const tasksOf = async (reservationId: string): Promise<Json[]> =>
  (await api.get(`/tasks?reservationId=${reservationId}`)).body.data;

describe.each(doorNames)('an import over %s', (door) => {
  let ask: Door['ask'];
  beforeAll(() => ({ ask } = doors(service)[door].as(api.key)));

  it('creates reservations once, follows their changes and cancels those that are gone', async () => {
    const { propertyId, connectionId } = await connected();
    const run = async () => (await ask('syncConnection', { connectionId })).body.data;
    serve(
      stay('a@x', '20290601', '20290604'),
      stay('b@x', '20290610', '20290612'),
      stay('c@x', '20290620', '20290622'),
    );
    expect(await run()).toMatchObject({
      status: 'connected',
      lastSync: { created: 3, updated: 0, cancelled: 0, unchanged: 0 },
      errors: [],
    });
    const [first] = await staysAt(propertyId);
    expect(first).toMatchObject({
      checkInDate: '2029-06-01',
      checkOutDate: '2029-06-04',
      arrivalAt: '2029-06-01T14:00:00.000Z',
      departureAt: '2029-06-04T10:00:00.000Z',
      status: 'confirmed',
      source: 'ical',
      channel: 'ical',
      primaryGuest: null,
      notes: 'Reserved',
      version: 1,
    });
    expect((await run()).lastSync).toEqual({ created: 0, updated: 0, cancelled: 0, unchanged: 3 });
    expect((await staysAt(propertyId)).map(({ version }) => version)).toEqual([1, 1, 1]);

    serve(stay('a@x', '20290602', '20290605'), stay('b@x', '20290610', '20290612', 'STATUS:CANCELLED'));
    expect((await run()).lastSync).toEqual({ created: 0, updated: 1, cancelled: 2, unchanged: 0 });
    expect(
      (await staysAt(propertyId)).map(({ id, checkInDate, status }) => [id === first.id, checkInDate, status]),
    ).toEqual([
      [true, '2029-06-02', 'confirmed'],
      [false, '2029-06-10', 'cancelled'],
      [false, '2029-06-20', 'cancelled'],
    ]);

    serve(stay('a@x', '20290602', '20290605'), stay('c@x', '20290620', '20290622'));
    expect((await run()).lastSync).toEqual({ created: 0, updated: 1, cancelled: 0, unchanged: 1 });
    expect((await staysAt(propertyId))[2]).toMatchObject({
      status: 'confirmed',
      cancelledAt: null,
      cancellationReason: null,
    });
  });
});

it('reads a calendar in the charset that its server names', async () => {
  const { propertyId, connectionId } = await connected();
  const text = calendar(stay('a@x', '20290601', '20290604')).replace('Reserved', 'Zoë Müller');
  const headers = { 'content-type': 'text/calendar; charset=iso-8859-1' };
  calendars.answer = { status: 200, headers, body: Buffer.from(text, 'latin1') };
  expect(await sync(connectionId)).toMatchObject({ status: 'connected', errors: [] });
  expect(await staysAt(propertyId)).toMatchObject([{ notes: 'Zoë Müller' }]);
});

describe('an imported stay', () => {
  it('plans, moves and cancels the automatic tasks', async () => {
    const { propertyId, connectionId } = await connected();
    serve(stay('a@x', '20290601', '20290604'), stay('b@x', '20290610', '20290612'));
    await sync(connectionId);
    const [first] = await staysAt(propertyId);
    expect(await tasksOf(first.id)).toMatchObject([
      {
        name: 'Turnover',
        status: 'pending',
        canStartAt: '2029-06-04T10:00:00.000Z',
        dueAt: '2029-06-10T13:00:00.000Z',
      },
    ]);
    serve(stay('a@x', '20290601', '20290605'), stay('b@x', '20290611', '20290612'));
    await sync(connectionId);
    expect(await tasksOf(first.id)).toMatchObject([
      { status: 'pending', canStartAt: '2029-06-05T10:00:00.000Z', dueAt: '2029-06-11T13:00:00.000Z' },
    ]);
    serve(stay('b@x', '20290611', '20290612'));
    await sync(connectionId);
    expect(await tasksOf(first.id)).toMatchObject([{ status: 'cancelled' }]);
  });

  it('is kept if it overlaps ours, and both are flagged for as long as they do', async () => {
    const { propertyId, connectionId } = await connected();
    await api.post('/reservations', { propertyId, checkInDate: '2029-06-02', checkOutDate: '2029-06-03' });
    serve(stay('a@x', '20290601', '20290604'));
    await sync(connectionId);
    expect((await staysAt(propertyId)).map(({ overlapping }) => overlapping)).toEqual([true, true]);
    const taken = await api.post('/reservations', {
      propertyId,
      checkInDate: '2029-06-03',
      checkOutDate: '2029-06-05',
    });
    expect(taken.body.error.code).toBe('RESERVATION_OVERLAP');
    const ours = (await staysAt(propertyId)).find(({ source }) => source === 'manual');
    expect((await api.post(`/reservations/${ours.id}/check-in`, { early: true })).status).toBe(200);
    serve(stay('a@x', '20290603', '20290604'));
    await sync(connectionId);
    expect((await staysAt(propertyId)).map(({ overlapping }) => overlapping)).toEqual([false, false]);
  });

  it('belongs to the calendar, except for our own fields', async () => {
    const { propertyId, connectionId } = await connected();
    serve(stay('a@x', '20290601', '20290604'));
    await sync(connectionId);
    const [{ id }] = (await staysAt(propertyId)) as [Json];
    const refusals = [
      await api.patch(`/reservations/${id}`, { channel: 'direct' }),
      await api.post(`/reservations/${id}/move`, { checkInDate: '2029-07-01', checkOutDate: '2029-07-02' }),
      await api.post(`/reservations/${id}/cancel`),
    ];
    expect(refusals.map(({ status, body }) => [status, body.error.code])).toEqual(
      Array(3).fill([409, 'PROVIDER_OWNED']),
    );
    await api.patch(`/reservations/${id}`, { notes: 'Late arrival' });
    serve(stay('a@x', '20290601', '20290605'));
    await sync(connectionId);
    expect((await staysAt(propertyId))[0]).toMatchObject({ notes: 'Late arrival', checkOutDate: '2029-06-05' });
  });

  it('that has started, or has ended, outlives its event', async () => {
    const { propertyId, connectionId } = await connected();
    serve(
      stay('past@x', '20290601', '20290604'),
      stay('here@x', '20290609', '20290612'),
      stay('today@x', '20290610', '20290611'),
    );
    await sync(connectionId);
    clock.set('2029-06-10T10:00:00Z');
    serve();
    expect((await sync(connectionId)).lastSync).toMatchObject({ cancelled: 1 });
    expect((await staysAt(propertyId)).map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'cancelled']);
  });

  it('uses the times of its event, in the zone of the property', async () => {
    clock.set('2027-01-15T12:00:00Z');
    // A clock that was moved may start a sync as soon as there is a connection.
    calendars.answer = { status: 200, body: readFileSync('test/support/calendars/google.ics', 'utf8') };
    const { propertyId, connectionId } = await connected();
    await sync(connectionId);
    expect((await staysAt(propertyId)).map(({ arrivalAt, departureAt }) => [arrivalAt, departureAt])).toEqual([
      ['2027-03-05T15:00:00.000Z', '2027-03-07T11:00:00.000Z'],
      ['2027-03-20T16:00:00.000Z', '2027-03-22T10:00:00.000Z'],
      ['2027-03-26T14:00:00.000Z', '2027-03-28T10:00:00.000Z'],
    ]);
    expect((await sync(connectionId)).lastSync).toMatchObject({ updated: 0, created: 0 });
  });

  it.each([
    ['share their first 255 characters', [`${'a'.repeat(255)}1`, `${'a'.repeat(255)}2`]],
    ['have half a character at position 255', [`${'a'.repeat(254)}😀`]],
    ['contain control characters', ['a\u0000b@x', 'c@x']],
  ])('is recognized by UIDs that %s', async (_, uids) => {
    const { propertyId, connectionId } = await connected();
    serve(...uids.map((uid, n) => stay(uid, `2029060${n + 1}`, `2029060${n + 2}`)));
    expect((await sync(connectionId)).lastSync).toMatchObject({ created: uids.length });
    expect(await sync(connectionId)).toMatchObject({
      status: 'connected',
      lastSync: { created: 0, updated: 0, cancelled: 0, unchanged: uids.length },
    });
    expect(await staysAt(propertyId)).toHaveLength(uids.length);
  });

  it('that cannot be read is named, and nothing is imported', async () => {
    const { propertyId, connectionId } = await connected();
    serve(stay('a@x', '20290601', '20290604'), stay(`${'b'.repeat(99)}😀`, 'garbage', '20290604'));
    const { status, errors } = await sync(connectionId);
    expect([status, errors[0].message]).toEqual(['degraded', expect.stringContaining('The event bbb')]);
    expect(await staysAt(propertyId)).toEqual([]);
  });

  it('moves with the settings to another place', async () => {
    const { propertyId, connectionId } = await connected();
    const unit = await api.post(`/properties/${propertyId}/units`, { name: 'Attic' });
    serve(stay('a@x', '20290601', '20290604'));
    await sync(connectionId);
    const settings = { url: calendars.url, propertyId, unitId: unit.body.data.id };
    await api.patch(`/connections/${connectionId}`, { settings });
    await sync(connectionId);
    expect(await staysAt(propertyId)).toMatchObject([{ unitId: unit.body.data.id, version: 2 }]);
  });
});

describe('the stays of a calendar that is disconnected', () => {
  it('are ours, until another connection imports them again', async () => {
    const { propertyId, connectionId } = await connected();
    serve(stay('a@x', '20290601', '20290604'), stay('b@x', '20290610', '20290612'));
    await sync(connectionId);
    await api.post(`/connections/${connectionId}/disconnect`);
    const [first, second] = (await staysAt(propertyId)) as [Json, Json];
    expect((await api.post(`/reservations/${second.id}/cancel`)).body.data.status).toBe('cancelled');
    const move = (checkInDate: string, checkOutDate: string) =>
      api.post(`/reservations/${first.id}/move`, { checkInDate, checkOutDate });
    expect((await move('2029-06-02', '2029-06-05')).status).toBe(200);
    await api.post('/reservations', { propertyId, checkInDate: '2029-06-20', checkOutDate: '2029-06-22' });
    expect((await move('2029-06-19', '2029-06-21')).body.error.code).toBe('RESERVATION_OVERLAP');

    const settings = { url: calendars.url, propertyId };
    const again = await api.post('/connections', { provider: 'ical', kind: 'pms', name: 'Again', settings });
    expect((await sync(again.body.data.id)).lastSync).toMatchObject({ created: 0, updated: 2 });
    expect((await staysAt(propertyId)).map(({ checkInDate, status }) => [checkInDate, status])).toEqual([
      ['2029-06-01', 'confirmed'],
      ['2029-06-10', 'confirmed'],
      ['2029-06-20', 'confirmed'],
    ]);
    expect((await move('2029-06-02', '2029-06-05')).body.error.code).toBe('PROVIDER_OWNED');
  });
});

describe('the guests of a calendar', () => {
  it('have the names of the calendar, and do not return once erased', async () => {
    const { propertyId, connectionId } = await connected();
    const vrbo = readFileSync('test/support/calendars/vrbo.ics', 'utf8');
    calendars.answer = { status: 200, body: vrbo };
    await sync(connectionId);
    const [named, block] = (await staysAt(propertyId)) as [Json, Json];
    expect(named).toMatchObject({ channel: 'vrbo', primaryGuest: { name: 'Núria O’Connor' }, metadata: {} });
    expect(block).toMatchObject({ channel: 'vrbo', primaryGuest: null, notes: 'Blocked' });
    await api.delete(`/guests/${named.primaryGuest.id}`);
    calendars.answer.body = vrbo.replace('20270808', '20270809');
    expect((await sync(connectionId)).lastSync).toMatchObject({ updated: 1 });
    expect((await staysAt(propertyId))[0]).toMatchObject({
      primaryGuest: null,
      notes: null,
      checkOutDate: '2027-08-09',
    });
    expect(await dumpOf(service.database.url)).not.toContain('O’Connor');
  });
});

it('yields the event loop between stays', async () => {
  const { propertyId, connectionId } = await connected({ automaticTasks: [] });
  const stays = Array.from({ length: 20 }, (_, n) => stay(`${n}@x`, `203001${n + 10}`, `203001${n + 11}`));
  serve(...stays);
  const first = await turnsGivenUp(() => sync(connectionId));
  expect(first.result.lastSync).toMatchObject({ created: 20 });
  // Each is compared and recorded, and its record is read.
  expect(first.turns).toBeGreaterThanOrEqual(3 * 20);
  const again = await turnsGivenUp(() => sync(connectionId));
  expect(again.result.lastSync).toMatchObject({ created: 0, unchanged: 20 });
  // They are read and compared.
  expect(again.turns).toBeGreaterThanOrEqual(2 * 20);
  expect(await staysAt(propertyId)).toHaveLength(20);
});
