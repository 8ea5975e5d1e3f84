import { jest } from '@jest/globals';
import { TenantDatabase } from '#persistence';
import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { memberOf } from '../../support/behind-the-api.js';
import { absentId, propertyOf, stayOf, taskOf, unitOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => jest.restoreAllMocks());

const onArrival = {
  start: { event: 'arrival', offsetMinutes: -60 },
  end: { event: 'arrival', offsetMinutes: 0 },
};
const atArrival = { canStartAt: '2030-07-01T13:00:00.000Z', dueAt: '2030-07-01T14:00:00.000Z' };
const read = async (id: string) => (await tenant.api.get(`/tasks/${id}`)).body.data;

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);
  const create = (input: object, key?: string) => ask('createTask', { name: 'Greet', ...input }, key);
  const keyOf = ({ status, body }: Json) => [status, body.error?.details?.key ?? body.error?.code];

  it('a task of a stay is at the place of the stay, and with a rule at its time', async () => {
    const propertyId = await propertyOf(tenant.api);
    const unitId = await unitOf(tenant.api, propertyId);
    const { id: reservationId } = await stayOf(tenant.api, { propertyId, unitId });
    const { body } = await create({ reservationId, timeRule: onArrival });
    expect(body.data).toMatchObject({ reservationId, propertyId, unitId, ...atArrival, source: 'manual' });
    expect(await read(body.data.id)).toEqual(body.data);
  });

  it('fields that contradict each other are rejected', async () => {
    const propertyId = await propertyOf(tenant.api);
    const { id: reservationId } = await stayOf(tenant.api, { propertyId });
    const [unitId, dueAt] = [await unitOf(tenant.api, propertyId), '2030-01-01T00:00:00Z'];
    const rule = { timeRule: onArrival };
    expect(keyOf(await create(rule))).toEqual([400, 'TASK_TIME_RULE_WITHOUT_STAY']);
    expect(keyOf(await create({ reservationId, ...rule, dueAt }))).toEqual([400, 'TASK_TIME_RULE_BESIDE_TIMES']);
    expect(keyOf(await create({ reservationId, propertyId: tenant.here }))).toEqual([400, 'TASK_STAY_IS_ELSEWHERE']);
    expect(keyOf(await create({ reservationId, unitId }))).toEqual([400, 'TASK_STAY_IS_ELSEWHERE']);
    expect(keyOf(await create({ unitId }))).toEqual([400, 'TASK_UNIT_WITHOUT_PROPERTY']);
    expect(keyOf(await create({ propertyId: tenant.here, unitId }))).toEqual([404, 'NOT_FOUND']);
    expect(keyOf(await create({ reservationId, dueAt, recurrence: 'FREQ=DAILY' }))).toEqual([
      400,
      'TASK_RECURRENCE_WITHOUT_TIME',
    ]);
    expect(keyOf(await create({ reservationId: absentId('reservation') }))).toEqual([404, 'NOT_FOUND']);
  });

  it('a limited key reaches no stay elsewhere', async () => {
    const dates = door === 'rest' ? {} : { checkInDate: '2031-07-01', checkOutDate: '2031-07-02' };
    const { id: hidden } = await stayOf(tenant.api, { propertyId: tenant.elsewhere, ...dates });
    const { id: seen } = await stayOf(tenant.api, { propertyId: tenant.here, ...dates });
    const { key } = tenant.limited;
    expect((await create({ reservationId: hidden }, key)).status).toBe(404);
    expect((await create({ reservationId: seen }, key)).body.data.propertyId).toBe(tenant.here);
    const taskId = await taskOf(tenant.api, { propertyId: tenant.here });
    expect((await ask('updateTask', { taskId, reservationId: hidden }, key)).status).toBe(404);
  });

  it('null removes a rule and keeps the times, or a stay and keeps the place', async () => {
    const propertyId = await propertyOf(tenant.api);
    const { id: reservationId } = await stayOf(tenant.api, { propertyId });
    const taskId = await taskOf(tenant.api, { reservationId, timeRule: onArrival });
    const update = (changes: object) => ask('updateTask', { taskId, ...changes });
    expect(keyOf(await update({ reservationId: null }))).toEqual([400, 'TASK_TIME_RULE_WITHOUT_STAY']);
    expect(keyOf(await update({ dueAt: '2030-07-01T15:00:00Z' }))).toEqual([400, 'TASK_TIME_RULE_BESIDE_TIMES']);
    expect((await update({ dueAt: null })).body.data).toMatchObject(atArrival);
    expect((await update({ propertyId: null })).body.data).toMatchObject({ propertyId });
    const { canStartAt, dueAt, unitId, timeRule, version } = (await ask('getTask', { taskId })).body.data;
    const sentBack = await update({ canStartAt, dueAt, unitId, propertyId, timeRule, reservationId });
    expect([sentBack.status, sentBack.body.data?.version]).toEqual([200, version]);
    expect((await update({ timeRule: null })).body.data).toMatchObject({ timeRule: null, ...atArrival });
    expect((await update({ dueAt: '2030-07-01T15:00:00Z' })).body.data.dueAt).toBe('2030-07-01T15:00:00.000Z');
    expect((await update({ reservationId: null })).body.data).toMatchObject({ reservationId: null, propertyId });
    expect((await update({ reservationId, timeRule: onArrival })).body.data).toMatchObject(atArrival);
  });

  it('at another property a task is in no unit, unless one is named', async () => {
    const [from, to] = [await propertyOf(tenant.api), await propertyOf(tenant.api)];
    const [unitId, there] = [await unitOf(tenant.api, from), await unitOf(tenant.api, to)];
    const taskId = await taskOf(tenant.api, { propertyId: from, unitId });
    const place = async (changes: object) => {
      const { propertyId, unitId: unit } = (await ask('updateTask', { taskId, ...changes })).body.data;
      return [propertyId, unit];
    };
    expect(await place({ name: 'Same place' })).toEqual([from, unitId]);
    expect(await place({ propertyId: to })).toEqual([to, null]);
    expect(await place({ unitId: there })).toEqual([to, there]);
    expect(await place({ unitId: null })).toEqual([to, null]);
    expect(await place({ propertyId: from, unitId })).toEqual([from, unitId]);
    expect(await place({ propertyId: null })).toEqual([null, null]);
  });

  it('a task for the whole organization cannot be assigned to limited members', async () => {
    const member = await memberOf(tenant.service, { propertyIds: [tenant.here] });
    const taskId = await taskOf(tenant.api, { propertyId: tenant.here, assigneeIds: [member] });
    expect(keyOf(await ask('updateTask', { taskId, propertyId: null }))).toEqual([
      400,
      'TASK_ASSIGNEE_CANNOT_SEE_PROPERTY',
    ]);
  });
});

describe('a change that does not affect nights', () => {
  it('does not change the tasks of a stay', async () => {
    const propertyId = await propertyOf(tenant.api);
    const { id } = await stayOf(tenant.api, { propertyId });
    const taskId = await taskOf(tenant.api, { reservationId: id, timeRule: onArrival });
    await tenant.api.post(`/reservations/${id}/check-in`, { early: true });
    await tenant.api.patch(`/reservations/${id}`, { notes: 'Late' });
    expect((await read(taskId)).version).toBe(1);
  });
});

describe('the end of a stay', () => {
  it.each(['declined', 'expired'])('that is %s does not cancel tasks that a person planned', async (status) => {
    const { id } = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api), status: 'pending' });
    const taskId = await taskOf(tenant.api, { reservationId: id });
    await tenant.api.patch(`/reservations/${id}`, { status });
    expect((await read(taskId)).status).toBe('pending');
  });
});

describe('new times of a property with many stays', () => {
  it('move every future stay and its work, with few statements for each', async () => {
    const timeRule = {
      start: { event: 'departure', offsetMinutes: 0 },
      end: { event: 'next_arrival', offsetMinutes: 0 },
    };
    const automaticTasks = [{ name: 'Turnover', type: 'cleaning', timeRule }];
    const { data } = (await tenant.api.post('/properties', { name: 'Busy', timezone: 'UTC', automaticTasks })).body;
    const stays: Json[] = [];
    for (let n = 10; n < 28; n += 1) {
      const dates = { checkInDate: `2030-07-${n}`, checkOutDate: `2030-07-${n + 1}` };
      stays.push(await stayOf(tenant.api, { propertyId: data.id, ...dates }));
    }
    const reads = jest.spyOn(TenantDatabase.prototype, 'rows');
    await tenant.api.patch(`/properties/${data.id}`, { checkInTime: '16:00', checkOutTime: '09:30' });
    expect(reads.mock.calls.length).toBeLessThan(9 * stays.length);
    const tasks = (await tenant.api.get(`/tasks?propertyId=${data.id}&sort=createdAt&limit=100`)).body.data;
    expect(tasks.map(({ canStartAt, dueAt }: Json) => [canStartAt, dueAt])).toEqual(
      stays.map(({ checkOutDate }, index) => [
        `${checkOutDate}T09:30:00.000Z`,
        index === stays.length - 1 ? null : `${checkOutDate}T16:00:00.000Z`,
      ]),
    );
  });
});
