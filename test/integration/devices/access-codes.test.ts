import { AsyncLocalStorage } from 'node:async_hooks';
import { jest } from '@jest/globals';
import { type Claim, claiming } from '#jobs';
import { TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { AccessCode } from '../../../src/features/devices/access-codes/access-code.entity.js';
import { AccessCodesRepository } from '../../../src/features/devices/access-codes/access-codes.repository.js';
import { CodeCalls } from '../../../src/features/devices/access-codes/code-calls.js';
import { CodeKeeper } from '../../../src/features/devices/access-codes/code-keeper.service.js';
import { DevicesRepository } from '../../../src/features/devices/devices.repository.js';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { type Door, type DoorReply, doorNames } from '../../support/doors.js';
import { dumpOf } from '../../support/dump.js';
import { keyWith, propertyOf, stayOf, unitOf } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { type Simulator, simulatorOf } from '../../support/simulator.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

const hour = 3_600_000;
const day = 24 * hour;
const slots = 10;

let tenant: Tenant;
let simulator: Simulator;
let deviceId: string;
beforeAll(async () => {
  // Due work runs when a test says so.
  tenant = await startTenant({ WORKER: 'off' });
});
beforeEach(async () => {
  simulator = await simulatorOf(tenant.api);
  deviceId = simulator.devices['sim-lock-1'];
});
afterEach(() => clock.restore());
afterAll(() => tenant.close());

const inHours = (hours: number): string => new Date(Date.now() + hours * hour).toISOString();
const inService = <T>(type: new (...args: never[]) => T): T => tenant.service.app.get<T>(type, { strict: false });
const uuidOf = (id: string): string => id.slice(id.indexOf('_') + 1);
/** Runs what is due now, as far as possible. */
const work = (): Promise<void> => performDue(tenant.service.app.get(CodeKeeper));
const eventsOf = async (accessCodeId: string): Promise<string[]> => {
  await feedSettled(tenant.service);
  const { body } = await tenant.api.get(`/events?subject=${accessCodeId}`);
  return (body.data as Json[]).map(({ type }) => type as string);
};

describe.each(doorNames)('access codes over %s', (name) => {
  let door: Door;
  beforeAll(() => {
    door = tenant.doors[name];
  });
  const ask = (operation: string, input: object): Promise<DoorReply> => door.ask(operation, input);
  const make = (wishes: object): Promise<DoorReply> =>
    ask('createAccessCode', { deviceId, name: 'Cleaners', type: 'ongoing', ...wishes });
  const made = async (wishes: object = {}): Promise<string> => {
    const { status, body } = await make(wishes);
    expect([status, body.error]).toEqual([201, undefined]);
    return body.data.id as string;
  };
  const read = async (accessCodeId: string): Promise<Json> =>
    ((await ask('listAccessCodes', { deviceId, limit: 100 })).body.data as Json[]).find(
      ({ id }) => id === accessCodeId,
    ) as Json;
  const statusOf = async (accessCodeId: string): Promise<unknown> => (await read(accessCodeId)).status;
  const refusal = ({ status, body }: DoorReply): unknown[] => [status, body.error.details?.key ?? body.error.code];
  const reveal = async (accessCodeId: string): Promise<string> =>
    (await ask('revealAccessCode', { accessCodeId })).body.data.code as string;

  it('are counted by status', async () => {
    await made();
    await made({ code: '482917', type: 'time_bound', startsAt: inHours(48), endsAt: inHours(72) });
    const { data } = (await ask('countAccessCodes', { deviceId })).body;
    const { scheduled, setting, set, ...others } = data;
    expect([scheduled + setting + set, others]).toEqual([2, { removing: 0, removed: 0, failed: 0 }]);
    const since = (await ask('listAccessCodes', { deviceId, updatedSince: inHours(1) })).body.data;
    expect(since).toEqual([]);
  });

  it('are set a day ahead, changed, given new digits and removed when they end', async () => {
    const id = await made({ type: 'time_bound', startsAt: inHours(48), endsAt: inHours(72), code: '48291657' });
    expect(await read(id)).toMatchObject({ status: 'scheduled', code: '••••', reservationId: null, version: 1 });
    await work();
    expect(await statusOf(id)).toBe('scheduled');
    clock.advance(day);
    await work();
    expect(await statusOf(id)).toBe('set');
    expect(await simulator.counts()).toEqual({ contacts: 1, effects: 1 });
    expect(await reveal(id)).toBe('48291657');

    await ask('regenerateAccessCode', { accessCodeId: id });
    expect([await statusOf(id), await reveal(id)]).toEqual(['setting', expect.stringMatching(/^(?!48291657)\d{6}$/)]);
    await work();
    expect(await statusOf(id)).toBe('set');
    await ask('updateAccessCode', { accessCodeId: id, endsAt: inHours(60) });
    await work();
    expect(await read(id)).toMatchObject({ status: 'set', endsAt: inHours(60) });
    clock.advance(61 * hour);
    await work();
    expect(await statusOf(id)).toBe('removed');
    expect(refusal(await ask('regenerateAccessCode', { accessCodeId: id }))).toEqual([409, 'ACCESS_CODE_OVER']);
    expect(await eventsOf(id)).toEqual([
      'access_code.created',
      'access_code.set',
      'access_code.updated',
      'access_code.set',
      'access_code.updated',
      'access_code.set',
      'access_code.removed',
    ]);
  });

  it('are set immediately if they started long ago, even at the earliest date', async () => {
    const id = await made({ startsAt: '0001-01-01T00:00:00Z' });
    await work();
    expect(await statusOf(id)).toBe('set');
  });

  it('are rejected if their times are inconsistent, and at devices without codes', async () => {
    const [startsAt, endsAt] = [inHours(2), inHours(1)];
    expect(refusal(await make({ type: 'time_bound' }))).toEqual([400, 'ACCESS_CODE_WITHOUT_END']);
    expect(refusal(await make({ endsAt }))).toEqual([400, 'ACCESS_CODE_ONGOING']);
    const ongoing = { accessCodeId: await made({}), endsAt: inHours(3) };
    expect(refusal(await ask('updateAccessCode', ongoing))).toEqual([400, 'ACCESS_CODE_ONGOING']);
    expect(refusal(await make({ type: 'one_time', startsAt, endsAt }))).toEqual([400, 'ACCESS_CODE_ENDS_TOO_EARLY']);
    expect(refusal(await make({ deviceId: simulator.devices['sim-thermostat-1'] }))).toEqual([
      400,
      'ACCESS_CODES_NOT_OFFERED',
    ]);
    expect(refusal(await make({ code: '123' }))).toEqual([400, 'VALIDATION_ERROR']);
  });

  it('are rejected at booking if the device has the same digits then, or no free slot', async () => {
    const first = await made({ type: 'time_bound', startsAt: inHours(100), endsAt: inHours(200), code: '1234' });
    const clashing = { type: 'time_bound', startsAt: inHours(150), endsAt: inHours(250), code: '1234' };
    const refused = await make(clashing);
    expect([...refusal(refused), refused.body.error.details.accessCodeIds]).toEqual([
      409,
      'ACCESS_CODE_CLASH',
      [first],
    ]);
    await made({ ...clashing, startsAt: inHours(230) });
    await made({ ...clashing, code: '4321' });
    const other = await made({ code: '5555', startsAt: inHours(300) });
    await made({ code: '6666' });
    expect(refusal(await ask('updateAccessCode', { accessCodeId: other, code: '6666' }))[1]).toBe('ACCESS_CODE_CLASH');
  });

  it('are rejected at a device that is archived, and with digits that it does not accept', async () => {
    const longer = `update devices set limits = limits || '{"minCodeLength": 6}' where org_id = $1 and id = $2`;
    await inService(SystemDatabase).rows(longer, [uuidOf(tenant.orgId), uuidOf(deviceId)]);
    expect(refusal(await make({ code: '12345' }))).toEqual([400, 'ACCESS_CODE_LENGTH']);
    expect((await make({ code: '123456' })).status).toBe(201);
    const archived = simulator.devices['sim-lock-2'];
    expect((await ask('archiveDevice', { deviceId: archived })).status).toBe(200);
    expect(refusal(await make({ deviceId: archived }))).toEqual([409, 'DEVICE_ARCHIVED']);
  });

  it('are processed by one process at a time, which records nothing on a code that has changed', async () => {
    const id = await made();
    const codes = inService(AccessCodesRepository);
    const row = { orgId: tenant.orgId, id };
    const claim = (await codes.claims.take(row)) as Claim;
    const code = (await codes.ofClaim(claim, inHours(0))) as AccessCode;
    expect(code.id).toBe(id);
    expect(await codes.claims.take(row)).toBeUndefined();
    await ask('updateAccessCode', { accessCodeId: id, name: 'Gardeners' });
    expect(await codes.note(code, { asked: true })).toBe(false);
  });

  it('are skipped if they are no longer due when they are claimed', async () => {
    const id = await made();
    const { claims } = inService(AccessCodesRepository);
    const row = { orgId: tenant.orgId, id };
    const claim = (await claims.take(row)) as Claim;
    await ask('updateAccessCode', { accessCodeId: id, startsAt: inHours(72) });
    await inService(CodeKeeper).perform(claim, new AbortController().signal);
    expect(await statusOf(id)).toBe('scheduled');
    expect(await claims.takeEarly(row)).toBeDefined();
  });

  it('are claimed while somebody locks their device', async () => {
    const id = await made();
    const apart = AsyncLocalStorage.snapshot();
    await inService(TenantDatabase).transaction(tenant.orgId, async () => {
      await inService(DevicesRepository).findAnyForChange(tenant.orgId, deviceId);
      await apart(work);
    });
    expect(await statusOf(id)).toBe('set');
  });

  it('are not completed by an attempt whose claim another has taken over', async () => {
    const id = await made();
    let answer: (late: { outcome: 'confirmed'; providerRef: string }) => void = () => undefined;
    const asked = new Promise<void>((resolve) => {
      jest.spyOn(inService(CodeCalls), 'set').mockImplementationOnce(() => {
        resolve();
        return new Promise((settle) => (answer = settle));
      });
    });
    const attempt = () =>
      claiming(inService(CodeKeeper)).perform({ orgId: tenant.orgId, id }, new AbortController().signal);
    const first = attempt();
    await asked;
    jest.restoreAllMocks();
    await simulator.behave('unreachable');
    clock.advance(91_000);
    await attempt();
    answer({ outcome: 'confirmed', providerRef: 'late' });
    await first;
    expect(await statusOf(id)).toBe('setting');
  });

  it('give the last slot to one of several simultaneous requests', async () => {
    for (let taken = 0; taken < slots - 1; taken += 1) await made();
    const answers = await Promise.all([1, 2, 3].map(() => make({})));
    const refused = answers.filter(({ status }) => status !== 201);
    expect(refused.map(refusal)).toEqual([
      [409, 'ACCESS_CODE_SLOTS'],
      [409, 'ACCESS_CODE_SLOTS'],
    ]);
  });

  it('follow their stay, and are removed when it is cancelled', async () => {
    const propertyId = await propertyOf(tenant.api, 'Followed');
    const elsewhere = await stayOf(tenant.api, {
      propertyId: tenant.here,
      checkInDate: '2031-01-01',
      checkOutDate: '2031-01-02',
      ...(name === 'mcp' && { checkInDate: '2031-02-01', checkOutDate: '2031-02-02' }),
    });
    const stay = await stayOf(tenant.api, { propertyId });
    const ofStay = { type: 'time_bound', reservationId: stay.id as string };
    expect(refusal(await make(ofStay))).toEqual([400, 'ACCESS_CODE_ELSEWHERE']);
    const [unitId, spareId] = [await unitOf(tenant.api, propertyId), await unitOf(tenant.api, propertyId, '102')];
    await ask('updateDevice', { deviceId, propertyId, unitId });
    expect(refusal(await make({ ...ofStay, reservationId: elsewhere.id as string }))).toEqual([
      400,
      'ACCESS_CODE_ELSEWHERE',
    ]);
    expect(refusal(await make({ ...ofStay, endsAt: inHours(9) }))).toEqual([400, 'ACCESS_CODE_FOLLOWS_STAY']);
    const [id, second] = [await made({ ...ofStay, code: '7777' }), await made(ofStay)];
    expect(await read(id)).toMatchObject({ startsAt: stay.arrivalAt, endsAt: stay.departureAt, propertyId });
    expect(refusal(await ask('updateAccessCode', { accessCodeId: id, endsAt: inHours(9) }))[1]).toBe(
      'ACCESS_CODE_FOLLOWS_STAY',
    );
    expect(refusal(await ask('archiveDevice', { deviceId }))).toEqual([409, 'DEVICE_IN_USE']);

    const scheduled = await made({ ...ofStay, code: '8888' });
    await made({ type: 'time_bound', startsAt: '2030-08-02T00:00:00Z', endsAt: '2030-08-04T00:00:00Z', code: '8888' });
    await made({ type: 'time_bound', startsAt: '2030-09-01T00:00:00Z', endsAt: '2030-09-30T00:00:00Z', code: '7777' });
    const moved = await ask('moveReservation', {
      reservationId: stay.id as string,
      checkInDate: '2030-08-01',
      checkOutDate: '2030-08-03',
    });
    const { arrivalAt, departureAt } = moved.body.data;
    expect(await read(second)).toMatchObject({ startsAt: arrivalAt, endsAt: departureAt, status: 'scheduled' });
    // If the digits are taken, the stay moves anyway, and the code reports that it does not.
    expect(await read(scheduled)).toMatchObject({ status: 'failed', failedBecause: 'clash' });
    expect(await eventsOf(scheduled)).toEqual(['access_code.created', 'access_code.failed']);
    clock.set(arrivalAt as string);
    await work();
    expect([await statusOf(id), await statusOf(second)]).toEqual(['set', 'set']);
    await ask('moveReservation', {
      reservationId: stay.id as string,
      checkInDate: '2030-09-05',
      checkOutDate: '2030-09-07',
    });
    // The old code opens the device until it is removed.
    expect(await read(id)).toMatchObject({ status: 'removing', failedBecause: 'clash' });
    await work();
    expect(await read(id)).toMatchObject({ status: 'failed', failedBecause: 'clash' });
    expect((await eventsOf(id)).slice(-2)).toEqual(['access_code.updated', 'access_code.failed']);
    expect(await read(second)).toMatchObject({ status: 'set', startsAt: expect.stringMatching(/^2030-09-05/) });
    await ask('cancelReservation', { reservationId: stay.id as string });
    expect(await statusOf(second)).toBe('removing');
    expect(refusal(await ask('archiveProperty', { propertyId }))).toEqual([409, 'PROPERTY_HAS_ACCESS_CODES']);
    await work();
    expect(await statusOf(second)).toBe('removed');
    expect(refusal(await make(ofStay))).toEqual([409, 'RESERVATION_NOT_LIVE']);
    const open = await made({ startsAt: inHours(48) });
    const inUse = await ask('archiveUnit', { propertyId, unitId });
    expect([...refusal(inUse), inUse.body.error.details.accessCodeIds]).toEqual([
      409,
      'UNIT_HAS_ACCESS_CODES',
      expect.arrayContaining([open]),
    ]);
    expect((await ask('archiveUnit', { propertyId, unitId: spareId })).status).toBe(200);
    for (const accessCodeId of inUse.body.error.details.accessCodeIds as string[])
      await ask('removeAccessCode', { accessCodeId });
    await work();
    expect((await ask('archiveUnit', { propertyId, unitId })).status).toBe(200);
    expect(refusal(await make({}))).toEqual([409, 'UNIT_ARCHIVED']);
  });

  it('follow their stay into another unit only if the device is in no unit', async () => {
    const propertyId = await propertyOf(tenant.api, 'Hotel');
    const [room, other] = [await unitOf(tenant.api, propertyId), await unitOf(tenant.api, propertyId, '102')];
    const entrance = simulator.devices['sim-lock-2'];
    await ask('updateDevice', { deviceId, propertyId, unitId: room });
    await ask('updateDevice', { deviceId: entrance, propertyId });
    const days = { checkInDate: '2032-03-01', checkOutDate: '2032-03-03' };
    const stay = await stayOf(tenant.api, { propertyId, unitId: room, ...days });
    const ofStay = { type: 'time_bound', reservationId: stay.id as string };
    const ofRoom = await made(ofStay);
    const ofEntrance = (await make({ ...ofStay, deviceId: entrance })).body.data.id as string;
    clock.set(stay.arrivalAt as string);
    await work();
    expect(await statusOf(ofRoom)).toBe('set');
    await ask('moveReservation', { reservationId: stay.id as string, unitId: other, ...days });
    expect(await statusOf(ofRoom)).toBe('removing');
    const kept = (await ask('listAccessCodes', { deviceId: entrance })).body.data;
    expect(kept).toMatchObject([{ id: ofEntrance, status: 'set', version: 3 }]);
    expect(refusal(await make(ofStay))).toEqual([400, 'ACCESS_CODE_ELSEWHERE']);
    const whole = await stayOf(tenant.api, { propertyId, checkInDate: '2032-03-04', checkOutDate: '2032-03-05' });
    expect((await make({ type: 'time_bound', reservationId: whole.id as string })).status).toBe(201);
  });

  it('move with their stay to the lock of another unit, and wait while it has none', async () => {
    const propertyId = await propertyOf(tenant.api, 'Hotel');
    const there = async (path: string, input: object): Promise<string> =>
      (await tenant.api.post(`/properties/${propertyId}/${path}`, input)).body.data.id as string;
    const unitTypeId = await there('unit-types', { name: 'Double' });
    const [room, other] = [
      await there('units', { name: '1', unitTypeId }),
      await there('units', { name: '2', unitTypeId }),
    ];
    const lock = simulator.devices['sim-lock-2'];
    await ask('updateDevice', { deviceId, propertyId, unitId: room });
    await ask('updateDevice', { deviceId: lock, propertyId, unitId: other });
    const days = { checkInDate: '2032-03-01', checkOutDate: '2032-03-03' };
    const { id: reservationId } = await stayOf(tenant.api, { propertyId, unitTypeId, ...days });
    const assign = (unitId: string) => ask('assignUnit', { reservationId, unitId });
    await assign(room);
    await made({ type: 'time_bound', reservationId: reservationId as string, code: '4821' });
    const live = async (): Promise<unknown[]> =>
      ((await ask('listAccessCodes', { reservationId: reservationId as string })).body.data as Json[])
        .filter(({ status }) => status === 'scheduled')
        .map((code) => code.deviceId);
    await assign(other);
    expect(await live()).toEqual([lock]);
    const [moved] = (await ask('listAccessCodes', { deviceId: lock })).body.data as [Json];
    expect(await reveal(moved.id as string)).toBe('4821');
    await ask('unassignUnit', { reservationId });
    expect(await live()).toEqual([]);
    await assign(room);
    expect(await live()).toEqual([deviceId]);
    await ask('cancelReservation', { reservationId });
    expect(await live()).toEqual([]);
    await ask('reinstateReservation', { reservationId });
    expect(await live()).toEqual([deviceId]);
  });

  it('of a stay do not move with their device, and others do', async () => {
    const [propertyId, target] = [await propertyOf(tenant.api, 'Before'), await propertyOf(tenant.api, 'After')];
    const [room, other] = [await unitOf(tenant.api, propertyId), await unitOf(tenant.api, propertyId, '102')];
    const move = (to: object): Promise<DoorReply> => ask('updateDevice', { deviceId, ...to });
    await move({ propertyId });
    const days = { checkInDate: '2032-03-01', checkOutDate: '2032-03-03' };
    const stay = await stayOf(tenant.api, { propertyId, unitId: room, ...days });
    const ofStay = { type: 'time_bound', reservationId: stay.id as string };
    const scheduled = await made(ofStay);
    await move({ unitId: room });
    expect(await read(scheduled)).toMatchObject({ status: 'scheduled', version: 1 });
    await move({ unitId: other });
    expect(await read(scheduled)).toMatchObject({ status: 'removed', propertyId });

    await move({ unitId: null });
    const [guests, cleaners] = [await made(ofStay), await made()];
    clock.set(stay.arrivalAt as string);
    await work();
    await move({ propertyId: target });
    expect([await read(guests), await read(cleaners)]).toMatchObject([
      { status: 'removing', propertyId },
      { status: 'set', propertyId: target },
    ]);
    await work();
    expect((await eventsOf(guests)).slice(-2)).toEqual(['access_code.updated', 'access_code.removed']);
    const there = (await keyWith(tenant.api, { propertyIds: [target] })).api;
    expect((await there.post(`/access-codes/${guests}/reveal`)).status).toBe(404);
  });

  it('keep their connection from being disconnected, unless that is forced', async () => {
    const { connectionId } = simulator;
    const [there, ahead] = [await made(), await made({ startsAt: inHours(48) })];
    await work();
    const refused = await ask('disconnectConnection', { connectionId });
    expect([...refusal(refused), refused.body.error.details.accessCodeIds.toSorted()]).toEqual([
      409,
      'CONNECTION_HAS_ACCESS_CODES',
      [there, ahead].toSorted(),
    ]);
    expect((await ask('getConnection', { connectionId })).body.data.status).toBe('connected');
    expect(await statusOf(there)).toBe('set');
    const ended = await ask('disconnectConnection', { connectionId, force: true });
    expect([ended.status, ended.body.data.status]).toEqual([200, 'disconnected']);
    for (const id of [there, ahead]) {
      expect(await read(id)).toMatchObject({ status: 'failed', failedBecause: 'connection_ended' });
      expect((await eventsOf(id)).at(-1)).toBe('access_code.failed');
    }
  });

  it('are removed when the guests check out early, or do not arrive', async () => {
    const propertyId = await propertyOf(tenant.api, 'Left early');
    await ask('updateDevice', { deviceId, propertyId });
    const days = { checkInDate: '2032-03-01', checkOutDate: '2032-03-09' };
    const { id, arrivalAt } = await stayOf(tenant.api, { propertyId, ...days });
    const absent = await stayOf(tenant.api, { propertyId, checkInDate: '2032-03-10', checkOutDate: '2032-03-12' });
    const [ofStay, ofAbsent] = [id, absent.id].map((reservationId) => ({ type: 'time_bound', reservationId }));
    const [left, unused] = [await made(ofStay), await made(ofAbsent)];
    clock.set(arrivalAt as string);
    await work();
    await ask('checkInReservation', { reservationId: id as string });
    expect(await statusOf(left)).toBe('set');
    await ask('checkOutReservation', { reservationId: id as string });
    clock.set(absent.arrivalAt as string);
    await ask('markNoShow', { reservationId: absent.id as string });
    expect([await statusOf(left), await statusOf(unused)]).toEqual(['removing', 'removed']);
    expect(refusal(await make(ofStay as object))).toEqual([409, 'RESERVATION_NOT_LIVE']);
  });

  it('are set and removed while remote control is off, which stops only commands', async () => {
    await ask('updateDevice', { deviceId, remoteControlEnabled: false });
    await ask('updateOrganization', { remoteControlEnabled: false });
    expect(refusal(await ask('unlockDevice', { deviceId }))).toEqual([403, 'REMOTE_CONTROL_DISABLED']);
    const id = await made();
    await work();
    expect(await statusOf(id)).toBe('set');
    await ask('removeAccessCode', { accessCodeId: id });
    await work();
    expect(await statusOf(id)).toBe('removed');
    await ask('updateOrganization', { remoteControlEnabled: true });
  });

  it('are retried while their provider is unreachable, and never set twice', async () => {
    await simulator.behave('unreachable');
    const id = await made({ type: 'time_bound', endsAt: inHours(48) });
    await work();
    expect(await statusOf(id)).toBe('setting');
    await simulator.behave('lose-answer');
    await work();
    expect(await simulator.counts()).toEqual({ contacts: 0, effects: 0 });
    clock.advance(10_000);
    await work();
    expect([await statusOf(id), await simulator.counts()]).toEqual(['setting', { contacts: 1, effects: 1 }]);
    clock.advance(hour);
    await work();
    expect([await statusOf(id), await simulator.counts()]).toEqual(['set', { contacts: 1, effects: 1 }]);

    await simulator.behave('refuse');
    const refused = await made();
    await ask('removeAccessCode', { accessCodeId: id });
    await work();
    expect(await read(refused)).toMatchObject({ status: 'failed', failedBecause: 'refused' });
    expect(await statusOf(id)).toBe('removing');
    await simulator.behave('ok');
    clock.advance(hour);
    await work();
    expect(await statusOf(id)).toBe('removed');
    expect(await eventsOf(id)).toEqual([
      'access_code.created',
      'access_code.set',
      'access_code.updated',
      'access_code.removed',
    ]);
  });

  it('show their digits only to callers with permission, and each time leaves an audit entry', async () => {
    const digits = name === 'rest' ? '90817263' : '91827364';
    const id = await made({ code: digits });
    await work();
    expect(await statusOf(id)).toBe('set');
    const scopes = ['access-codes:read', 'access-codes:write'];
    const blind = door.as((await keyWith(tenant.api, { scopes })).key);
    expect((await blind.ask('revealAccessCode', { accessCodeId: id })).status).toBe(403);
    expect((await blind.ask('updateAccessCode', { accessCodeId: id, name: 'x' })).body.data.code).toBe('••••');
    expect(await reveal(id)).toBe(digits);
    await feedSettled(tenant.service);
    const { body } = await tenant.api.get('/audit-entries?action=revealAccessCode&limit=1');
    expect(body.data[0]).toMatchObject({ action: 'revealAccessCode', target: { type: 'access_code', id } });
    const dump = await dumpOf(tenant.service.database.url);
    expect(dump).toContain(id.slice('code_'.length, 'code_'.length + 8));
    expect(dump).not.toContain(digits);
  });

  it('are visible to a limited credential only at its properties', async () => {
    const limited = door.as(tenant.limited.key);
    const accessCodeId = await made();
    const sees = async (): Promise<unknown[]> => [
      (await limited.ask('listAccessCodes', { deviceId })).body.data.length,
      (await limited.ask('revealAccessCode', { accessCodeId })).status,
      (await limited.ask('updateAccessCode', { accessCodeId, name: 'Mine' })).status,
      (await limited.ask('createAccessCode', { deviceId, name: 'Mine', type: 'ongoing' })).status,
    ];
    expect(await sees()).toEqual([0, 404, 404, 404]);
    await ask('updateDevice', { deviceId, propertyId: tenant.here });
    expect(await sees()).toEqual([1, 200, 200, 201]);
    for (const list of ['listAccessCodes', 'listConnections', 'listModelJobs', 'listDevices'])
      expect([list, (await limited.ask(list, { propertyId: tenant.elsewhere })).status]).toEqual([list, 404]);
    expect((await door.as(tenant.stranger.key).ask('removeAccessCode', { accessCodeId })).status).toBe(404);
  });
});
