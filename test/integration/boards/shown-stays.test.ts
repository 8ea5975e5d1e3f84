import pg from 'pg';
import { uuidIn } from '#persistence';
import { ShownStays1700000000285 } from '../../../src/platform/migrations/1700000000285-shown-stays.js';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { propertyOf, stayOf, unitOf } from '../../support/factories.js';
import { waitingForLocks } from '../../support/locks.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
const clients: pg.Client[] = [];
beforeAll(async () => {
  // No mornings, which make rooms dirty.
  tenant = await startTenant({ WORKER: 'off' });
  clock.set('2030-07-01T16:00:00Z');
});
afterAll(async () => {
  clock.restore();
  await Promise.all(clients.map((client) => client.end()));
  await tenant.close();
});

/** A connection that sees all organizations, beside the service. */
async function connected(role = 'app_system'): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: tenant.service.database.url });
  clients.push(client);
  await client.connect();
  await client.query(`set role ${role}`);
  return client;
}

/** A stay of Ana in a room of its own, until the third. */
async function stayOfAna(): Promise<{ propertyId: string; id: string; guestId: string; unitId: string }> {
  const propertyId = await propertyOf(tenant.api);
  const unitId = await unitOf(tenant.api, propertyId, '1');
  const dates = { checkInDate: '2030-07-01', checkOutDate: '2030-07-03' };
  const stay = await stayOf(tenant.api, { propertyId, unitId, ...dates, primaryGuest: { name: 'Ana' } });
  return { propertyId, unitId, id: stay.id, guestId: stay.primaryGuest.id };
}

const tonight = async (propertyId: string): Promise<Json> =>
  (await tenant.api.get(`/properties/${propertyId}/board`)).body.data.units[0].tonight;
const segment = async (propertyId: string): Promise<Json> =>
  (await tenant.api.get(`/properties/${propertyId}/tape-chart`)).body.data.units[0].segments[0];
const longer = 'update reservations set check_out_date = check_out_date + 1 where id = $1';
const renamed = `update guests set name = 'Eva' where id = $1`;

it('a board and a chart show the guest, times and group that a stay has now', async () => {
  const { propertyId, id, guestId } = await stayOfAna();
  expect(await tonight(propertyId)).toMatchObject({ guestName: 'Ana', departureLocal: '2030-07-03T11:00' });
  await tenant.api.patch(`/guests/${guestId}`, { name: 'Eva' });
  await tenant.api.patch(`/reservations/${id}`, { groupRef: 'Wedding' });
  await tenant.api.patch(`/reservations/${id}`, { departureAt: '2030-07-03T11:30:00Z' });
  const stay = { reservationId: id, guestName: 'Eva', departureLocal: '2030-07-03T12:30' };
  expect(await tonight(propertyId)).toMatchObject(stay);
  expect(await segment(propertyId)).toMatchObject({ ...stay, groupRef: 'Wedding', stayStatus: 'not_arrived' });
  await tenant.api.post(`/reservations/${id}/check-in`);
  expect(await segment(propertyId)).toMatchObject({ ...stay, stayStatus: 'checked_in' });
  await tenant.api.patch(`/reservations/${id}`, { primaryGuest: { name: 'Rui' } });
  expect(await tonight(propertyId)).toMatchObject({ guestName: 'Rui' });
});

it('a stay that changes while its guest is renamed has the new name', async () => {
  const { propertyId, id, guestId } = await stayOfAna();
  const [one, other] = [await connected(), await connected()];
  await one.query('begin');
  await one.query(renamed, [uuidIn(guestId)]);
  const change = other.query(longer, [uuidIn(id)]);
  await untilSomeoneWaits(one);
  await one.query('commit');
  await change;
  expect(await tonight(propertyId)).toMatchObject({ guestName: 'Eva' });
});

it('a guest who is renamed while a stay changes has the new name there', async () => {
  const { propertyId, id, guestId } = await stayOfAna();
  const [one, other] = [await connected(), await connected()];
  await one.query('begin');
  await one.query(longer, [uuidIn(id)]);
  const change = other.query(renamed, [uuidIn(guestId)]);
  await untilSomeoneWaits(one);
  await one.query('commit');
  await change;
  expect(await tonight(propertyId)).toMatchObject({ guestName: 'Eva' });
});

async function untilSomeoneWaits(client: pg.Client): Promise<void> {
  while ((await client.query(waitingForLocks)).rows.length === 0);
}

it('stays of the last release are shown too', async () => {
  const { propertyId, id } = await stayOfAna();
  await tenant.api.post(`/reservations/${id}/check-in`);
  const other = await unitOf(tenant.api, propertyId, '2');
  clock.set('2030-07-02T16:00:00Z');
  await tenant.api.post(`/reservations/${id}/move`, { unitId: other, from: '2030-07-02' });
  const before = await everything(propertyId);
  const owner = await connected('none');
  const runner = { query: async (text: string, values?: unknown[]) => (await owner.query(text, values)).rows };
  const migration = new ShownStays1700000000285();
  await migration.down(runner as never);
  await migration.up(runner as never);
  // A migration that did not come to its end begins again.
  await migration.up(runner as never);
  expect(await everything(propertyId)).toEqual(before);
});

const everything = async (propertyId: string): Promise<Json[]> =>
  await Promise.all(
    ['board', 'tape-chart'].map(
      async (view) =>
        (await tenant.api.get(`/properties/${propertyId}/${view}?${view === 'board' ? 'date' : 'from'}=2030-07-02`))
          .body.data,
    ),
  );
