import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, keyWith, propertyOf, stayOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const guestOf = async (wishes: object = {}): Promise<Json> =>
  (await tenant.api.post('/guests', { name: 'Ana Reis', ...wishes })).body.data;

let month = 0;
/** Nights that no other stay of these tests has. */
const nextNights = (): { checkInDate: string; checkOutDate: string } => {
  month += 1;
  const [year, inYear] = [2040 + Math.floor(month / 12), String((month % 12) + 1).padStart(2, '0')];
  return { checkInDate: `${year}-${inYear}-01`, checkOutDate: `${year}-${inYear}-02` };
};
const stayOfGuest = (propertyId: string, guestId: string): Promise<Json> =>
  stayOf(tenant.api, { propertyId, ...nextNights(), primaryGuest: { id: guestId }, notes: 'Call Ana' });

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);

  it('createGuest returns the whole guest, and getGuest the same', async () => {
    const { status, body } = await ask('createGuest', { name: 'Ana Reis', email: 'ana@example.com' });
    expect(status).toBe(201);
    const { id, createdAt, updatedAt, ...guest } = body.data;
    expect([/^guest_[0-9a-f]{32}$/.test(id), updatedAt]).toEqual([true, createdAt]);
    expect(guest).toEqual({
      externalRefs: [],
      name: 'Ana Reis',
      email: 'ana@example.com',
      phone: null,
      locale: null,
      notes: null,
      metadata: {},
      mergedInto: null,
      version: 1,
    });
    expect((await ask('getGuest', { guestId: id })).body.data).toEqual(body.data);
  });

  it.each([
    ['name', {}],
    ['email', { name: 'x', email: 'nobody' }],
    ['locale', { name: 'x', locale: '-' }],
    ['age', { name: 'x', age: 3 }],
  ])('createGuest rejects a bad %s', async (field, input) => {
    const reply = await ask('createGuest', input);
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
  });

  it('updateGuest changes the given fields and clears with null', async () => {
    const guest = await guestOf({ phone: '+351 1', notes: 'Allergic' });
    const { body } = await ask('updateGuest', { guestId: guest.id, phone: null, name: 'Ana Lima' });
    const { updatedAt } = body.data;
    expect(body.data).toEqual({ ...guest, phone: null, name: 'Ana Lima', version: 2, updatedAt });
    expect(issuePaths(await ask('updateGuest', { guestId: guest.id, name: null }))).toEqual(['name']);
  });

  it('listGuests matches a part of the name, whatever its case, without wildcards', async () => {
    const mark = `Q${door}x`;
    const guest = await guestOf({ name: `Åsa ${mark} 100%` });
    const find = async (q: string) => (await ask('listGuests', { q })).body.data.map(({ id }: Json) => id);
    expect(await find(mark.toUpperCase())).toEqual([guest.id]);
    expect(await find(`${mark} 100%`)).toEqual([guest.id]);
    expect(await find(`${mark}%100`)).toEqual([]);
    expect(await find(`${mark}_100`)).toEqual([]);
  });

  it('listGuests finds an email address, whatever its case, of the guests that a key can see', async () => {
    const email = `${door}@find.example`;
    const guest = await guestOf({ email });
    const find = async (input: object, key?: string) =>
      (await ask('listGuests', input, key)).body.data.map(({ id }: Json) => id);
    expect(await find({ email: email.toUpperCase() })).toEqual([guest.id]);
    expect(await find({ email, updatedSince: '2020-01-01T00:00:00Z' })).toEqual([guest.id]);
    expect(await find({ email: `x${email}` })).toEqual([]);
    expect(await find({ email }, tenant.limited.key)).toEqual([]);
    await stayOfGuest(tenant.here, guest.id);
    expect(await find({ email }, tenant.limited.key)).toEqual([guest.id]);
  });

  it('a limited key sees the guests of its properties, and adds none without a stay', async () => {
    const { key } = tenant.limited;
    const [seen, hidden, without] = [await guestOf(), await guestOf(), await guestOf()];
    await stayOfGuest(tenant.here, seen.id);
    await stayOfGuest(tenant.elsewhere, hidden.id);
    const { data } = (await ask('listGuests', { limit: 100 }, key)).body;
    const ids = data.map(({ id }: Json) => id);
    expect([seen, hidden, without].map(({ id }) => ids.includes(id))).toEqual([true, false, false]);
    for (const { id } of [hidden, without]) {
      expect((await ask('getGuest', { guestId: id }, key)).status).toBe(404);
      expect((await ask('updateGuest', { guestId: id, name: 'Mine' }, key)).status).toBe(404);
      expect((await ask('eraseGuest', { guestId: id }, key)).status).toBe(404);
    }
    expect((await ask('createGuest', { name: 'x' }, key)).body.error.details.key).toBe('GUEST_NEEDS_A_STAY');
  });

  it('a limited key does not erase a guest who has stays that it cannot see', async () => {
    const { key } = tenant.limited;
    const guest = await guestOf();
    const elsewhere = await stayOfGuest(tenant.elsewhere, guest.id);
    await stayOfGuest(tenant.here, guest.id);
    const refused = await ask('eraseGuest', { guestId: guest.id }, key);
    expect([refused.status, refused.body.error.code]).toEqual([403, 'FORBIDDEN']);
    const { data } = (await tenant.api.get(`/reservations/${elsewhere.id}`)).body;
    expect([data.notes, data.primaryGuest.id]).toEqual(['Call Ana', guest.id]);
    const own = await guestOf();
    await stayOfGuest(tenant.here, own.id);
    expect((await ask('eraseGuest', { guestId: own.id }, key)).status).toBe(200);
  });

  it('a limited key does not change a guest who has stays that it cannot see, not even back', async () => {
    const { key } = tenant.limited;
    const { id } = await guestOf();
    await stayOfGuest(tenant.here, id);
    const change = (email: string) => ask('updateGuest', { guestId: id, email }, key);
    const { status, body } = await change('ana@here.example');
    expect(status).toBe(200);
    await stayOfGuest(tenant.elsewhere, id);
    const undo = () => ask('undoChanges', { requestId: body.meta.requestId }, key);
    const refused = await change('eve@here.example');
    expect([refused.status, refused.body.error.code, (await undo()).status]).toEqual([403, 'FORBIDDEN', 404]);
    expect((await ask('getGuest', { guestId: id })).body.data.email).toBe('ana@here.example');
  });

  it('an erased guest is listed among what changed, by the id only, where the guest had stayed', async () => {
    const since = new Date(Date.now() - 1_000).toISOString();
    const { id } = await guestOf({ name: 'Passing by' });
    await stayOfGuest(tenant.here, id);
    expect((await ask('eraseGuest', { guestId: id })).status).toBe(200);
    const changed = async (key: string | undefined, input: object = {}): Promise<Json[]> => {
      const { data } = (
        await tenant.doors[door].as(key).ask('listGuests', { updatedSince: since, limit: 100, ...input })
      ).body;
      return data.filter((guest: Json) => guest.id === id);
    };
    const tombstone = { id, erasedAt: expect.any(String), updatedAt: expect.any(String) };
    expect(await changed(tenant.key)).toEqual([tombstone]);
    expect(await changed(tenant.limited.key)).toEqual([tombstone]);
    const { key } = await keyWith(tenant.api, { propertyIds: [tenant.elsewhere] });
    expect([await changed(key), await changed(tenant.stranger.key)]).toEqual([[], []]);
    expect(await changed(tenant.key, { q: 'Passing' })).toEqual([]);
    expect((await ask('getGuest', { guestId: id })).status).toBe(404);
  });

  it('eraseGuest is visible to clients that follow the stays', async () => {
    clock.set('2032-01-01T00:00:00Z');
    const guest = await guestOf();
    const stay = await stayOfGuest(tenant.here, guest.id);
    await tenant.api.post(`/reservations/${stay.id}/cancel`, { reason: 'Ana is ill' });
    clock.set('2032-01-02T00:00:00Z');
    expect((await ask('eraseGuest', { guestId: guest.id })).body.data).toEqual({ id: guest.id, deleted: true });
    const since = { propertyId: tenant.here, updatedSince: '2032-01-02T00:00:00Z' };
    // Changes are held back while an older transaction is in progress, which a busy machine has more often.
    const changed = await until(
      async () => (await ask('listReservations', since)).body.data.find(({ id }: Json) => id === stay.id),
      (found) => found !== undefined,
    );
    expect(changed).toMatchObject({
      primaryGuest: null,
      notes: null,
      cancellationReason: null,
      version: stay.version + 2,
    });
  });

  it('a guest is given by id, by id with the stored details, or by new details', async () => {
    const guest = await guestOf({ email: 'ana@example.com', phone: '+351 1' });
    const { id, name, email, phone } = guest;
    const stay = await stayOf(tenant.api, { propertyId: await propertyOf(tenant.api) });
    const change = (input: object) => ask('updateReservation', { reservationId: stay.id, ...input });
    for (const primaryGuest of [{ id }, { id, name }, { id, name: ` ${name} `, email, phone }])
      expect((await change({ primaryGuest })).body.data.primaryGuest).toEqual({ id, name });
    const others = [{ name: 'Renamed' }, { email: null }, { email: 'other@example.com' }, { phone: '+351 2' }];
    for (const other of others) {
      for (const input of [{ primaryGuest: { id, ...other } }, { companions: [{ id, ...other }] }]) {
        const { status, body } = await change(input);
        expect([status, body.error.details?.key]).toEqual([400, 'GUEST_GIVEN_TWICE']);
      }
    }
    expect((await ask('getGuest', { guestId: id })).body.data).toEqual(guest);
  });

  it('the same details are rejected and normalized by each operation that accepts a guest', async () => {
    const place = { propertyId: await propertyOf(tenant.api), checkInDate: '2033-01-01', checkOutDate: '2033-01-02' };
    const stay = await stayOf(tenant.api, { propertyId: place.propertyId });
    const known = await guestOf();
    const ways: [string, (guest: object) => object, (string | number)[]][] = [
      ['createGuest', (guest) => ({ name: 'Ana', ...guest }), []],
      ['updateGuest', (guest) => ({ guestId: known.id, ...guest }), []],
      ['createReservation', (guest) => ({ ...place, primaryGuest: { name: 'Ana', ...guest } }), ['primaryGuest']],
      ['createReservation', (guest) => ({ ...place, companions: [{ name: 'A', ...guest }] }), ['companions', 0]],
      ['updateReservation', (guest) => ({ reservationId: stay.id, primaryGuest: guest }), ['primaryGuest']],
    ];
    const wrong: [string, unknown][] = [
      ['email', 'nobody'],
      ['email', 'a@b'],
      ['email', 7],
      ['phone', ''],
      ['name', ' '],
      ['name', null],
    ];
    for (const [operation, input, path] of ways) {
      for (const [field, value] of wrong) {
        const reply = await ask(operation, input({ [field]: value }));
        expect([operation, reply.status, issuePaths(reply)]).toEqual([operation, 400, [[...path, field].join('.')]]);
      }
    }
    const { body } = await ask('createGuest', { name: ' Ana ', email: ' ana@example.com ', phone: ' 1 ' });
    expect(body.data).toMatchObject({ name: 'Ana', email: 'ana@example.com', phone: '1' });
    const booked = await ask('createReservation', {
      ...place,
      primaryGuest: { name: ' Rui ', email: ' rui@example.com ' },
    });
    const { id } = booked.body.data.primaryGuest;
    expect((await ask('getGuest', { guestId: id })).body.data).toMatchObject({ name: 'Rui', email: 'rui@example.com' });
  });

  it('companions are shown, replaced as a list, found with their stays, and erased', async () => {
    const [ana, rui] = [await guestOf(), await guestOf({ name: 'Rui' })];
    const stay = await stayOf(tenant.api, {
      propertyId: tenant.here,
      ...nextNights(),
      primaryGuest: { id: ana.id },
      companions: [{ id: rui.id }, { name: 'Eva' }, { id: rui.id, name: 'Rui' }, { id: ana.id }],
    });
    const eva = stay.companions[1];
    expect(stay.companions).toEqual([
      { id: rui.id, name: 'Rui' },
      { id: eva.id, name: 'Eva' },
    ]);
    const staysOf = async (guestId: string) =>
      (await ask('listReservations', { guestId })).body.data.map(({ id }: Json) => id);
    expect(await staysOf(rui.id)).toEqual([stay.id]);
    expect((await ask('getGuest', { guestId: rui.id }, tenant.limited.key)).status).toBe(200);
    const { data } = (await ask('updateReservation', { reservationId: stay.id, companions: [{ id: eva.id }] })).body;
    expect(data.companions).toEqual([eva]);
    expect(await staysOf(rui.id)).toEqual([]);
    expect((await ask('getGuest', { guestId: rui.id }, tenant.limited.key)).status).toBe(404);
    expect((await ask('eraseGuest', { guestId: eva.id })).status).toBe(200);
    expect((await tenant.api.get(`/reservations/${stay.id}`)).body.data).toMatchObject({
      companions: [],
      primaryGuest: { id: ana.id },
    });
  });

  it('mergeGuests moves stays and missing details, and leaves a record that points to the other', async () => {
    const ana = await guestOf({ email: 'ana@example.com' });
    const twin = await guestOf({ name: 'A. Reis', email: 'old@example.com', phone: '+351 1', notes: 'Tall' });
    const older = await guestOf();
    await ask('mergeGuests', { guestId: twin.id, fromGuestId: older.id });
    const own = await stayOfGuest(tenant.here, twin.id);
    const shared = await stayOf(tenant.api, {
      propertyId: tenant.elsewhere,
      ...nextNights(),
      primaryGuest: { id: ana.id },
      companions: [{ name: 'Eva' }, { id: twin.id }],
    });
    const { status, body } = await ask('mergeGuests', { guestId: ana.id, fromGuestId: twin.id });
    expect([status, body.data]).toEqual([
      200,
      { ...ana, phone: '+351 1', notes: 'Tall', version: 2, updatedAt: body.data.updatedAt },
    ]);
    const read = async (id: string) => (await tenant.api.get(`/reservations/${id}`)).body.data;
    expect((await read(own.id)).primaryGuest).toEqual({ id: ana.id, name: 'Ana Reis' });
    expect((await read(shared.id)).companions).toEqual([shared.companions[0]]);
    for (const guestId of [twin.id, older.id])
      expect((await ask('getGuest', { guestId })).body.data).toMatchObject({
        name: 'Merged guest',
        email: null,
        phone: null,
        notes: null,
        mergedInto: ana.id,
      });
    const { data } = (await ask('listGuests', { q: 'Merged guest' })).body;
    expect(data).toEqual([]);
    const refused: [string, object][] = [
      ['updateGuest', { guestId: twin.id, name: 'Back' }],
      ['eraseGuest', { guestId: twin.id }],
      ['mergeGuests', { guestId: twin.id, fromGuestId: ana.id }],
      ['mergeGuests', { guestId: ana.id, fromGuestId: twin.id }],
      ['updateReservation', { reservationId: own.id, primaryGuest: { id: twin.id } }],
    ];
    for (const [operation, input] of refused) {
      const { error } = (await ask(operation, input)).body;
      expect([operation, error.code, error.details]).toMatchObject([operation, 'GUEST_MERGED', { mergedInto: ana.id }]);
    }
    expect((await ask('eraseGuest', { guestId: ana.id })).status).toBe(200);
    expect((await ask('getGuest', { guestId: twin.id })).status).toBe(404);
  });

  it('mergeGuests needs two guests, and a credential that sees all their stays', async () => {
    const { key } = tenant.limited;
    const [seen, hidden] = [await guestOf(), await guestOf()];
    for (const { id } of [seen, hidden]) await stayOfGuest(tenant.here, id);
    const merge = (guestId: string, fromGuestId: string) => ask('mergeGuests', { guestId, fromGuestId }, key);
    expect(issuePaths(await merge(seen.id, seen.id))).toEqual(['fromGuestId']);
    await stayOf(tenant.api, { propertyId: tenant.elsewhere, ...nextNights(), companions: [{ id: hidden.id }] });
    for (const [to, from] of [
      [seen, hidden],
      [hidden, seen],
    ])
      expect((await merge(to.id, from.id)).body.error).toMatchObject({
        type: 'authorization_error',
        code: 'FORBIDDEN',
      });
    expect((await merge(seen.id, absentId('guest'))).status).toBe(404);
    expect((await tenant.api.get(`/guests/${hidden.id}`)).body.data.mergedInto).toBeNull();
  });

  it.each(['getGuest', 'updateGuest', 'eraseGuest'])('%s finds no guest of another organization', async (operation) => {
    const { id } = (await tenant.stranger.post('/guests', { name: 'Theirs' })).body.data;
    for (const guestId of [id, absentId('guest')]) expect((await ask(operation, { guestId })).status).toBe(404);
    expect((await tenant.stranger.get(`/guests/${id}`)).body.data.name).toBe('Theirs');
  });

  it.each(['createGuest', 'listGuests', 'getGuest', 'updateGuest', 'eraseGuest'])(
    '%s requires its scope',
    async (operation) => {
      const input =
        operation === 'createGuest' ? { name: 'x' } : operation === 'listGuests' ? {} : { guestId: absentId('guest') };
      expect((await ask(operation, input, tenant.reader.key)).status).toBe(403);
    },
  );
});

describe('listGuests', () => {
  it.each(['createdAt', '-createdAt', 'updatedAt', '-updatedAt'])(
    'returns every guest once, sorted by %s',
    async (sort) => {
      const q = `Page${sort.replace('-', 'Down')}`;
      for (const name of ['a', 'b', 'c']) await guestOf({ name: `${q} ${name}` });
      const seen: string[] = [];
      let cursor: string | null = '';
      while (cursor !== null) {
        const { data, meta }: Json = (
          await tenant.api.get(`/guests?q=${q}&sort=${sort}&limit=1${cursor && `&cursor=${cursor}`}`)
        ).body;
        seen.push(...data.map(({ name }: Json) => name.slice(-1)));
        cursor = meta.pagination.nextCursor;
      }
      expect(seen.join('')).toBe(sort.startsWith('-') ? 'cba' : 'abc');
    },
  );
});

describe('the guest of a stay', () => {
  it('is a known one, a new one, or nobody', async () => {
    const guest = await guestOf();
    const { id } = await stayOf(tenant.api, {
      propertyId: await propertyOf(tenant.api),
      primaryGuest: { id: guest.id },
    });
    const change = async (primaryGuest: object | null) =>
      (await tenant.api.patch(`/reservations/${id}`, { primaryGuest })).body.data.primaryGuest;
    const added = await change({ name: 'Rui', phone: '1' });
    expect(added).toEqual({ id: added.id, name: 'Rui' });
    expect((await tenant.api.get(`/guests/${added.id}`)).body.data).toMatchObject({ name: 'Rui', phone: '1' });
    expect(await change({ id: guest.id })).toEqual({ id: guest.id, name: 'Ana Reis' });
    expect(await change(null)).toBeNull();
    expect((await tenant.api.patch(`/reservations/${id}`, { primaryGuest: { id: absentId('guest') } })).status).toBe(
      404,
    );
  });

  it('cannot be one whom a limited key cannot see', async () => {
    const hidden = await guestOf();
    const input = { propertyId: tenant.here, checkInDate: '2060-01-01', checkOutDate: '2060-01-02' };
    const reply = await tenant.limited.post('/reservations', { ...input, primaryGuest: { id: hidden.id } });
    expect(reply.status).toBe(404);
  });

  it('is merged in a circle, without a deadlock', async () => {
    for (let round = 0; round < 6; round += 1) {
      const guests = [await guestOf(), await guestOf(), await guestOf()];
      const propertyId = await propertyOf(tenant.api);
      for (const { id } of [...guests, ...guests])
        await stayOf(tenant.api, { propertyId, ...nextNights(), primaryGuest: { id } });
      const replies = await Promise.all(
        guests.map(({ id }, at) =>
          tenant.api.post(`/guests/${guests.at(at - 1)?.id}/merge`, { fromGuestId: id as string }),
        ),
      );
      const statuses = replies.map(({ status }) => status);
      expect(statuses.filter((status) => ![200, 409].includes(status))).toEqual([]);
      expect(statuses).toContain(200);
    }
  });

  it('is erased while stays of the guest change, without a deadlock', async () => {
    for (let round = 0; round < 4; round += 1) {
      const guest = await guestOf();
      const propertyId = await propertyOf(tenant.api);
      const stays = [
        await stayOf(tenant.api, { propertyId, primaryGuest: { id: guest.id } }),
        await stayOf(tenant.api, {
          propertyId,
          primaryGuest: { id: guest.id },
          checkInDate: '2030-08-01',
          checkOutDate: '2030-08-02',
        }),
      ];
      const replies = await Promise.all([
        tenant.api.delete(`/guests/${guest.id}`),
        ...stays.map(({ id }) =>
          tenant.api.patch(`/reservations/${id}`, { primaryGuest: { id: guest.id }, locale: 'pt' }),
        ),
      ]);
      expect(replies.map(({ status }) => status).filter((status) => status >= 500)).toEqual([]);
      expect(replies[0]?.status).toBe(200);
    }
  });
});
