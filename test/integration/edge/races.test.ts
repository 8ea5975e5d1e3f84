import pg from 'pg';
import { EventTriggers } from '../../../src/features/workflows/triggers/event-triggers.service.js';
import { StayTriggers } from '../../../src/features/workflows/triggers/stay-triggers.service.js';
import { clock } from '../../support/clock.js';
import { propertyOf, stayOf, taskOf, unitOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { codeOf, day, hotelOf } from '../../support/hotel.js';
import { performDue, performOnce } from '../../support/jobs.js';
import { waitingForLocks } from '../../support/locks.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { activeWorkflowOf, runsOf } from '../../support/workflows.js';

/** Records that are deleted, archived or changed during a request for them. */
let tenant: Tenant;
let other: pg.Client;
let watcher: pg.Client;
beforeAll(async () => {
  // Due work runs when a test says so.
  tenant = await startTenant({ WORKER: 'off' });
  [other, watcher] = await Promise.all([connected(), connected()]);
});
afterEach(() => clock.restore());
afterAll(async () => {
  await Promise.all([other.end(), watcher.end()]);
  await tenant.close();
});

async function connected(): Promise<pg.Client> {
  const client = new pg.Client({ connectionString: tenant.service.database.url });
  await client.connect();
  return client;
}

const uuidOf = (id: string): string => id.slice(id.indexOf('_') + 1);
const made = async (path: string, body: object): Promise<string> => (await tenant.api.post(path, body)).body.data.id;

/** The result if another transaction has changed a row first, and commits once the request waits for it. */
async function behind<T>(change: string, id: string, ask: () => Promise<T>): Promise<T> {
  await other.query('begin');
  await other.query(change, [uuidOf(id)]);
  const { rows } = await other.query('select pg_backend_pid() as pid');
  let isAnswered = false;
  const asked = ask().finally(() => (isAnswered = true));
  const waiting = 'select 1 from pg_stat_activity where $1 = any(pg_blocking_pids(pid))';
  await until(
    () => watcher.query(waiting, [rows[0].pid]),
    ({ rowCount }) => rowCount === 1 || isAnswered,
  );
  const hasWaited = !isAnswered;
  await other.query('commit');
  const answer = await asked;
  expect(hasWaited).toBe(true);
  return answer;
}

const waiting = (count: number) =>
  until(
    () => watcher.query(waitingForLocks),
    ({ rowCount }) => rowCount === count,
  );

const endpointOf = (): Promise<string> =>
  made('/webhook-endpoints', { url: 'https://93.184.215.14/', eventTypes: ['*'] });

it('a write skips a webhook endpoint that is deleted during it', async () => {
  const endpoint = await endpointOf();
  const { status } = await behind('delete from webhook_endpoints where id = $1', endpoint, () =>
    tenant.api.post('/tasks', { name: 'x' }),
  );
  expect(status).toBe(201);
});

it('two webhook endpoints can be deleted at the same time', async () => {
  for (let time = 0; time < 5; time += 1) {
    const endpoints = [await endpointOf(), await endpointOf()];
    const deleted = await Promise.all(endpoints.map((id) => tenant.api.delete(`/webhook-endpoints/${id}`)));
    expect(deleted.map(({ status }) => status)).toEqual([200, 200]);
  }
});

it('a role that is deleted during the request is not assigned', async () => {
  const roleId = await made('/roles', { name: 'Passing', permissions: ['tasks:read'] });
  const refused = await behind('delete from roles where id = $1', roleId, () =>
    tenant.api.post('/members', { email: 'late@tests.example', roleId }),
  );
  expect([refused.status, refused.body.error.code]).toEqual([404, 'NOT_FOUND']);
});

it('a guest who is erased during the request gets no stay', async () => {
  const id = await made('/guests', { name: 'Ana' });
  const refused = await behind('delete from guests where id = $1', id, () =>
    tenant.api.post('/reservations', {
      propertyId: tenant.here,
      checkInDate: '2031-02-01',
      checkOutDate: '2031-02-03',
      primaryGuest: { id },
    }),
  );
  expect([refused.status, refused.body.error.code]).toEqual([404, 'NOT_FOUND']);
});

it('a guest is erased after the changes of their stays, which lock the guest last', async () => {
  const id = await made('/guests', { name: 'Eva' });
  const stay = await stayOf(tenant.api, { propertyId: tenant.here, primaryGuest: { id } });
  await other.query('begin');
  await other.query('select 1 from reservations where id = $1 for no key update', [uuidOf(stay.id)]);
  const erased = tenant.api.delete(`/guests/${id}`);
  await waiting(1);
  const locked = other.query('select 1 from guests where id = $1 for key share nowait', [uuidOf(id)]);
  expect(await locked.then(() => 'free', String)).toBe('free');
  await other.query('commit');
  expect((await erased).status).toBe(200);
});

it('a sync waits for a transaction that takes nights at its property', async () => {
  const propertyId = await propertyOf(tenant.api);
  const connection = { provider: 'simulator', kind: 'pms', name: 'x', settings: { propertyId } };
  const sync = `/connections/${await made('/connections', connection)}/sync`;
  const taken = 'select 1 from properties where id = $1 for no key update';
  const { body } = await behind(taken, propertyId, () => tenant.api.post(sync));
  expect(body.data.lastSync).toMatchObject({ updated: 1 });
});

const pausing = `update workflows set status = 'paused' where id = $1`;
const workflowBy = (trigger: object): Promise<string> =>
  activeWorkflowOf(tenant.api, {
    trigger,
    steps: [{ id: 'make', kind: 'operation', operation: 'createTask', input: { name: 'Made' } }],
  });

it('a workflow that is paused during the request does not run', async () => {
  const id = await workflowBy({ kind: 'manual' });
  const refused = await behind(pausing, id, () => tenant.api.post(`/workflows/${id}/run`, {}));
  expect([refused.status, refused.body.error.code]).toEqual([409, 'WORKFLOW_NOT_ACTIVE']);
});

it('nor is it started by an event', async () => {
  const id = await workflowBy({ kind: 'event', eventType: 'guest.created' });
  await made('/guests', { name: 'Rui' });
  await feedSettled(tenant.service);
  await behind(pausing, id, () => performOnce(tenant.service.app.get(EventTriggers)));
  expect(await runsOf(tenant.api, id)).toEqual([]);
});

it('nor by a stay', async () => {
  const day = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
  const stay = await stayOf(tenant.api, { propertyId: tenant.here, checkInDate: day(1), checkOutDate: day(3) });
  const id = await workflowBy({ kind: 'reservation_relative', moment: 'arrival', offsetMinutes: 0 });
  clock.set(Date.parse(stay.arrivalAt as string) + 60_000);
  await behind(pausing, id, () => performDue(tenant.service.app.get(StayTriggers)));
  expect(await runsOf(tenant.api, id)).toEqual([]);
});

it('a property that is archived during the request gets no connection', async () => {
  const propertyId = await propertyOf(tenant.api);
  const refused = await behind('update properties set archived_at = now() where id = $1', propertyId, () =>
    tenant.api.post('/connections', { provider: 'simulator', kind: 'pms', name: 'x', settings: { propertyId } }),
  );
  expect([refused.status, refused.body.error.code]).toEqual([409, 'PROPERTY_ARCHIVED']);
});

it('a unit that is archived during the request gets no stay', async () => {
  const unitId = await unitOf(tenant.api, tenant.here, 'Passing');
  const stay = { propertyId: tenant.here, unitId, checkInDate: '2031-04-01', checkOutDate: '2031-04-03' };
  const refused = await behind('update units set archived_at = now() where id = $1', unitId, () =>
    tenant.api.post('/reservations', stay),
  );
  expect([refused.status, refused.body.error.code]).toEqual([409, 'UNIT_ARCHIVED']);
});

it('the times of a property and its tasks can change at the same time, in any order of its stays', async () => {
  const propertyId = await propertyOf(tenant.api);
  const stays: string[] = [];
  for (const [checkInDate, checkOutDate] of [
    ['2031-03-01', '2031-03-02'],
    ['2031-03-03', '2031-03-04'],
    ['2031-03-05', '2031-03-06'],
    ['2031-03-07', '2031-03-08'],
  ]) {
    stays.push((await stayOf(tenant.api, { propertyId, checkInDate, checkOutDate })).id as string);
  }
  // For stays that are not neighbors.
  const [early, , , late] = stays as [string, string, string, string];
  const start = { event: 'arrival', offsetMinutes: 60 };
  const taskOfStay = (reservationId: string): Promise<string> =>
    taskOf(tenant.api, { propertyId, reservationId, timeRule: { start, end: start } });
  const tasks = [await taskOfStay(late), await taskOfStay(early)] as const;
  await other.query('begin');
  await other.query('select 1 from tasks where id = $1 for update', [uuidOf(tasks[0])]);
  const inBulk = tenant.api.post('/tasks/bulk', { taskIds: tasks, action: 'assign', assigneeIds: [] });
  await waiting(1);
  const withTheTimes = tenant.api.patch(`/properties/${propertyId}`, { checkInTime: '11:30' });
  await waiting(2);
  await other.query('commit');
  expect((await Promise.all([inBulk, withTheTimes])).map(({ status }) => status)).toEqual([200, 200]);
});

describe('transactions that take nights at a property wait for each other', () => {
  /** Every request gets as far as its events, unless it waits for another one before. */
  async function heldUp<T>(asked: () => Promise<T>[]): Promise<T[]> {
    await other.query('begin; lock table events in exclusive mode');
    const replies = asked();
    await until(
      () => watcher.query(waitingForLocks),
      ({ rowCount }) => (rowCount ?? 0) >= Math.min(2, replies.length),
    );
    await other.query('commit');
    return await Promise.all(replies);
  }

  it('the two last rooms go to two of sixteen bookings', async () => {
    const { book } = await hotelOf(tenant.api, { Double: ['101', '102'] });
    const replies = await heldUp(() => Array.from({ length: 16 }, () => book(5, 8, 'Double')));
    expect(replies.filter(({ status }) => status === 201)).toHaveLength(2);
  });

  it('a room is booked or archived', async () => {
    const { book, rooms, propertyId } = await hotelOf(tenant.api, { Double: ['101'] });
    const replies = await heldUp(() => [
      book(5, 8, 'Double'),
      tenant.api.post(`/properties/${propertyId}/units/${rooms['101']}/archive`),
    ]);
    expect(replies.map(codeOf).filter(([, code]) => code === 'OK')).toHaveLength(1);
  });

  it('either a block or a check-in gets the room', async () => {
    const { stay, act, rooms, propertyId } = await hotelOf(tenant.api, { Double: ['101', '102'] });
    const guests = await stay(0, 3, '101');
    const block = { unitId: rooms['101'], from: day(0), until: day(2), kind: 'out_of_order', force: true };
    const [blocked, arrived] = await heldUp(() => [
      tenant.api.post(`/properties/${propertyId}/unit-blocks`, block),
      act(guests, 'check-in'),
    ]);
    const { data } = (await tenant.api.get(`/reservations/${guests.id}`)).body;
    expect([blocked?.status, arrived?.status, data.stayStatus]).toEqual(
      data.unitId === null ? [201, 409, 'not_arrived'] : [201, 200, 'checked_in'],
    );
  });

  it('a stay that is booked during a change of times has the new ones', async () => {
    const { book, propertyId } = await hotelOf(tenant.api, { Double: ['101'] }, { checkInTime: '15:00' });
    const [, booked] = await heldUp(() => [
      tenant.api.patch(`/properties/${propertyId}`, { checkInTime: '18:00' }),
      book(5, 8, 'Double'),
    ]);
    const { body } = await tenant.api.get(`/reservations/${booked?.body.data.id}`);
    expect(body.data.arrivalLocal).toMatch(/18:00$/);
  });
});
