import { setTimeout as wait } from 'node:timers/promises';
import fc from 'fast-check';
import pg from 'pg';
import { uuidIn } from '#persistence';
import type { Api, Json } from '../../support/api.js';
import { freshOrganization } from '../../support/behind-the-api.js';
import { clock } from '../../support/clock.js';
import { pushedBy } from '../../support/factories.js';
import { day } from '../../support/hotel.js';
import { type Service, startApp } from '../../support/start-app.js';

/** Reading without a pause would take a core from other test files. */
const betweenReadsMs = 50;

let service: Service;
let sent = 0;
beforeAll(async () => {
  service = await startApp({ WORKER: 'off' });
  const { query } = pg.Client.prototype;
  jest.spyOn(pg.Client.prototype, 'query').mockImplementation(function (this: pg.Client, ...given: unknown[]) {
    sent += (given[0] as { statements?: unknown[] }).statements?.length ?? 1;
    return (query as (...all: unknown[]) => unknown).apply(this, given);
  });
});
afterEach(() => clock.restore());
afterAll(async () => {
  jest.restoreAllMocks();
  await service.close();
});

const rule = (event: string, until: string) => ({
  start: { event, offsetMinutes: 0 },
  end: { event: until, offsetMinutes: 0 },
});
const automaticTasks = [
  { name: 'Clean', type: 'cleaning', timeRule: rule('departure', 'next_arrival') },
  { name: 'Welcome', type: 'check_in', timeRule: rule('arrival', 'arrival') },
];

/** An organization of its own with a small hotel, a guest and a stay that its vendor has saved, and an endpoint. */
async function vendorOf(settings: object) {
  const { api } = await freshOrganization(service);
  const connectionId = await pushedBy(api, settings);
  const path = `/connections/${connectionId}`;
  const put = async (kind: string, externalId: string, content: object) => {
    const { status, body } = await api.put(`${path}/${kind}/${externalId}`, content);
    if (status !== 201) throw new Error(JSON.stringify(body));
  };
  await put('properties', 'H1', { name: 'Hotel', timezone: 'Europe/Lisbon', automaticTasks });
  await put('properties', 'H2', { name: 'House', timezone: 'UTC' });
  for (const type of ['DBL', 'SGL']) await put('unit-types', type, { propertyRef: 'H1', name: type });
  for (const room of ['101', '102']) await put('units', room, { propertyRef: 'H1', unitTypeRef: 'DBL', name: room });
  await put('units', '201', { propertyRef: 'H1', unitTypeRef: 'SGL', name: '201' });
  await put('guests', 'G', { name: 'Ana' });
  const dates = { checkInDate: day(20), checkOutDate: day(23) };
  // The first version defines the form of all.
  await put('reservations', 'old', { propertyRef: 'H1', unitRef: '101', ...dates, sourceVersion: 0 });
  await api.post('/webhook-endpoints', { url: 'https://receiver.example/hook', eventTypes: ['*'] });
  return { api, path };
}

type Vendor = Awaited<ReturnType<typeof vendorOf>>;

const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });
const content = fc
  .record({
    propertyRef: fc.constantFrom('H1', 'H1', 'H1', 'H1', 'H2', 'none', undefined),
    unitTypeRef: maybe(fc.constantFrom('DBL', 'SGL', 'none', null)),
    unitRef: maybe(fc.constantFrom('101', '102', '201', 'none', null)),
    from: fc.integer({ min: 20, max: 26 }),
    nights: fc.constantFrom(1, 2, 3, 4, 0, -1, 2_000),
    primaryGuest: maybe(fc.constantFrom({ name: ' Bea ', phone: ' 1 ' }, { email: 'x@x.example' }, null)),
    guestRef: fc.constantFrom(undefined, undefined, undefined, 'G', 'none'),
    companions: maybe(fc.constant([{ name: 'Cai' }, { name: 'Dov' }])),
    status: maybe(fc.constantFrom('confirmed', 'inquiry', 'cancelled')),
    stayStatus: fc.constantFrom(undefined, undefined, undefined, 'checked_in', 'checked_out'),
    arrivalAt: fc.constantFrom(undefined, undefined, undefined, `${day(20)}T20:00:00Z`),
    sourceVersion: fc.constantFrom(1, 1, 1, 1, undefined, `${day(0)}T00:00:00Z`),
    metadata: maybe(fc.constant({ a: '1', b: null })),
    externalRefs: fc.constantFrom(undefined, undefined, undefined, undefined, [
      { connectionId: 'acme', externalId: '1' },
    ]),
    notes: maybe(fc.constantFrom('Late', null)),
  })
  .map(({ from, nights, ...rest }) => ({ ...rest, checkInDate: day(from), checkOutDate: day(from + nights) }));

const sayable = [
  'propertyRef',
  'unitTypeRef',
  'unitRef',
  'primaryGuest',
  'companions',
  'status',
  'stayStatus',
  'metadata',
  'notes',
];

const bulks = fc.array(content, { minLength: 8, maxLength: 14 }).map((contents) => {
  const items = contents.map((one, index) => ({ externalId: `S${index}`, ...one }));
  return [...items, { ...items[1], externalId: 'old', sourceVersion: 1 }];
});

/** Later versions of the same stays: other content under a newer version, an older one, or the same again. */
const deltas = fc.array(
  fc.tuple(content, fc.constantFrom(2, 2, 2, 2, 0, undefined), fc.subarray(sayable), fc.integer({ min: 0, max: 4 })),
  { minLength: 8, maxLength: 14 },
);

const later = (items: Json[], said: [Json, number | undefined, string[], number][]): Json[] =>
  said.flatMap(([{ checkInDate, checkOutDate, ...other }, sourceVersion, names, chance], index) => {
    const before = items[index];
    if (!before) return [];
    if (chance === 0) return [before];
    const dates = chance === 1 ? { checkInDate, checkOutDate } : {};
    const some = Object.fromEntries(names.map((name) => [name, other[name]]));
    return [{ externalId: before.externalId, ...dates, ...some, sourceVersion }];
  });

/** The result of an item, without ids. */
const shortly = ({ externalId, outcome, contentHash, error }: Json) =>
  error
    ? { externalId, code: error.code, key: error.details?.key, message: error.message, issues: error.details?.issues }
    : { externalId, outcome, contentHash };

async function saveEach({ api, path }: Vendor, items: Json[]): Promise<Json[]> {
  const results: Json[] = [];
  for (const { externalId, ...one } of items) {
    const { body } = await api.put(`${path}/reservations/${externalId}`, one);
    results.push(shortly({ externalId, ...body.meta, error: body.error }));
  }
  return results;
}

async function saveTogether({ api, path }: Vendor, items: Json[]): Promise<Json[]> {
  const { status, body } = await api.post(`${path}/reservations/bulk`, { items });
  if (status !== 200) throw new Error(JSON.stringify(body));
  return body.data.map(shortly);
}

/**
 * Everything that the database contains about the stays of an organization, by the vendor's names and without times of
 * writing.
 *
 * @param flags whether to include how often stays were flagged in between, which single changes do more often.
 */
async function heldOf(api: Api, flags = true): Promise<Json[]> {
  const orgId = uuidIn((await api.get('/me')).body.data.organization.id as string);
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  await client.query('set role app_system');
  const ref = (id: string) =>
    `(select external_id from external_refs e where e.org_id = $1 and e.record_id = ${id} order by 1 limit 1)`;
  const subject = (id: string) => `${ref(`replace(split_part(${id}, '_', 2), '-', '')::uuid`)}`;
  const left = `array['task.updated'${flags ? '' : `, 'reservation.overlap_flagged', 'reservation.overlap_cleared'`}]`;
  const queries = {
    stays: `select external_id, ${ref('property_id')} as property, ${ref('unit_id')} as unit, ${ref('unit_type_id')} as type,
                   ${ref('booked_unit_type_id')} as booked, check_in_date, check_out_date, arrival_at, departure_at, arrival_time, status,
                   stay_status, (select name from guests g where g.org_id = $1 and g.id = guest_id) as guest,
                   cardinality(companion_ids) as companions, notes, metadata, jsonb_array_length(external_refs) as refs, overlapping, exempt,
                   source ${flags ? ', version' : ''}
              from reservations where org_id = $1`,
    segments: `select ${ref('reservation_id')} as stay, ${ref('unit_id')} as unit, ${ref('unit_type_id')} as type, from_date, until_date,
                      exempt from stay_segments where org_id = $1`,
    guests: 'select name, email, phone, version from guests where org_id = $1',
    refs: 'select resource, external_id, source_version, content_hash, said from external_refs where org_id = $1',
    tasks: `select ${ref('reservation_id')} as stay, name, status, can_start_at, due_at, ${ref('unit_id')} as unit from tasks
             where org_id = $1`,
    // A task that looks at its neighbors changes less often if these change together.
    events: `select type, subject_type, ${subject('subject_id')} as subject, data ->> 'status' as status
                    ${flags ? `, sequence, data ->> 'overlapping' as overlapping` : ''}
               from events where org_id = $1 and type <> all(${left})`,
    deliveries: `select event_type, count(*) from webhook_deliveries where org_id = $1 and event_type <> all(${left}) group by 1`,
    trail: `select target_type, ${subject('target_id')} as target, count(*) from audit_entries
             where org_id = $1 and target_type <> 'task' ${flags ? '' : `and not coalesce(before::jsonb ? 'overlapping', false)`} group by 1, 2`,
    undo: `select event_type, follows, reason, sealed is null as open from undo_steps where org_id = $1 and event_type <> all(${left})`,
  };
  try {
    const held: Json[] = [];
    for (const [name, text] of Object.entries(queries)) {
      const { rows } = await client.query<Json>(text, [orgId]);
      held.push(...rows.map((row) => JSON.stringify([name, row])).sort());
    }
    return held;
  } finally {
    await client.end();
  }
}

it.each([[{}], [{ ownsOverlaps: false }]])(
  'has the same result as single saves, with the settings %j',
  async (settings) => {
    const rounds = fc.sample(fc.tuple(bulks, deltas), { numRuns: process.env.TEST_LONG ? 20 : 3, seed: 22 });
    // Work after guests who have left can start at that moment.
    clock.set(Date.now());
    for (const [items, said] of rounds) {
      const [one, all] = [await vendorOf(settings), await vendorOf(settings)];
      const sent = JSON.parse(JSON.stringify(items)) as Json[];
      expect(await saveTogether(all, sent)).toEqual(await saveEach(one, sent));
      expect(await heldOf(all.api)).toEqual(await heldOf(one.api));
      const changes = JSON.parse(JSON.stringify(later(sent, said))) as Json[];
      expect(await saveTogether(all, changes)).toEqual(await saveEach(one, changes));
      expect(await heldOf(all.api, false)).toEqual(await heldOf(one.api, false));
    }
  },
);

it('leaves what was changed here since, if the same is saved again', async () => {
  const vendor = await vendorOf({ fields: 'dates' });
  const nights = { checkInDate: day(40), checkOutDate: day(41) };
  const said = [{ externalId: 'R', propertyRef: 'H1', ...nights, notes: 'Late', sourceVersion: 1 }];
  await saveTogether(vendor, said);
  const { id } = (await vendor.api.get(`${vendor.path}/reservations/R`)).body.data;
  expect((await vendor.api.patch(`/reservations/${id}`, { notes: 'Early' })).status).toBe(200);
  expect(await saveTogether(vendor, said)).toMatchObject([{ outcome: 'unchanged' }]);
  const moved = said.map((one) => ({ ...one, checkOutDate: day(42), sourceVersion: 2 }));
  expect(await saveTogether(vendor, moved)).toMatchObject([{ outcome: 'changed' }]);
  const { notes, checkOutDate } = (await vendor.api.get(`/reservations/${id}`)).body.data;
  expect([notes, checkOutDate]).toEqual(['Early', day(42)]);
});

it('saves stays with few statements, however many there are', async () => {
  const { api, path } = await vendorOf({});
  const before = sent;
  const items = Array.from({ length: 100 }, (_, n) => ({
    externalId: `N${n}`,
    propertyRef: 'H1',
    unitTypeRef: 'DBL',
    checkInDate: day(30 + n),
    checkOutDate: day(32 + n),
    primaryGuest: { name: `Guest ${n}` },
    sourceVersion: 1,
  }));
  const { body } = await api.post(`${path}/reservations/bulk`, { items });
  expect(new Set(body.data.map(({ outcome }: Json) => outcome))).toEqual(new Set(['created']));
  expect(sent - before).toBeLessThan(150);
  const created = sent;
  const moved = items.map((item, n) => ({ ...item, checkOutDate: day(33 + n), sourceVersion: 2 }));
  const { body: changed } = await api.post(`${path}/reservations/bulk`, { items: moved });
  expect(new Set(changed.data.map(({ outcome }: Json) => outcome))).toEqual(new Set(['changed']));
  expect(sent - created).toBeLessThan(150);
});

it('changes stays that must not overlap others with few statements, if no nights change', async () => {
  const { api, path } = await vendorOf({ ownsOverlaps: false });
  const items = Array.from({ length: 40 }, (_, n) => ({
    externalId: `N${n}`,
    propertyRef: 'H1',
    unitRef: '102',
    checkInDate: day(30 + n),
    checkOutDate: day(31 + n),
    sourceVersion: 1,
  }));
  const save = async (some: object[]): Promise<[string[], number]> => {
    const before = sent;
    const { body } = await api.post(`${path}/reservations/bulk`, { items: some });
    const outcomes = body.data.map(({ outcome }: Json) => outcome as string);
    return [[...new Set<string>(outcomes)], sent - before];
  };
  const created = await save(items);
  const noted = items.map((item) => ({ ...item, notes: 'Late', sourceVersion: 2 }));
  const [changed, repeated] = [await save(noted), await save(noted)];
  expect([created[0], changed[0], repeated[0]]).toEqual([['created'], ['changed'], ['unchanged']]);
  expect(changed[1]).toBeLessThan(60);
  expect(repeated[1]).toBeLessThan(60);
});

it('keeps no guest of a rejected change, even if it is the only one', async () => {
  const { api, path } = await vendorOf({});
  const early = {
    externalId: 'old',
    status: 'inquiry',
    primaryGuest: { name: 'Eve' },
    stayStatus: 'checked_in',
    sourceVersion: 1,
  };
  const { body } = await api.post(`${path}/reservations/bulk`, { items: [early] });
  const guests = (await api.get('/guests')).body.data.map(({ name }: Json) => name as string);
  expect([body.data[0].error?.code, guests]).toEqual(['RESERVATION_NOT_CONFIRMED', ['Ana']]);
});

it('saves a bulk in slices, so that others wait only for the current one, and an atomic bulk in one slice', async () => {
  const { api, path } = await vendorOf({});
  const other = (await api.get(`${path}/properties/H2`)).body.data.id as string;
  const nights = { checkInDate: day(40), checkOutDate: day(41), sourceVersion: 1 };
  const items = (name: string, many: number) =>
    Array.from({ length: many }, (_, n) => ({
      externalId: `${name}${n}`,
      propertyRef: n < many - 1 ? 'H1' : 'H2',
      ...nights,
    }));
  const client = new pg.Client({ connectionString: service.database.url });
  await client.connect();
  const held = async (name: string, body: object): Promise<number> => {
    await client.query('begin');
    await client.query('select from properties where id = $1 for update', [uuidIn(other)]);
    const answer = api.post(`${path}/reservations/bulk`, body);
    const read = async () => {
      await wait(betweenReadsMs);
      return await api.get(`${path}/reservations/${name}0`);
    };
    let seen = await read();
    for (const until = Date.now() + 1_500; seen.status !== 200 && Date.now() < until;) seen = await read();
    await client.query('rollback');
    expect((await answer).body.data.filter(({ outcome }: Json) => outcome !== 'created')).toEqual([]);
    return seen.status;
  };
  try {
    // The first fifty are a slice.
    expect(await held('P', { items: items('P', 51) })).toBe(200);
    expect(await held('A', { items: items('A', 50), atomic: true })).toBe(404);
  } finally {
    await client.end();
  }
});

it('is undone as a whole, and a comparison shows the previous state', async () => {
  const { api, path } = await vendorOf({});
  const nights = (n: number) => ({ checkInDate: day(50 + (n % 50)), checkOutDate: day(52 + (n % 50)) });
  const items = Array.from({ length: 170 }, (_, n) => ({
    externalId: `U${n}`,
    propertyRef: 'H1',
    unitTypeRef: 'DBL',
    ...nights(n),
    sourceVersion: 1,
  }));
  const save = async (some: object[]) => {
    const { headers, body } = await api.post(`${path}/reservations/bulk`, { items: some });
    return { requestId: headers.get('x-request-id'), results: body.data as Json[] };
  };
  const stay = async (n: number) => (await api.get(`${path}/reservations/U${n}`)).body.data as Json;
  const differentNow = async (results: Json[]) => {
    const asked = results.map(({ externalId, contentHash }) => ({ externalId, hash: contentHash }));
    return (await api.post(`${path}/reservations/reconcile`, { items: asked })).body.data.different as string[];
  };
  const first = await save(items);
  const moved = [{ ...items[0], checkOutDate: day(55), sourceVersion: 2 }];
  const second = await save(moved);
  const undo = async ({ requestId }: { requestId: string | null }) => await api.post('/changes/undo', { requestId });
  expect([(await undo(second)).status, (await stay(0)).checkOutDate]).toEqual([200, day(52)]);
  expect(await differentNow(second.results)).toEqual(['U0']);
  expect((await save(moved)).results[0]?.outcome).toBe('changed');
  const { status, body } = await undo(first);
  expect([status, body.data.undone.length]).toEqual([200, 170]);
  expect([(await stay(0)).status, (await stay(169)).status]).toEqual(['cancelled', 'cancelled']);
  expect(await differentNow(first.results)).toHaveLength(170);
  const redone = await undo({ requestId: body.meta.requestId });
  expect([redone.status, (await stay(0)).status]).toEqual([200, 'confirmed']);
  expect((await undo({ requestId: redone.body.meta.requestId })).status).toBe(200);
  // The vendor saves what differs again, as it saved it first: without a status, which means confirmed.
  const again = await save(items.slice(1, 3));
  expect(again.results.map(({ outcome }) => outcome)).toEqual(['reinstated', 'reinstated']);
  const { externalId, ...content } = items[4] as Json;
  const one = await api.put(`${path}/reservations/${externalId}`, content);
  expect([one.status, one.body.data.status]).toEqual([200, 'confirmed']);
  expect(await differentNow(first.results.slice(1, 3))).toEqual([]);
}, 60_000);
