import { MinuteBudgetStore } from '#limits';
import { Metrics } from '../../../src/platform/metrics/metrics.js';
import type { Api, Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { type Door, doorNames, doors } from '../../support/doors.js';
import { absentId, keyWith, pushedBy } from '../../support/factories.js';
import { codeOf, day } from '../../support/hotel.js';
import { simulatorOf } from '../../support/simulator.js';
import { type Service, startApp } from '../../support/start-app.js';
import { vendorOf } from './vendor.js';

let service: Service;
beforeAll(async () => (service = await startApp()));
afterAll(() => service.close());

const outcomeOf = ({ status, body }: { status: number; body: Json }) => [status, body.meta.outcome];

describe.each(doorNames)('by reference over %s', (name) => {
  let door: Door;
  beforeAll(async () => {
    door = doors(service)[name].as((await keyWith(service.api)).key);
  });

  it('saves each kind of record once, returns the result, and reads it back', async () => {
    const { connection, connectionId, ask, stay } = await vendorOf(door);
    expect(connection).toMatchObject({ status: 'connected', nextSyncAt: null });
    await ask('saveGuestByRef', 'G1', { name: 'Ana', email: 'ana@vendor.example' });
    const kinds = [
      ['Property', 'H1', { name: 'Hotel Azul' }],
      ['UnitType', 'DBL', { name: 'Double room' }],
      ['Unit', '101', { name: 'Room 101', metadata: { floor: '1' } }],
      ['Guest', 'G1', { name: 'Ana B', email: null }],
    ] as const;
    for (const [kind, externalId, content] of kinds) {
      const changed = await ask(`save${kind}ByRef`, externalId, content);
      expect(outcomeOf(changed)).toEqual([200, 'changed']);
      const same = await ask(`save${kind}ByRef`, externalId, content);
      expect(outcomeOf(same)).toEqual([200, 'unchanged']);
      expect(same.body.meta.contentHash).toBe(changed.body.meta.contentHash);
      const read = await ask(`get${kind}ByRef`, externalId);
      expect(read.body.data).toMatchObject({ ...content, externalRefs: [{ connectionId, externalId }] });
      expect((await ask(`get${kind}ByRef`, 'nothing')).status).toBe(404);
    }
    const made = await ask('saveReservationByRef', 'A/1 ü', { ...stay, guestRef: 'G1', unitRef: '101' });
    expect(outcomeOf(made)).toEqual([201, 'created']);
    const read = await ask('getReservationByRef', 'A/1 ü');
    expect(read.body.data).toMatchObject({
      id: made.body.data.id,
      source: 'provider',
      primaryGuest: { name: 'Ana B' },
      occupies: 'unit',
      externalRefs: [{ connectionId, externalId: 'A/1 ü' }],
    });
    const missing = await ask('saveReservationByRef', 'A2', { propertyRef: 'H1' });
    expect(missing.body.error.details.issues.map(({ path }: Json) => path)).toEqual([
      ['checkInDate'],
      ['checkOutDate'],
    ]);
    const unknown = await ask('saveReservationByRef', 'A2', { ...stay, unitRef: 'none' });
    expect([unknown.status, unknown.body.error.message]).toEqual([404, expect.stringContaining('unitRef "none"')]);
    const items = ['room 7', 'room 8'].map((unitRef) => ({ externalId: unitRef, ...stay, unitRef }));
    const results = (await door.ask('saveReservationsInBulk', { connectionId, items })).body.data as Json[];
    expect(results.map(({ error }) => error.message.split(' not found.')[0])).toEqual([
      'Record named by unitRef "room 7"',
      'Record named by unitRef "room 8"',
    ]);
  });

  it('moves, assigns, checks in, cancels and reinstates when a save differs from the one before', async () => {
    const { save, ask, stay } = await vendorOf(door);
    const { id } = (await save('S', { ...stay, stayStatus: 'not_arrived' })).body.data;
    const moved = await save('S', { ...stay, checkOutDate: day(14), unitRef: '101' });
    expect(outcomeOf(moved)).toEqual([200, 'changed']);
    expect(moved.body.data).toMatchObject({ id, checkOutDate: day(14), occupies: 'unit' });
    // People moved it to another room and checked it in: a repeated save by the vendor does not undo that.
    const other = (await ask('getUnitByRef', '102')).body.data.id;
    expect((await door.ask('assignUnit', { reservationId: id, unitId: other })).status).toBe(200);
    await door.ask('checkInReservation', { reservationId: id, early: true });
    const again = await save('S', { ...stay, checkOutDate: day(15), unitRef: '101', stayStatus: 'not_arrived' });
    expect(again.body.data).toMatchObject({ unitId: other, stayStatus: 'checked_in', checkOutDate: day(15) });
    const out = await save('S', { stayStatus: 'checked_out' });
    const left = { checkOutDate: day(15), departedAt: expect.any(String) };
    expect(out.body.data).toMatchObject({ stayStatus: 'checked_out', ...left });
    const here = await save('S', { stayStatus: 'checked_in' });
    expect(here.body.data).toMatchObject({ stayStatus: 'checked_in', departedAt: null });

    await save('C', { ...stay, unitRef: '102', checkInDate: day(20), checkOutDate: day(21) });
    const cancelled = await ask('cancelReservationByRef', 'C');
    expect([...outcomeOf(cancelled), cancelled.body.data.status]).toEqual([200, 'cancelled', 'cancelled']);
    expect(outcomeOf(await ask('cancelReservationByRef', 'C'))).toEqual([200, 'unchanged']);
    const back = await save('C', { status: 'confirmed', channel: 'direct' });
    expect([...outcomeOf(back), back.body.data.status]).toEqual([200, 'reinstated', 'confirmed']);
    expect(outcomeOf(await save('C', { status: 'cancelled' }))).toEqual([200, 'cancelled']);
    expect((await ask('cancelReservationByRef', 'none')).status).toBe(404);
  });

  it('ends in the newest state, in whatever order the versions arrive', async () => {
    const { save, stay } = await vendorOf(door);
    expect(outcomeOf(await save('V', { ...stay, sourceVersion: 5, notes: 'five' }))).toEqual([201, 'created']);
    const stale = await save('V', { ...stay, sourceVersion: 4, notes: 'four' });
    expect(codeOf(stale)).toEqual([409, 'SOURCE_VERSION_STALE']);
    expect(stale.body.error.details).toMatchObject({ known: 5, given: 4 });
    expect(outcomeOf(await save('V', { ...stay, sourceVersion: 5, notes: 'five' }))).toEqual([200, 'unchanged']);
    expect(codeOf(await save('V', { ...stay, sourceVersion: 5, notes: 'other' }))[1]).toBe('SOURCE_VERSION_STALE');
    expect((await save('V', { ...stay, notes: 'none' })).body.error.details.key).toBe('SOURCE_VERSION_MISSING');
    const time = await save('V', { ...stay, sourceVersion: '2030-01-01T00:00:00Z' });
    expect(time.body.error.details.key).toBe('SOURCE_VERSION_FORM');
    const newer = await save('V', { sourceVersion: 6, notes: null });
    expect(newer.body.data).toMatchObject({ notes: null, checkInDate: day(10) });
    // A booking that is cancelled before it is first saved remains cancelled.
    expect((await save('W', { ...stay, status: 'cancelled', sourceVersion: 2 })).body.data.status).toBe('cancelled');
    expect(codeOf(await save('W', { ...stay, status: 'confirmed', sourceVersion: 1 }))[1]).toBe('SOURCE_VERSION_STALE');
  });

  it('keeps overlaps of stays that the vendor owns, flags them, and rejects the same from people', async () => {
    const { save, stay, ask } = await vendorOf(door);
    const [one, two] = [await save('O1', { ...stay, unitRef: '101' }), await save('O2', { ...stay, unitRef: '101' })];
    expect(two.body.data.overlapping).toBe(true);
    const { id } = one.body.data;
    expect((await door.ask('getReservation', { reservationId: id })).body.data.overlapping).toBe(true);
    const third = (await save('O3', { ...stay, unitRef: '102' })).body.data;
    const unitId = (await ask('getUnitByRef', '101')).body.data.id;
    expect(codeOf(await door.ask('assignUnit', { reservationId: third.id, unitId }))).toEqual([
      409,
      'RESERVATION_OVERLAP',
    ]);
    for (const [operation, input] of [
      ['updateReservation', { channel: 'mine' }],
      ['moveReservation', { checkInDate: day(11), checkOutDate: day(13) }],
      ['cancelReservation', {}],
    ] as const)
      expect(codeOf(await door.ask(operation, { reservationId: id, ...input }))).toEqual([409, 'PROVIDER_OWNED']);
    expect((await door.ask('updateReservation', { reservationId: id, notes: 'Late' })).status).toBe(200);

    const dates = await vendorOf(door, { fields: 'dates', ownsOverlaps: false });
    const mine = (await dates.save('D1', { ...dates.stay, unitRef: '101' })).body.data;
    expect(codeOf(await dates.save('D2', { ...dates.stay, unitRef: '101' }))).toEqual([409, 'RESERVATION_OVERLAP']);
    expect((await door.ask('updateReservation', { reservationId: mine.id, channel: 'mine' })).status).toBe(200);
    expect((await dates.save('D1', { ...dates.stay, unitRef: '101', notes: 'x' })).body.data.channel).toBe('mine');
  });

  it('lets only the named credentials write, and nobody after it is disconnected', async () => {
    const { body } = await door.ask('createConnection', {
      provider: 'push',
      kind: 'pms',
      name: 'Not mine',
      settings: { credentialIds: ['key_0198c0de5eed7a11b0a7c0ffee123456'] },
    });
    const property = { connectionId: body.data.id, externalId: 'P', name: 'P', timezone: 'UTC' };
    expect(codeOf(await door.ask('savePropertyByRef', property))).toEqual([403, 'CONNECTION_NOT_YOURS']);

    const { connectionId, save, stay } = await vendorOf(door);
    const kept = (await save('K', { ...stay, unitRef: '101' })).body.data;
    expect((await door.ask('disconnectConnection', { connectionId, stays: 'cancel' })).body.error.code).toBe(
      'STAYS_WOULD_BE_CANCELLED',
    );
    await door.ask('disconnectConnection', { connectionId, stays: 'cancel', force: true });
    expect((await door.ask('getReservation', { reservationId: kept.id })).body.data.status).toBe('cancelled');
    expect(codeOf(await save('K', { ...stay }))).toEqual([409, 'CONNECTION_DISCONNECTED']);

    const other = await vendorOf(door);
    const handed = (await other.save('K', { ...other.stay, unitRef: '101' })).body.data;
    await door.ask('disconnectConnection', { connectionId: other.connectionId });
    const mine = await door.ask('updateReservation', { reservationId: handed.id, channel: 'ours' });
    expect(mine.body.data).toMatchObject({ status: 'confirmed', channel: 'ours' });
  });

  it('keeps each name unique, merges references by connection, and knows the connections that they name', async () => {
    const { connectionId, ask } = await vendorOf(door);
    const another = await vendorOf(door);
    const ids = [(await ask('getUnitByRef', '101')).body.data, (await ask('getUnitByRef', '102')).body.data];
    const patch = (unit: Json, externalRefs: object[]) =>
      door.ask('updateUnit', { propertyId: unit.propertyId, unitId: unit.id, externalRefs });
    const taken = await patch(ids[1], [{ connectionId, externalId: '101' }]);
    expect([codeOf(taken), taken.body.error.details.id]).toEqual([[409, 'EXTERNAL_REF_TAKEN'], ids[0].id]);
    const both = await patch(ids[0], [{ connectionId: another.connectionId, externalId: 'other' }]);
    expect(both.body.data.externalRefs).toEqual([
      { connectionId, externalId: '101' },
      { connectionId: another.connectionId, externalId: 'other' },
    ]);
    expect((await another.ask('getUnitByRef', 'other')).body.data.id).toBe(ids[0].id);
    const removed = await patch(ids[0], [{ connectionId, externalId: null }]);
    expect(removed.body.data.externalRefs).toEqual([{ connectionId: another.connectionId, externalId: 'other' }]);
    expect((await ask('getUnitByRef', '101')).status).toBe(404);
    const unknown = await patch(ids[0], [{ connectionId: 'acme', externalId: '1' }]);
    expect(unknown.body.error.details.key).toBe('EXTERNAL_REF_UNKNOWN_CONNECTION');
  });

  it('saves many records independently, and groups completely or not at all', async () => {
    const { connectionId, stay } = await vendorOf(door);
    const bulk = (items: object[], more: object = {}) =>
      door.ask('saveReservationsInBulk', { connectionId, items, ...more });
    const nights = (from: number) => ({ ...stay, checkInDate: day(from), checkOutDate: day(from + 2) });
    const { status, body } = await bulk([
      { externalId: '1', ...nights(30), unitRef: '101' },
      { externalId: '2', ...nights(30), unitRef: 'none' },
      { externalId: '3', propertyRef: 'H1', checkInDate: 'soon' },
      { externalId: '4', ...nights(40), primaryGuest: { name: 'Ana' } },
    ]);
    expect(status).toBe(200);
    expect(body.data.map(({ externalId, outcome, error }: Json) => [externalId, outcome ?? error.code])).toEqual([
      ['1', 'created'],
      ['2', 'NOT_FOUND'],
      ['3', 'VALIDATION_ERROR'],
      ['4', 'created'],
    ]);
    expect(body.data[2].error.details).toMatchObject({
      issues: [{ path: ['checkInDate'] }],
      service: 'stay-references',
      method: 'saveReservationsInBulk',
    });
    const read = await door.ask('getReservationByRef', { connectionId, externalId: '4' });
    expect(read.body.data).toMatchObject({ id: body.data[3].id, primaryGuest: { name: 'Ana' } });

    const group = [
      { externalId: '5', ...nights(50) },
      { externalId: '6', ...stay, unitRef: 'none' },
    ];
    const refused = await bulk(group, { atomic: true });
    expect(codeOf(refused)).toEqual([409, 'BULK_ITEM_REFUSED']);
    expect(refused.body.error.details).toMatchObject({ index: 1, error: { code: 'NOT_FOUND' } });
    expect((await door.ask('getReservationByRef', { connectionId, externalId: '5' })).status).toBe(404);
    expect((await bulk([group[0] as object, group[0] as object])).status).toBe(400);
    expect(
      (
        await bulk(
          Array.from({ length: 51 }, (_, i) => ({ externalId: `${i}` })),
          { atomic: true },
        )
      ).status,
    ).toBe(400);

    const again = await bulk([
      { externalId: '1', ...nights(30), unitRef: '101' },
      { externalId: '4', status: 'cancelled' },
    ]);
    expect(again.body.data.map(({ outcome }: Json) => outcome)).toEqual(['unchanged', 'cancelled']);

    const [one, four] = again.body.data;
    const hashes = [
      { externalId: '1', hash: one.contentHash },
      { externalId: '4', hash: body.data[3].contentHash },
      { externalId: '9', hash: four.contentHash },
    ];
    const reconcile = (items: object[]) =>
      door.ask('reconcileReservations', { connectionId, items, from: day(0), until: day(100) });
    expect((await reconcile(hashes)).body.data).toEqual({
      missing: ['9'],
      different: ['4'],
      unknown: [],
      nextCursor: null,
    });
    expect((await reconcile([])).body.data.unknown).toEqual([{ externalId: '1', id: one.id }]);
  });

  it("finds records by a connection's name in every list that shows references, and rejects a name that is taken", async () => {
    const { connectionId, ask, save, stay } = await vendorOf(door);
    const propertyId = (await ask('getPropertyByRef', 'H1')).body.data.id as string;
    await ask('saveGuestByRef', 'G1', { name: 'Ana' });
    await save('S1', { ...stay, guestRef: 'G1' });
    await save('S2', stay);
    const task = { name: 'Clean', externalRefs: [{ connectionId, externalId: 'T1' }] };
    const made = await door.ask('createTask', task);
    const again = await door.ask('createTask', task);
    expect([codeOf(again), again.body.error.details.id]).toEqual([[409, 'EXTERNAL_REF_TAKEN'], made.body.data.id]);
    const strange = { name: 'Clean', externalRefs: [{ connectionId: 'acme', externalId: 'T1' }] };
    expect(codeOf(await door.ask('createTask', strange))[1]).toBe('EXTERNAL_REF_UNKNOWN_CONNECTION');
    const { devices } = await simulatorOf(service.api);
    const named = { deviceId: devices['sim-lock-1'], externalRefs: [{ connectionId, externalId: 'D1' }] };
    expect((await door.ask('updateDevice', named)).body.data.externalRefs).toEqual(named.externalRefs);

    const lists = [
      ['listProperties', 'H1'],
      ['listUnitTypes', 'DBL'],
      ['listUnits', '102'],
      ['listAllUnits', '102'],
      ['listGuests', 'G1'],
      ['listReservations', 'S2'],
      ['listTasks', 'T1'],
      ['listDevices', 'D1'],
    ] as const;
    for (const [list, externalId] of lists) {
      const where = ['listUnitTypes', 'listUnits'].includes(list) ? { propertyId } : {};
      const found = await door.ask(list, { ...where, connectionId, externalId });
      const names = found.body.data.map(({ externalRefs }: Json) => externalRefs);
      expect([list, names]).toEqual([list, [[{ connectionId, externalId }]]]);
      expect((await door.ask(list, { ...where, connectionId, externalId: 'none' })).body.data).toEqual([]);
      expect((await door.ask(list, { ...where, externalId })).status).toBe(400);
    }
    const all = await door.ask('listReservations', { connectionId, include: 'guest' });
    expect(all.body.data.map(({ included }: Json) => included.guest?.name)).toEqual([undefined, 'Ana']);
    const lost = { connectionId: absentId('connection'), externalId: 'S1' };
    expect((await door.ask('listReservations', lost)).status).toBe(404);
  });

  it.each([
    ['savePropertiesInBulk', { name: 'Hotel', timezone: 'UTC' }],
    ['saveUnitTypesInBulk', { propertyRef: 'H1', name: 'Suite' }],
    ['saveUnitsInBulk', { propertyRef: 'H1', unitTypeRef: 'DBL', name: '900' }],
    ['saveGuestsInBulk', { name: 'Ana' }],
  ])('%s returns a result for each item', async (operation, content) => {
    const { connectionId } = await vendorOf(door);
    const items = ['B1', 'B2'].map((externalId) => ({ externalId, ...content }));
    const outcomes = async () =>
      (await door.ask(operation, { connectionId, items: [...items, { externalId: 'B3', name: 1 }] })).body.data.map(
        ({ outcome, error }: Json) => outcome ?? error.code,
      );
    expect(await outcomes()).toEqual(['created', 'created', 'VALIDATION_ERROR']);
    expect(await outcomes()).toEqual(['unchanged', 'unchanged', 'VALIDATION_ERROR']);
  });
});

it('counts the items of a minute for each credential, and saves none beyond the limit', async () => {
  const { id, key, api } = await keyWith(service.api);
  const { connectionId } = await vendorOf(doors(service).rest.as(key));
  const path = `/connections/${connectionId}/guests/bulk`;
  const items = Array.from({ length: 200 }, (_, i) => ({ externalId: `${i}`, name: 'Ana' }));
  const store = service.app.get(MinuteBudgetStore);
  clock.set(Math.ceil(Date.now() / 60_000) * 60_000);
  await store.take(`items:${id}`, 20_000, 19_900);
  const counted = jest.spyOn(service.app.get(Metrics), 'count');
  const refused = await api.post(path, { items });
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '60']);
  expect(counted).toHaveBeenCalledWith('limitRefusals', ['items']);
  counted.mockRestore();
  expect(refused.body.error.details.rateLimit).toMatchObject({ limit: 20_000, remaining: 100 });
  expect((await api.get(`/connections/${connectionId}/guests/0`)).status).toBe(404);
  const idempotent = { 'idempotency-key': 'some' };
  const few = { items: items.slice(0, 60) };
  expect((await api.post(path, few, idempotent)).status).toBe(200);
  expect((await api.post(path, few, idempotent)).headers.get('idempotent-replayed')).toBe('true');
  expect((await api.post(path, { items: items.slice(0, 40) })).status).toBe(200);
  clock.restore();
});

it("shows references to callers who may read connections, and a connection's own to its credential", async () => {
  const { api } = await keyWith(service.api);
  const scopes = ['guests:read', 'guests:write', 'events:read'];
  const [vendor, reader] = [await keyWith(api, { scopes }), await keyWith(api, { scopes })];
  const connectionId = await pushedBy(api, { credentialIds: [vendor.id] });
  const path = `/connections/${connectionId}/guests/G1`;
  const { data } = (await vendor.api.put(path, { name: 'Ana' })).body;
  const own = [{ connectionId, externalId: 'G1' }];
  expect(data.externalRefs).toEqual(own);
  const refsFor = async (asker: Api) => (await asker.get(`/guests/${data.id}`)).body.data.externalRefs;
  expect([await refsFor(api), await refsFor(vendor.api), await refsFor(reader.api)]).toEqual([own, own, []]);
  expect((await reader.api.get('/guests')).text).not.toContain('"G1"');
  expect((await reader.api.get('/events?types=guest.created')).text).not.toContain('"G1"');
  expect((await reader.api.get(path)).status).toBe(403);
  expect((await api.put(path, { name: 'Eve' })).body.error.code).toBe('CONNECTION_NOT_YOURS');
  const filter = `/guests?connectionId=${connectionId}&externalId=G1`;
  expect([(await vendor.api.get(filter)).status, (await reader.api.get(filter)).status]).toEqual([200, 403]);
});

it('leaves guests who also stayed elsewhere as they are when a limited key saves them or their stay', async () => {
  const { api } = await keyWith(service.api);
  const connectionId = await pushedBy(api);
  const base = `/connections/${connectionId}`;
  const nights = { checkInDate: day(10), checkOutDate: day(12) };
  const ids: string[] = [];
  const ana = { name: 'Ana', email: 'ana@one.example' };
  const { data: guest } = (await api.put(`${base}/guests/G`, ana)).body;
  for (const name of ['H1', 'H2']) {
    ids.push((await api.put(`${base}/properties/${name}`, { name, timezone: 'UTC' })).body.data.id);
    await api.put(`${base}/reservations/S-${name}`, { propertyRef: name, guestRef: 'G', ...nights });
  }
  await api.patch(base, { settings: { propertyId: ids[0] } });
  const limited = (await keyWith(api, { propertyIds: [ids[0]] })).api;
  const other = { ...ana, email: 'ana@two.example' };
  const one = await limited.put(`${base}/guests/G`, other);
  const many = await limited.post(`${base}/guests/bulk`, { items: [{ externalId: 'G', ...other }] });
  expect([one.status, many.body.data[0].error?.code]).toEqual([403, 'FORBIDDEN']);
  const said = { propertyRef: 'H1', primaryGuest: other, ...nights };
  const saved = await limited.put(`${base}/reservations/S-H1`, said);
  expect([saved.status, saved.body.data.primaryGuest.name]).toEqual([200, 'Ana']);
  const shown = async (id: string) => (await api.get(`/guests/${id}`)).body.data.email as string;
  expect(await shown(guest.id)).toBe('ana@one.example');
  expect(await shown(saved.body.data.primaryGuest.id)).toBe('ana@two.example');
  expect((await limited.put(`${base}/reservations/S-H1`, said)).body.data.primaryGuest).toEqual(
    saved.body.data.primaryGuest,
  );
});

it('hides stays and guests of other properties from a limited key, which cannot create a property', async () => {
  const { api } = await keyWith(service.api);
  const connectionId = await pushedBy(api);
  const base = `/connections/${connectionId}`;
  const nights = { checkInDate: day(10), checkOutDate: day(12) };
  const ids: string[] = [];
  for (const name of ['H1', 'H2']) {
    ids.push((await api.put(`${base}/properties/${name}`, { name, timezone: 'UTC' })).body.data.id);
    await api.put(`${base}/guests/G-${name}`, { name: `Guest of ${name}` });
    await api.put(`${base}/reservations/S-${name}`, { propertyRef: name, guestRef: `G-${name}`, ...nights });
  }
  // From here it writes to one property, and is visible to callers who are limited to that one.
  const narrowed = await api.patch(base, { settings: { propertyId: ids[0] } });
  expect(narrowed.status).toBe(200);
  const limited = (await keyWith(api, { propertyIds: [ids[0]] })).api;
  const named = async (asker: Api) => {
    const reconciled = await asker.post(`${base}/reservations/reconcile`, { items: [], from: day(0), until: day(30) });
    const guests: Json[] = (await asker.get('/guests?updatedSince=2000-01-01T00:00:00Z&limit=100')).body.data;
    return [
      reconciled.body.data.unknown.map(({ externalId }: Json) => externalId as string),
      guests.map((guest) => guest.name as string).filter((name) => name.startsWith('Guest of H')),
    ];
  };
  expect(await named(api)).toEqual([
    ['S-H1', 'S-H2'],
    ['Guest of H1', 'Guest of H2'],
  ]);
  expect(await named(limited)).toEqual([['S-H1'], ['Guest of H1']]);
  const newest = '/guests?updatedSince=2000-01-01T00:00:00Z&limit=1&sort=-updatedAt';
  expect((await limited.get(newest)).body.data).toMatchObject([{ name: 'Guest of H1' }]);
  const made = await limited.put(`${base}/properties/H3`, { name: 'H3', timezone: 'UTC' });
  expect([made.status, made.body.error.code]).toEqual([403, 'ORGANIZATION_WIDE']);
});
