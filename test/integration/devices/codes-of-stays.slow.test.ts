import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { type DoorReply, doorNames } from '../../support/doors.js';
import { keyWith, propertyOf, stayOf, unitOf } from '../../support/factories.js';
import { CodeWorld, codesOver, inHours, refusal } from './code-world.js';

let world: CodeWorld;
let deviceId: string;
beforeAll(async () => {
  world = await CodeWorld.start();
});
beforeEach(async () => {
  await world.reset();
  ({ deviceId } = world);
});
afterEach(() => clock.restore());
afterAll(() => world.tenant.close());

describe.each(doorNames)('access codes over %s', (name) => {
  const { ask, make, made, read, statusOf, reveal } = codesOver(name, () => world);

  it('follow their stay, and are removed when it is cancelled', async () => {
    const propertyId = await propertyOf(world.tenant.api, 'Followed');
    const elsewhere = await stayOf(world.tenant.api, {
      propertyId: world.tenant.here,
      checkInDate: '2031-01-01',
      checkOutDate: '2031-01-02',
      ...(name === 'mcp' && { checkInDate: '2031-02-01', checkOutDate: '2031-02-02' }),
    });
    const stay = await stayOf(world.tenant.api, { propertyId });
    const ofStay = { type: 'time_bound', reservationId: stay.id as string };
    expect(refusal(await make(ofStay))).toEqual([400, 'ACCESS_CODE_ELSEWHERE']);
    const [unitId, spareId] = [
      await unitOf(world.tenant.api, propertyId),
      await unitOf(world.tenant.api, propertyId, '102'),
    ];
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
    expect(await world.eventsOf(scheduled)).toEqual(['access_code.created', 'access_code.failed']);
    clock.set(arrivalAt as string);
    await world.work();
    expect([await statusOf(id), await statusOf(second)]).toEqual(['set', 'set']);
    await ask('moveReservation', {
      reservationId: stay.id as string,
      checkInDate: '2030-09-05',
      checkOutDate: '2030-09-07',
    });
    // The old code opens the device until it is removed.
    expect(await read(id)).toMatchObject({ status: 'removing', failedBecause: 'clash' });
    await world.work();
    expect(await read(id)).toMatchObject({ status: 'failed', failedBecause: 'clash' });
    expect((await world.eventsOf(id)).slice(-2)).toEqual(['access_code.updated', 'access_code.failed']);
    expect(await read(second)).toMatchObject({ status: 'set', startsAt: expect.stringMatching(/^2030-09-05/) });
    await ask('cancelReservation', { reservationId: stay.id as string });
    expect(await statusOf(second)).toBe('removing');
    expect(refusal(await ask('archiveProperty', { propertyId }))).toEqual([409, 'PROPERTY_HAS_ACCESS_CODES']);
    await world.work();
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
    await world.work();
    expect((await ask('archiveUnit', { propertyId, unitId })).status).toBe(200);
    expect(refusal(await make({}))).toEqual([409, 'UNIT_ARCHIVED']);
  });

  it('follow their stay into another unit only if the device is in no unit', async () => {
    const propertyId = await propertyOf(world.tenant.api, 'Hotel');
    const [room, other] = [
      await unitOf(world.tenant.api, propertyId),
      await unitOf(world.tenant.api, propertyId, '102'),
    ];
    const entrance = world.simulator.devices['sim-lock-2'];
    await ask('updateDevice', { deviceId, propertyId, unitId: room });
    await ask('updateDevice', { deviceId: entrance, propertyId });
    const days = { checkInDate: '2032-03-01', checkOutDate: '2032-03-03' };
    const stay = await stayOf(world.tenant.api, { propertyId, unitId: room, ...days });
    const ofStay = { type: 'time_bound', reservationId: stay.id as string };
    const ofRoom = await made(ofStay);
    const ofEntrance = (await make({ ...ofStay, deviceId: entrance })).body.data.id as string;
    clock.set(stay.arrivalAt as string);
    await world.work();
    expect(await statusOf(ofRoom)).toBe('set');
    await ask('moveReservation', { reservationId: stay.id as string, unitId: other, ...days });
    expect(await statusOf(ofRoom)).toBe('removing');
    const kept = (await ask('listAccessCodes', { deviceId: entrance })).body.data;
    expect(kept).toMatchObject([{ id: ofEntrance, status: 'set', version: 3 }]);
    expect(refusal(await make(ofStay))).toEqual([400, 'ACCESS_CODE_ELSEWHERE']);
    const whole = await stayOf(world.tenant.api, { propertyId, checkInDate: '2032-03-04', checkOutDate: '2032-03-05' });
    expect((await make({ type: 'time_bound', reservationId: whole.id as string })).status).toBe(201);
  });

  it('move with their stay to the lock of another unit, and wait while it has none', async () => {
    const propertyId = await propertyOf(world.tenant.api, 'Hotel');
    const there = async (path: string, input: object): Promise<string> =>
      (await world.tenant.api.post(`/properties/${propertyId}/${path}`, input)).body.data.id as string;
    const unitTypeId = await there('unit-types', { name: 'Double' });
    const [room, other] = [
      await there('units', { name: '1', unitTypeId }),
      await there('units', { name: '2', unitTypeId }),
    ];
    const lock = world.simulator.devices['sim-lock-2'];
    await ask('updateDevice', { deviceId, propertyId, unitId: room });
    await ask('updateDevice', { deviceId: lock, propertyId, unitId: other });
    const days = { checkInDate: '2032-03-01', checkOutDate: '2032-03-03' };
    const { id: reservationId } = await stayOf(world.tenant.api, { propertyId, unitTypeId, ...days });
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
    const [propertyId, target] = [
      await propertyOf(world.tenant.api, 'Before'),
      await propertyOf(world.tenant.api, 'After'),
    ];
    const [room, other] = [
      await unitOf(world.tenant.api, propertyId),
      await unitOf(world.tenant.api, propertyId, '102'),
    ];
    const move = (to: object): Promise<DoorReply> => ask('updateDevice', { deviceId, ...to });
    await move({ propertyId });
    const days = { checkInDate: '2032-03-01', checkOutDate: '2032-03-03' };
    const stay = await stayOf(world.tenant.api, { propertyId, unitId: room, ...days });
    const ofStay = { type: 'time_bound', reservationId: stay.id as string };
    const scheduled = await made(ofStay);
    await move({ unitId: room });
    expect(await read(scheduled)).toMatchObject({ status: 'scheduled', version: 1 });
    await move({ unitId: other });
    expect(await read(scheduled)).toMatchObject({ status: 'removed', propertyId });

    await move({ unitId: null });
    const [guests, cleaners] = [await made(ofStay), await made()];
    clock.set(stay.arrivalAt as string);
    await world.work();
    await move({ propertyId: target });
    expect([await read(guests), await read(cleaners)]).toMatchObject([
      { status: 'removing', propertyId },
      { status: 'set', propertyId: target },
    ]);
    await world.work();
    expect((await world.eventsOf(guests)).slice(-2)).toEqual(['access_code.updated', 'access_code.removed']);
    const there = (await keyWith(world.tenant.api, { propertyIds: [target] })).api;
    expect((await there.post(`/access-codes/${guests}/reveal`)).status).toBe(404);
  });

  it('are removed when the guests check out early, or do not arrive', async () => {
    const propertyId = await propertyOf(world.tenant.api, 'Left early');
    await ask('updateDevice', { deviceId, propertyId });
    const days = { checkInDate: '2032-03-01', checkOutDate: '2032-03-09' };
    const { id, arrivalAt } = await stayOf(world.tenant.api, { propertyId, ...days });
    const absent = await stayOf(world.tenant.api, {
      propertyId,
      checkInDate: '2032-03-10',
      checkOutDate: '2032-03-12',
    });
    const [ofStay, ofAbsent] = [id, absent.id].map((reservationId) => ({ type: 'time_bound', reservationId }));
    const [left, unused] = [await made(ofStay), await made(ofAbsent)];
    clock.set(arrivalAt as string);
    await world.work();
    await ask('checkInReservation', { reservationId: id as string });
    expect(await statusOf(left)).toBe('set');
    await ask('checkOutReservation', { reservationId: id as string });
    clock.set(absent.arrivalAt as string);
    await ask('markNoShow', { reservationId: absent.id as string });
    expect([await statusOf(left), await statusOf(unused)]).toEqual(['removing', 'removed']);
    expect(refusal(await make(ofStay as object))).toEqual([409, 'RESERVATION_NOT_LIVE']);
  });
});
