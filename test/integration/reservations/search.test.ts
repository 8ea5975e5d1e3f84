import { SystemDatabase } from '#system-database';
import { called, TenantDatabase, uuidIn } from '#persistence';
import { inSteps } from '../../../libs/persistence/search-in-steps.js';
import type { Api, Json } from '../../support/api.js';
import { propertyOf, stayOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** More than a search reads before it uses the index. */
const many = 1_100;

let tenant: Tenant;
let limited: Api;
beforeAll(async () => {
  tenant = await startTenant();
  limited = tenant.limited;
  const propertyId = await propertyOf(tenant.api, 'Elsewhere too');
  // The oldest of all: found only by the index.
  for (const name of ['Old Dulcinea', 'Older_Dulcinea']) await stayWith(tenant.api, tenant.here, name);
  await stayWith(tenant.api, propertyId, 'Dulcinea Elsewhere');
  await stayWith(tenant.stranger, await propertyOf(tenant.stranger, 'Theirs'), 'Dulcinea of another organization');
  await fill(propertyId);
  await stayWith(tenant.api, tenant.here, 'New Dulcinea');
});
afterAll(() => tenant.close());

let day = 0;
async function stayWith(api: Api, propertyId: string, name: string): Promise<Json> {
  const [from, to] = [0, 1].map((nights) =>
    new Date(Date.UTC(2040, 0, (day += 1) + nights)).toISOString().slice(0, 10),
  );
  return await stayOf(api, { propertyId, checkInDate: from, checkOutDate: to, primaryGuest: { name } });
}

/** Guests of another name, each with a cancelled stay, newer than earlier records. */
async function fill(propertyId: string): Promise<void> {
  const { organization } = (await tenant.api.get('/me')).body.data;
  const system = tenant.service.app.get(SystemDatabase);
  await system.transaction(() =>
    system.rows(
      `with numbers as materialized (select n, uuidv7() as id from generate_series(1, $3::int) n),
         filled as (
           insert into guests (org_id, id, name, metadata, version, created_at, updated_at)
           select $1, id, 'Sancho ' || n, '{}', 1, now(), now() from numbers)
       insert into reservations (org_id, id, property_id, check_in_date, check_out_date, arrival_at, departure_at, guest_id,
                                 confirmation_code, channel, status, stay_status, source, overlapping, metadata,
                                 external_refs, version, created_at, updated_at)
       select $1, id, $2, date '2050-01-01', date '2050-01-02', '2050-01-01', '2050-01-02', id, 'FILL-' || n, 'direct',
              'cancelled', 'not_arrived', 'manual', false, '{}', '[]', 1, now(), now()
         from numbers`,
      [uuidIn(organization.id as string), uuidIn(propertyId), many],
    ),
  );
}

/** Every page, one after the other. */
async function names(path: string, api: Api = tenant.api): Promise<string[]> {
  const found: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const { status, body }: Json = await api.get(`${path}${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    expect(status).toBe(200);
    found.push(...body.data.map((row: Json) => (row.primaryGuest ?? row).name as string));
    cursor = body.meta.pagination.nextCursor;
  }
  return found;
}

const newestFirst = ['New Dulcinea', 'Dulcinea Elsewhere', 'Older_Dulcinea', 'Old Dulcinea'];

describe.each(['/guests', '/reservations'])('q of %s', (path) => {
  it('finds matches in the first rows and far behind them, and nothing of another organization', async () => {
    expect(await names(`${path}?q=dulcinea`)).toEqual(newestFirst);
  });

  it.each(['-createdAt', '-updatedAt', 'updatedAt', 'createdAt'])(
    'returns each once over several pages, sorted by %s',
    async (sort) => {
      const expected = sort.startsWith('-') ? newestFirst : newestFirst.toReversed();
      expect(await names(`${path}?q=Dulcinea&limit=1&sort=${sort}`)).toEqual(expected);
      expect(await names(`${path}?q=Dulcinea&limit=2&sort=${sort}`)).toEqual(expected);
    },
  );

  it('shows a credential of one property only what is there', async () => {
    expect(await names(`${path}?q=dulcinea`, limited)).toEqual(newestFirst.toSpliced(1, 1));
  });

  it('reads more than the first rows for a word that all contain', async () => {
    expect(new Set(await names(`${path}?q=Sancho&limit=100`)).size).toBe(many);
  });

  it('treats wildcards as literals', async () => {
    expect(await names(`${path}?q=Older_D`)).toEqual(['Older_Dulcinea']);
    expect(await names(`${path}?q=Old_D`)).toEqual([]);
    expect(await names(`${path}?q=%25%25%25`)).toEqual([]);
  });
});

describe('q of /reservations', () => {
  it('combines with other filters', async () => {
    expect(await names('/reservations?q=dulcinea&status=confirmed')).toEqual(newestFirst);
    expect(await names('/reservations?q=dulcinea&status=cancelled')).toEqual([]);
    expect(await names('/reservations?q=Sancho 1100&status=cancelled')).toEqual(['Sancho 1100']);
  });
});

describe('the steps of a search', () => {
  // Ids are not in order of time if tests before this one have moved the clock.
  const order = 'order by created_at desc, id desc';
  const steps = { newest: 5, places: 0, atEach: 25, common: 3, few: 3, further: 40 };
  const all = 2_000;
  let orgId: string;
  let rows: (text: string, values: unknown[]) => Promise<string[]>;
  beforeAll(async () => {
    orgId = uuidIn((await tenant.api.get('/me')).body.data.organization.id as string);
    const database = tenant.service.app.get(TenantDatabase);
    rows = async (text, values) => (await database.rows(orgId, text, values)).map(({ name }) => name as string);
  });

  const oldest = ['Dulcinea Elsewhere', 'Older_Dulcinea'];
  const fourth = ['Sancho 1', 'Dulcinea Elsewhere'];
  // A wrong index reveals which step was used: it returns the oldest guests, whatever the text is.
  it.each([
    ['the first rows, if they fill the page', 'Sancho', 4, all, ['Sancho 1100', 'Sancho 1099']],
    ['the first rows, if there are no others', 'Nobody', 4, 4, []],
    ['the index, if it finds few rows', 'Sancho 108', 3, all, oldest],
    ['further rows, if the index finds many', 'Sancho 108', 4, all, ['Sancho 1089', 'Sancho 1088']],
    ['further rows, if there are no others', 'New', 4, 40, ['New Dulcinea']],
    ['the index, if further rows do not fill the page', 'Sancho 50', 4, all, fourth],
    ['the index, if there is one more row', 'New', 4, 41, []],
  ])('are used as expected with %s', async (_step, text, has, of, expected) => {
    const ids = 'unnest(array(select id from guests where org_id = $1 order by created_at, id limit $3))';
    const list = `select * from guests where org_id = $1 and id in (select id from guests where org_id = $1 ${order} limit $4)`;
    const statement = inSteps('guests', list, { inRow: 'name ilike $2', column: 'id', ids }, order, 2, steps);
    expect(await rows(statement, [orgId, `%${text}%`, has, of])).toEqual(expected);
  });

  it.each([
    ['further rows, if the text is common', 'Sancho 2', 2_000, ['Sancho 299', 'Sancho 298']],
    ['the index, if few rows of the sample have the text', 'Elsewhere', 2_000, oldest],
    ['the index, if no row of the sample has the text', 'Nobody', 2_000, oldest],
    ['the whole index, if further rows do not fill the page', 'Sancho 2', 40, oldest],
  ])('use a sample: %s', async (_step, text, further, expected) => {
    const ids = 'unnest(array(select id from guests where org_id = $1 order by created_at, id limit 3))';
    const sampling = { ...steps, places: 10, few: 2_000, further };
    const list = 'select * from guests where org_id = $1';
    const search = { inRow: 'name ilike $2', column: 'id', ids };
    expect(await rows(inSteps('guests', list, search, order, 2, sampling), [orgId, `%${text}%`])).toEqual(expected);
  });

  it('do not include the index if there are no other rows', async () => {
    const ids = `unnest(array(select id from guests where org_id = $1 ${order} limit 3))`;
    const list = `select * from guests where org_id = $1 and id in (select id from guests where org_id = $1 ${order} limit 4)`;
    const statement = inSteps('guests', list, { inRow: 'name ilike $2', column: 'id', ids }, order, 2, steps);
    expect(await rows(statement, [orgId, '%Nobody%'])).toEqual([]);
  });

  it.each(
    [0, 10].flatMap((places) =>
      ['created_at desc, id desc', 'created_at, id', 'name desc, id desc'].map((key) => [places, key] as const),
    ),
  )('all find the same, with a sample of %i places, ordered by %s', async (places, key) => {
    const { inRow, ids, column } = called('guests');
    const search = { inRow: inRow.replace('?', '$2'), column, ids: ids.replace('?', '$2') };
    for (const text of ['Sancho', 'Sancho 108', 'Sancho 50', 'ancho 5', 'Dulcinea', 'e', '1', 'Nobody'])
      for (const condition of [
        'true',
        `name not like '%00%'`,
        `created_at < (select created_at from guests where org_id = $1 ${order} limit 1)`,
      ]) {
        const list = `select * from guests where org_id = $1 and ${condition}`;
        const found = await rows(inSteps('guests', list, search, `order by ${key}`, 7, { ...steps, places }), [
          orgId,
          `%${text}%`,
        ]);
        const expected = await rows(`${list} and name ilike $2 order by ${key} limit 7`, [orgId, `%${text}%`]);
        expect([text, condition, found]).toEqual([text, condition, expected]);
      }
  });
});
