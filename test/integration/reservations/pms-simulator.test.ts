import type { Json } from '../../support/api.js';
import { type Door, doorNames, doors } from '../../support/doors.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => (service = await startApp()));
afterAll(() => service.close());

const simulator = (settings: object) => ({
  provider: 'simulator',
  kind: 'pms',
  name: 'Simulated PMS',
  credentials: {},
  settings,
});

describe.each(doorNames)('the simulated PMS over %s', (door) => {
  let ask: Door['ask'];
  let propertyId: string;
  beforeAll(async () => {
    const { key, api } = await keyWith(service.api);
    ({ ask } = doors(service)[door].as(key));
    propertyId = await propertyOf(api);
  });

  it('imports, moves and cancels reservations, and owns their fields', async () => {
    const stays = async (): Promise<Json[]> =>
      (await ask('listReservations', { propertyId, sort: 'checkInDate' })).body.data;
    const made = await ask('createConnection', simulator({ propertyId }));
    expect(made.body.data).toMatchObject({ status: 'connected', lastSync: { created: 3 } });
    const before = await stays();
    expect(before).toMatchObject([
      { source: 'provider', status: 'confirmed', confirmationCode: 'SIM-1001', primaryGuest: { name: 'Ines Marques' } },
      { confirmationCode: 'SIM-1002' },
      { confirmationCode: 'SIM-1003' },
    ]);
    const owned = await ask('updateReservation', { reservationId: before[0].id, confirmationCode: 'MINE' });
    expect([owned.status, owned.body.error.code]).toEqual([409, 'PROVIDER_OWNED']);

    const connectionId = made.body.data.id;
    const sync = async () => (await ask('syncConnection', { connectionId })).body.data.lastSync;
    expect(await sync()).toEqual({ created: 0, updated: 1, cancelled: 0, unchanged: 2 });
    const after = await stays();
    expect(Date.parse(after[1].checkInDate) - Date.parse(before[1].checkInDate)).toBe(2 * 86_400_000);
    expect(await sync()).toEqual({ created: 0, updated: 0, cancelled: 1, unchanged: 2 });
    expect((await stays()).map(({ status }) => status)).toEqual(['confirmed', 'confirmed', 'cancelled']);
    expect(await sync()).toEqual({ created: 0, updated: 0, cancelled: 0, unchanged: 3 });
  });
});

it('needs a property, and uses the oldest one by default', async () => {
  const api = await anotherOrganization(service);
  const { body } = await api.post('/connections', simulator({}));
  expect(body.data).toMatchObject({ status: 'degraded', reason: expect.stringContaining('need a property') });
  const propertyId = await propertyOf(api);
  await propertyOf(api, 'Younger');
  expect((await api.post(`/connections/${body.data.id}/sync`)).body.data.lastSync).toMatchObject({ created: 3 });
  expect((await api.get(`/reservations?propertyId=${propertyId}`)).body.data).toHaveLength(3);
});
