import type { Api } from '../../support/api.js';
import { dumpOf } from '../../support/dump.js';
import { keyWith } from '../../support/factories.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  ({ api } = await keyWith(service.api));
});
afterAll(() => service.close());

const newProperty = async (fields: object = {}): Promise<string> => {
  const { body } = await api.post('/properties', { name: 'Loft', timezone: 'Europe/Lisbon', ...fields });
  return body.data.id;
};

const book = (propertyId: string, checkInDate: string, checkOutDate: string, fields: object = {}) =>
  api.post('/reservations', { propertyId, checkInDate, checkOutDate, ...fields });

describe('createReservation', () => {
  it("books nights in the property's time zone", async () => {
    const propertyId = await newProperty();
    const { status, body } = await book(propertyId, '2027-07-01', '2027-07-04', { primaryGuest: { name: 'Ana Reis' } });
    expect(status).toBe(201);
    expect(body.data).toMatchObject({
      status: 'confirmed',
      stayStatus: 'not_arrived',
      arrivalAt: '2027-07-01T14:00:00.000Z',
      departureAt: '2027-07-04T10:00:00.000Z',
      primaryGuest: { name: 'Ana Reis' },
      source: 'manual',
      overlapping: false,
    });
  });

  it('lets one of two bookings of the same night win', async () => {
    const propertyId = await newProperty();
    const replies = await Promise.all(Array.from({ length: 8 }, () => book(propertyId, '2027-08-01', '2027-08-02')));
    expect(replies.map(({ status }) => status).sort()).toEqual([201, 409, 409, 409, 409, 409, 409, 409]);
    const refused = replies.find(({ status }) => status === 409);
    expect(refused?.body.error.code).toBe('RESERVATION_OVERLAP');
    expect(refused?.body.error.details.reservations).toHaveLength(1);
  });

  it('accepts a stay that starts on the day another one ends', async () => {
    const propertyId = await newProperty();
    expect((await book(propertyId, '2027-08-01', '2027-08-03')).status).toBe(201);
    expect((await book(propertyId, '2027-08-03', '2027-08-05')).status).toBe(201);
  });

  it('rejects an arrival on another day', async () => {
    const propertyId = await newProperty();
    const { status, body } = await book(propertyId, '2027-08-01', '2027-08-03', { arrivalAt: '2027-08-02T09:00:00Z' });
    expect(status).toBe(400);
    expect(body.error.details.key).toBe('ARRIVAL_ON_ANOTHER_DAY');
  });
});

describe('moveReservation', () => {
  it('frees the old nights and takes the new ones', async () => {
    const propertyId = await newProperty();
    const { body } = await book(propertyId, '2027-09-01', '2027-09-03');
    const moved = await api.post(`/reservations/${body.data.id}/move`, {
      checkInDate: '2027-09-10',
      checkOutDate: '2027-09-12',
    });
    expect(moved.status).toBe(200);
    expect(moved.body.data).toMatchObject({ checkInDate: '2027-09-10', version: 2 });
    expect((await book(propertyId, '2027-09-01', '2027-09-03')).status).toBe(201);
    expect((await book(propertyId, '2027-09-11', '2027-09-13')).status).toBe(409);
  });
});

describe('the lifecycle of a stay', () => {
  it('consists of check-in, undo, check-in and check-out, after which it cannot be cancelled', async () => {
    const propertyId = await newProperty();
    const { id } = (await book(propertyId, '2027-10-01', '2027-10-03')).body.data;
    const act = (verb: string, input?: object) => api.post(`/reservations/${id}/${verb}`, input);
    expect((await act('check-in', { early: true })).body.data.stayStatus).toBe('checked_in');
    expect((await act('check-in', { early: true })).body.error.code).toBe('STAY_STATUS');
    expect((await act('undo-check-in')).body.data.stayStatus).toBe('not_arrived');
    expect((await act('check-in', { early: true })).status).toBe(200);
    expect((await act('check-out')).body.data.stayStatus).toBe('checked_out');
    expect((await act('cancel')).body.error.code).toBe('RESERVATION_NOT_CANCELLABLE');
  });

  it('rejects a check-in of what is not confirmed', async () => {
    const propertyId = await newProperty();
    const { id } = (await book(propertyId, '2027-10-01', '2027-10-03', { status: 'inquiry' })).body.data;
    const { status, body } = await api.post(`/reservations/${id}/check-in`);
    expect([status, body.error.code]).toEqual([409, 'RESERVATION_NOT_CONFIRMED']);
  });
});

describe('listReservations', () => {
  it('finds stays by local dates and by the name of the guest', async () => {
    const propertyId = await newProperty();
    await book(propertyId, '2028-01-01', '2028-01-03', { primaryGuest: { name: 'Zoë Quartz' } });
    const count = async (query: string) =>
      (await api.get(`/reservations?propertyId=${propertyId}&${query}`)).body.data.length;
    expect(await count('stayingOn=2028-01-02')).toBe(1);
    expect(await count('stayingOn=2028-01-03')).toBe(0);
    expect(await count('arrivingOn=2028-01-01')).toBe(1);
    expect(await count('departingOn=2028-01-03')).toBe(1);
    expect(await count('q=quart')).toBe(1);
    expect(await count('q=100%25')).toBe(0);
  });
});

describe('a property with future stays', () => {
  it('cannot be archived, and its new times move the stay', async () => {
    const propertyId = await newProperty();
    const { id } = (await book(propertyId, '2029-01-01', '2029-01-03')).body.data;
    const refused = await api.post(`/properties/${propertyId}/archive`);
    expect([refused.status, refused.body.error.code]).toEqual([409, 'PROPERTY_IN_USE']);
    await api.patch(`/properties/${propertyId}`, { checkInTime: '17:30' });
    expect((await api.get(`/reservations/${id}`)).body.data.arrivalAt).toBe('2029-01-01T17:30:00.000Z');
    await api.post(`/reservations/${id}/cancel`, { reason: 'plans changed' });
    expect((await api.post(`/properties/${propertyId}/archive`)).body.data.archivedAt).not.toBeNull();
  });

  it('shows its wifi only to callers with permission', async () => {
    const propertyId = await newProperty({ wifi: { networkName: 'loft', password: 'hunter22' } });
    const { text, body } = await api.get(`/properties/${propertyId}`);
    expect(body.data.hasWifi).toBe(true);
    expect(text).not.toContain('hunter22');
    expect((await api.post(`/properties/${propertyId}/wifi/reveal`)).body.data.password).toBe('hunter22');
  });
});

describe('eraseGuest', () => {
  it('leaves nothing that identifies the guest', async () => {
    const propertyId = await newProperty();
    const key = { 'Idempotency-Key': 'erase-me' };
    const { body } = await api.post(
      '/reservations',
      {
        propertyId,
        checkInDate: '2029-05-01',
        checkOutDate: '2029-05-02',
        primaryGuest: { name: 'Quentin Xylo' },
        notes: 'call Quentin',
      },
      key,
    );
    const guestId = body.data.primaryGuest.id;
    expect((await api.delete(`/guests/${guestId}`)).body.data).toEqual({ id: guestId, deleted: true });
    const after = await api.get(`/reservations/${body.data.id}`);
    expect(after.body.data).toMatchObject({ primaryGuest: null, notes: null });
    expect((await api.get(`/guests/${guestId}`)).status).toBe(404);
    const dump = await dumpOf(service.database.url);
    expect(dump).not.toContain('Quentin');
  });
});

describe('a malformed id', () => {
  it('is 404 in every field, also within an object', async () => {
    const propertyId = await newProperty();
    const { status } = await book(propertyId, '2030-01-01', '2030-01-02', { primaryGuest: { id: 'nonsense' } });
    expect(status).toBe(404);
  });
});
