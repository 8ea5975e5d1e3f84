import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, propertyOf, stayOf } from '../../support/factories.js';
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
/** A stay of a guest at dates that no other stay of these tests has. */
const stayOfGuest = (propertyId: string, guestId: string): Promise<Json> => {
  month += 1;
  const [year, inYear] = [2040 + Math.floor(month / 12), String((month % 12) + 1).padStart(2, '0')];
  const dates = { checkInDate: `${year}-${inYear}-01`, checkOutDate: `${year}-${inYear}-02` };
  return stayOf(tenant.api, { propertyId, ...dates, primaryGuest: { id: guestId }, notes: 'Call Ana' });
};

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = tenant.key) => tenant.doors[door].as(key).ask(operation, input);

  it('createGuest answers the guest whole, and getGuest the same', async () => {
    const { status, body } = await ask('createGuest', { name: 'Ana Reis', email: 'ana@example.com' });
    expect(status).toBe(201);
    const { id, createdAt, updatedAt, ...guest } = body.data;
    expect([/^guest_[0-9a-f]{32}$/.test(id), updatedAt]).toEqual([true, createdAt]);
    expect(guest).toEqual({
      name: 'Ana Reis',
      email: 'ana@example.com',
      phone: null,
      locale: null,
      notes: null,
      metadata: {},
      version: 1,
    });
    expect((await ask('getGuest', { guestId: id })).body.data).toEqual(body.data);
  });

  it.each([
    ['name', {}],
    ['email', { name: 'x', email: 'nobody' }],
    ['locale', { name: 'x', locale: '-' }],
    ['age', { name: 'x', age: 3 }],
  ])('createGuest refuses a bad %s', async (field, input) => {
    const reply = await ask('createGuest', input);
    expect([reply.status, issuePaths(reply)]).toEqual([400, [field]]);
  });

  it('updateGuest changes what is given and clears with null', async () => {
    const guest = await guestOf({ phone: '+351 1', notes: 'Allergic' });
    const { body } = await ask('updateGuest', { guestId: guest.id, phone: null, name: 'Ana Lima' });
    const { updatedAt } = body.data;
    expect(body.data).toEqual({ ...guest, phone: null, name: 'Ana Lima', version: 2, updatedAt });
    expect(issuePaths(await ask('updateGuest', { guestId: guest.id, name: null }))).toEqual(['name']);
  });

  it('listGuests finds a part of the name, whatever its case, and no wildcards', async () => {
    const mark = `Q${door}x`;
    const guest = await guestOf({ name: `Åsa ${mark} 100%` });
    const find = async (q: string) => (await ask('listGuests', { q })).body.data.map(({ id }: Json) => id);
    expect(await find(mark.toUpperCase())).toEqual([guest.id]);
    expect(await find(`${mark} 100%`)).toEqual([guest.id]);
    expect(await find(`${mark}%100`)).toEqual([]);
    expect(await find(`${mark}_100`)).toEqual([]);
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

  it('eraseGuest is told to those who follow the stays', async () => {
    clock.set('2032-01-01T00:00:00Z');
    const guest = await guestOf();
    const stay = await stayOfGuest(tenant.here, guest.id);
    await tenant.api.post(`/reservations/${stay.id}/cancel`, { reason: 'Ana is ill' });
    clock.set('2032-01-02T00:00:00Z');
    expect((await ask('eraseGuest', { guestId: guest.id })).body.data).toEqual({ id: guest.id, deleted: true });
    const since = { propertyId: tenant.here, updatedSince: '2032-01-02T00:00:00Z' };
    const { data } = (await ask('listReservations', since)).body;
    expect(data.find(({ id }: Json) => id === stay.id)).toMatchObject({
      primaryGuest: null,
      notes: null,
      cancellationReason: null,
      version: stay.version + 2,
    });
  });

  it.each(['getGuest', 'updateGuest', 'eraseGuest'])('%s knows no guest of another organization', async (operation) => {
    const { id } = (await tenant.stranger.post('/guests', { name: 'Theirs' })).body.data;
    for (const guestId of [id, absentId('guest')]) expect((await ask(operation, { guestId })).status).toBe(404);
    expect((await tenant.stranger.get(`/guests/${id}`)).body.data.name).toBe('Theirs');
  });

  it.each(['createGuest', 'listGuests', 'getGuest', 'updateGuest', 'eraseGuest'])(
    '%s needs its scope',
    async (operation) => {
      const input =
        operation === 'createGuest' ? { name: 'x' } : operation === 'listGuests' ? {} : { guestId: absentId('guest') };
      expect((await ask(operation, input, tenant.reader.key)).status).toBe(403);
    },
  );
});

describe('listGuests', () => {
  it.each(['createdAt', '-createdAt', 'updatedAt', '-updatedAt'])(
    'gives every guest once, sorted by %s',
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
  it('is one who is known, a new one, or nobody', async () => {
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

  it('is not one whom a limited key cannot see', async () => {
    const hidden = await guestOf();
    const input = { propertyId: tenant.here, checkInDate: '2060-01-01', checkOutDate: '2060-01-02' };
    const reply = await tenant.limited.post('/reservations', { ...input, primaryGuest: { id: hidden.id } });
    expect(reply.status).toBe(404);
  });

  it('is erased while stays of the guest change, without waiting in a ring', async () => {
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
