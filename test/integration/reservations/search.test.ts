import { SystemDatabase } from '#system-database';
import { uuidIn } from '#persistence';
import type { Api, Json } from '../../support/api.js';
import { propertyOf, stayOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/** More than a search looks at before it asks the index. */
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

/** Guests of another name, each with a cancelled stay, newer than what was made before. */
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
  it('finds what is on the first rows and what is far behind them, and nothing of another organization', async () => {
    expect(await names(`${path}?q=dulcinea`)).toEqual(newestFirst);
  });

  it.each(['-createdAt', '-updatedAt', 'updatedAt', 'createdAt'])(
    'gives each once over several pages, sorted by %s',
    async (sort) => {
      const expected = sort.startsWith('-') ? newestFirst : newestFirst.toReversed();
      expect(await names(`${path}?q=Dulcinea&limit=1&sort=${sort}`)).toEqual(expected);
      expect(await names(`${path}?q=Dulcinea&limit=2&sort=${sort}`)).toEqual(expected);
    },
  );

  it('shows a credential of one property only what is there', async () => {
    expect(await names(`${path}?q=dulcinea`, limited)).toEqual(newestFirst.toSpliced(1, 1));
  });

  it('goes through more than the first rows for a word that all hold', async () => {
    expect(new Set(await names(`${path}?q=Sancho&limit=100`)).size).toBe(many);
  });

  it('takes wildcards by their letter', async () => {
    expect(await names(`${path}?q=Older_D`)).toEqual(['Older_Dulcinea']);
    expect(await names(`${path}?q=Old_D`)).toEqual([]);
    expect(await names(`${path}?q=%25%25%25`)).toEqual([]);
  });
});

describe('q of /reservations', () => {
  it('goes with other filters', async () => {
    expect(await names('/reservations?q=dulcinea&status=confirmed')).toEqual(newestFirst);
    expect(await names('/reservations?q=dulcinea&status=cancelled')).toEqual([]);
    expect(await names('/reservations?q=Sancho 1100&status=cancelled')).toEqual(['Sancho 1100']);
  });
});
