import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { propertyOf, stayOf, taskOf, unitOf } from '../../support/factories.js';
import { performDue } from '../../support/jobs.js';
import { simulatorOf } from '../../support/simulator.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { Mornings } from '../../../src/tenancy/rooms/mornings.service.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const nights = { checkInDate: '2030-07-01', checkOutDate: '2030-07-03' };

interface House {
  propertyId: string;
  unitId: string;
  otherId: string;
}

/** A property of two rooms in Lisbon, which is at UTC+1 in summer, on the afternoon of an arrival. */
async function house(wishes: object = {}): Promise<House> {
  clock.set('2030-07-01T15:00:00Z');
  const propertyId = await propertyOf(tenant.api);
  await tenant.api.patch(`/properties/${propertyId}`, wishes);
  return {
    propertyId,
    unitId: await unitOf(tenant.api, propertyId, '101'),
    otherId: await unitOf(tenant.api, propertyId, '102'),
  };
}

/** The cleaning status of the property and its two rooms. */
async function statuses({ propertyId, unitId, otherId }: House): Promise<string[]> {
  const paths = ['', `/units/${unitId}`, `/units/${otherId}`];
  const read = async (path: string): Promise<string> =>
    (await tenant.api.get(`/properties/${propertyId}${path}`)).body.data.cleaningStatus;
  return await Promise.all(paths.map(read));
}

const post = async (path: string, body: object = {}): Promise<Json> => {
  const reply = await tenant.api.post(path, body);
  if (reply.status >= 300) throw new Error(`${path}: ${reply.text}`);
  return reply.body.data;
};

async function inHouse(place: { propertyId: string; unitId?: string }): Promise<string> {
  const { id } = await stayOf(tenant.api, { ...nights, ...place });
  await post(`/reservations/${id}/check-in`);
  return id;
}

const runMornings = () => performDue(tenant.service.app.get(Mornings));

describe.each(doorNames)('setUnitStatus over %s', (door) => {
  const ask = (operation: string, input: object) => tenant.doors[door].ask(operation, input);

  it('sets the status, and flags that end at the next midnight of the property', async () => {
    const { propertyId, unitId } = await house();
    const address = { propertyId, unitId };
    const { body } = await ask('setUnitStatus', { ...address, cleaningStatus: 'inspected', doNotDisturb: true });
    expect(body.data).toMatchObject({
      cleaningStatus: 'inspected',
      doNotDisturb: true,
      doNotDisturbUntil: '2030-07-01T23:00:00.000Z',
      makeUpRoom: false,
      makeUpRoomUntil: null,
      version: 2,
    });
    expect((await ask('setUnitStatus', { ...address, doNotDisturb: true })).body.data.version).toBe(2);
    const other = await ask('setUnitStatus', { ...address, doNotDisturb: false, makeUpRoom: true });
    expect(other.body.data).toMatchObject({ doNotDisturb: false, makeUpRoom: true, cleaningStatus: 'inspected' });
    clock.set('2030-07-01T22:59:59Z');
    expect((await ask('getUnit', address)).body.data.makeUpRoom).toBe(true);
    clock.set('2030-07-01T23:00:00Z');
    expect((await ask('getUnit', address)).body.data.makeUpRoom).toBe(false);
    const again = await ask('setUnitStatus', { ...address, makeUpRoom: true });
    expect(again.body.data.makeUpRoomUntil).toBe('2030-07-02T23:00:00.000Z');
  });
});

describe.each(doorNames)('the flags of guests over %s', (door) => {
  const ask = (operation: string, input: object) => tenant.doors[door].ask(operation, input);
  const flagsOf = async ({ propertyId }: House, unitId: string): Promise<Json> => {
    const { body } = await ask('getUnit', { propertyId, unitId });
    return [body.data.doNotDisturb, body.data.makeUpRoom, body.data.cleaningStatus];
  };
  const raise = ({ propertyId }: House, unitId: string, flag: string) =>
    ask('setUnitStatus', { propertyId, unitId, [flag]: true });

  it.each([true, false])('end when they leave the room, if room state follows work: %s', async (follows) => {
    const rooms = await house({ roomStatusFollowsWork: follows });
    const { propertyId, unitId, otherId } = rooms;
    const left = follows ? 'dirty' : 'clean';
    const reservationId = await inHouse({ propertyId, unitId });
    await raise(rooms, unitId, 'makeUpRoom');
    await ask('moveReservation', { reservationId, unitId: otherId, from: nights.checkInDate });
    expect(await flagsOf(rooms, unitId)).toEqual([false, false, left]);
    await raise(rooms, unitId, 'makeUpRoom');
    await raise(rooms, otherId, 'doNotDisturb');
    await ask('checkOutReservation', { reservationId });
    expect(await flagsOf(rooms, otherId)).toEqual([false, false, left]);
    expect(await flagsOf(rooms, unitId)).toEqual([false, true, left]);
    const { data } = (await tenant.api.get(`/audit-entries?targetId=${otherId}&action=checkOutReservation`)).body;
    expect(data).toHaveLength(1);
  });

  it('of the whole property end in each of its rooms', async () => {
    const rooms = await house();
    const reservationId = await inHouse({ propertyId: rooms.propertyId });
    await raise(rooms, rooms.unitId, 'doNotDisturb');
    await raise(rooms, rooms.otherId, 'makeUpRoom');
    await ask('checkOutReservation', { reservationId });
    for (const id of [rooms.unitId, rooms.otherId]) expect(await flagsOf(rooms, id)).toEqual([false, false, 'dirty']);
  });
});

describe('the state of a room', () => {
  it('is dirty when its guests have left, and follows its cleaning and inspection', async () => {
    const rooms = await house();
    const { propertyId, unitId } = rooms;
    const id = await inHouse({ propertyId, unitId });
    expect(await statuses(rooms)).toEqual(['clean', 'clean', 'clean']);
    await post(`/reservations/${id}/check-out`);
    expect(await statuses(rooms)).toEqual(['clean', 'dirty', 'clean']);
    const cleaning = await taskOf(tenant.api, { type: 'cleaning', propertyId, unitId });
    await post(`/tasks/${cleaning}/start`);
    expect(await statuses(rooms)).toEqual(['clean', 'cleaning', 'clean']);
    await post(`/tasks/${cleaning}/complete`);
    expect(await statuses(rooms)).toEqual(['clean', 'clean', 'clean']);
    const repair = await taskOf(tenant.api, { type: 'maintenance', propertyId, unitId });
    await post(`/tasks/${repair}/start`);
    const inspection = await taskOf(tenant.api, { type: 'inspection', propertyId, unitId });
    await post(`/tasks/${inspection}/start`);
    expect(await statuses(rooms)).toEqual(['clean', 'clean', 'clean']);
    await post(`/tasks/${inspection}/complete`);
    expect(await statuses(rooms)).toEqual(['clean', 'inspected', 'clean']);
    await post(`/tasks/${cleaning}/reopen`);
    expect(await statuses(rooms)).toEqual(['clean', 'cleaning', 'clean']);
    const { data } = (await tenant.api.get(`/audit-entries?targetId=${unitId}`)).body;
    expect(data.map(({ action }: Json) => action as string)).toEqual([
      'reopenTask',
      'completeTask',
      'completeTask',
      'startTask',
      'checkOutReservation',
      'createUnit',
    ]);
  });

  it('is dirty when its guests move to another room', async () => {
    const rooms = await house();
    const { propertyId, unitId, otherId } = rooms;
    const id = await inHouse({ propertyId, unitId });
    await post(`/reservations/${id}/move`, { unitId: otherId, from: nights.checkInDate });
    expect(await statuses(rooms)).toEqual(['clean', 'dirty', 'clean']);
  });

  it('is dirty after an inspection in which a required item failed, with a new cleaning task', async () => {
    const rooms = await house();
    const { propertyId, unitId } = rooms;
    const inspect = async (checklist: object[]): Promise<string[]> => {
      const id = await taskOf(tenant.api, { type: 'inspection', propertyId, unitId, checklist });
      await post(`/tasks/${id}/complete`);
      return await statuses(rooms);
    };
    const bath = { title: 'Bathroom', required: true };
    const bin = { title: 'Bin', result: 'failed' };
    expect(await inspect([{ ...bath, result: 'passed' }, bin])).toEqual(['clean', 'inspected', 'clean']);
    expect(await inspect([{ ...bath, result: 'failed' }, bin])).toEqual(['clean', 'dirty', 'clean']);
    const { data } = (await tenant.api.get(`/tasks?unitId=${unitId}&open=true`)).body;
    const item = { id: expect.any(String), ...bath, done: false, result: null };
    expect(data).toMatchObject([{ type: 'cleaning', source: 'automatic', checklist: [item] }]);
    const refused = await tenant.api.post(`/tasks/${data[0].id}/complete`);
    expect(refused.body.error.code).toBe('CHECKLIST_INCOMPLETE');
  });

  it('is changed by many tasks in one request, and by a stay and a task of the whole property', async () => {
    const rooms = await house();
    const { propertyId, unitId, otherId } = rooms;
    const id = await inHouse({ propertyId });
    const ofStay = await taskOf(tenant.api, { type: 'cleaning', reservationId: id });
    await post(`/reservations/${id}/check-out`);
    expect(await statuses(rooms)).toEqual(['dirty', 'dirty', 'dirty']);
    const lobby = await taskOf(tenant.api, { type: 'cleaning', propertyId });
    await post(`/tasks/${lobby}/complete`);
    expect(await statuses(rooms)).toEqual(['clean', 'dirty', 'dirty']);
    await post(`/tasks/${ofStay}/start`);
    expect(await statuses(rooms)).toEqual(['cleaning', 'cleaning', 'cleaning']);
    const taskIds: string[] = [];
    for (const room of [unitId, otherId])
      taskIds.push(await taskOf(tenant.api, { type: 'cleaning', propertyId, unitId: room }));
    await post('/tasks/bulk', { taskIds, action: 'complete' });
    expect(await statuses(rooms)).toEqual(['cleaning', 'clean', 'clean']);
  });

  it('does not change if a person took the room out of use, or the property is set so', async () => {
    const used = await house();
    await post(`/properties/${used.propertyId}/units/${used.unitId}/status`, { cleaningStatus: 'out_of_order' });
    const still = await house({ roomStatusFollowsWork: false });
    for (const { propertyId, unitId } of [used, still]) {
      const id = await inHouse({ propertyId, unitId });
      await post(`/reservations/${id}/check-out`);
      const task = await taskOf(tenant.api, { type: 'inspection', propertyId, unitId });
      await post(`/tasks/${task}/complete`);
    }
    expect(await statuses(used)).toEqual(['clean', 'out_of_order', 'clean']);
    expect(await statuses(still)).toEqual(['clean', 'clean', 'clean']);
    clock.set('2030-07-02T06:00:00Z');
    await runMornings();
    expect(await statuses(still)).toEqual(['clean', 'clean', 'clean']);
  });

  it('is dirty at six in the morning of the property while guests are in house', async () => {
    const [rooms, whole, off] = [await house(), await house(), await house({ roomStatusFollowsWork: false })];
    await inHouse({ propertyId: rooms.propertyId, unitId: rooms.unitId });
    await inHouse({ propertyId: whole.propertyId });
    await inHouse({ propertyId: off.propertyId, unitId: off.unitId });
    clock.set('2030-07-02T04:59:59Z');
    await runMornings();
    expect(await statuses(rooms)).toEqual(['clean', 'clean', 'clean']);
    clock.set('2030-07-02T05:00:00Z');
    await runMornings();
    expect(await statuses(rooms)).toEqual(['clean', 'dirty', 'clean']);
    expect(await statuses(whole)).toEqual(['dirty', 'dirty', 'dirty']);
    expect(await statuses(off)).toEqual(['clean', 'clean', 'clean']);
    const address = `/properties/${rooms.propertyId}`;
    await post(`${address}/units/${rooms.unitId}/status`, { cleaningStatus: 'clean' });
    await tenant.api.patch(address, { timezone: 'Asia/Tokyo' });
    await runMornings();
    expect(await statuses(rooms)).toEqual(['clean', 'clean', 'clean']);
    clock.set('2030-07-02T21:00:00Z');
    await runMornings();
    expect(await statuses(rooms)).toEqual(['clean', 'dirty', 'clean']);
  });

  it('changes while tasks end and stays are booked, without a deadlock', async () => {
    const start = { event: 'departure', offsetMinutes: 0 };
    const automaticTasks = [
      { name: 'Turnover', type: 'cleaning', timeRule: { start, end: { ...start, event: 'next_arrival' } } },
    ];
    const { propertyId, unitId } = await house({ automaticTasks });
    for (let round = 0; round < 4; round += 1) {
      const month = `2031-0${round + 1}`;
      const place = { propertyId, ...(round % 2 && { unitId }) };
      clock.set(`${month}-01T16:00:00Z`);
      const id = (await stayOf(tenant.api, { ...place, checkInDate: `${month}-01`, checkOutDate: `${month}-02` })).id;
      await post(`/reservations/${id}/check-in`);
      const [task] = (await tenant.api.get(`/tasks?reservationId=${id}`)).body.data;
      const replies = await Promise.all([
        tenant.api.post(`/tasks/${task.id}/start`),
        tenant.api.post(`/reservations/${id}/check-out`),
        tenant.api.post('/reservations', { ...place, checkInDate: `${month}-02`, checkOutDate: `${month}-03` }),
        tenant.api.post('/reservations', { ...place, checkInDate: `${month}-05`, checkOutDate: `${month}-06` }),
        tenant.api.post(`/properties/${propertyId}/units/${unitId}/status`, { makeUpRoom: round % 2 === 0 }),
      ]);
      expect(replies.map(({ status }) => status)).toEqual([200, 200, 201, 201, 200]);
    }
  });
});

describe('readiness', () => {
  it('of a unit and of its property lists what keeps guests out', async () => {
    const { propertyId, unitId, otherId } = await house();
    const address = `/properties/${propertyId}`;
    const reasons = async (path: string): Promise<string[]> => {
      const { data } = (await tenant.api.get(`${address}${path}`)).body;
      const { readiness, notReadyBecause } = data.length === undefined ? data : data[0];
      expect(readiness).toBe(notReadyBecause.length === 0 ? 'ready' : 'not_ready');
      return notReadyBecause;
    };
    const all = async (): Promise<string[][]> =>
      await Promise.all(['', `/units/${unitId}`, `/units/${otherId}`].map(reasons));
    expect(await all()).toEqual([[], [], []]);
    await post(`${address}/units/${unitId}/status`, { cleaningStatus: 'dirty' });
    const task = await taskOf(tenant.api, { propertyId, unitId, priority: 'urgent' });
    expect(await all()).toEqual([['not_clean', 'open_urgent_task'], ['not_clean', 'open_urgent_task'], []]);
    expect(await reasons('/units?limit=1&archived=false')).toEqual([]);
    await post(`/tasks/${task}/cancel`);
    await post(`${address}/units/${unitId}/status`, { cleaningStatus: 'clean' });
    const { devices } = await simulatorOf(tenant.api);
    const deviceId = devices['sim-lock-1'];
    await tenant.api.patch(`/devices/${deviceId}`, { propertyId, unitId });
    const stay = await stayOf(tenant.api, { propertyId, unitId, ...nights });
    expect(await all()).toEqual([['code_missing'], ['code_missing'], []]);
    await post('/access-codes', { deviceId, name: 'Guest', type: 'time_bound', reservationId: stay.id });
    expect(await all()).toEqual([[], [], []]);
    await stayOf(tenant.api, { propertyId, unitId: otherId, ...nights });
    expect(await all()).toEqual([[], [], []]);
  });
});
