import { randomUUID } from 'node:crypto';
import { DataSource } from 'typeorm';
import { type Claim, type ClaimColumns, type ClaimedTable, ClaimedTables, claiming, schedules } from '#jobs';
import { connect, type Connected, TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import { appRoles, dataSourceOptions } from '../../../src/processes/data-source.js';
import { isolated } from '../../../src/platform/migrations/isolation.js';
import { clock } from '../../support/clock.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { until } from '../../support/feed.js';

let database: FreshDatabase;
let sources: DataSource[];
let tables: ClaimedTables;
let tenant: TenantDatabase;
const complaints: string[] = [];
beforeAll(async () => {
  database = await freshDatabase();
  const owner = await new DataSource(dataSourceOptions({ url: database.url, max: 1 })).initialize();
  await owner.query(`
    create table errands (org_id uuid, id uuid, due_at timestamptz, leased_until timestamptz, number bigint not null,
      status text not null, started_at timestamptz, primary key (org_id, id));
    ${isolated('errands')}
  `);
  const [asTenant, asSystem] = await Promise.all(
    [appRoles.tenant, appRoles.system].map((role) =>
      connect(dataSourceOptions({ url: database.url, role, max: 2 })),
    ) as [Promise<Connected>, Promise<Connected>],
  );
  sources = [owner, asTenant.dataSource, asSystem.dataSource];
  tenant = new TenantDatabase(asTenant);
  tables = new ClaimedTables(
    tenant,
    new SystemDatabase(asSystem),
    { wake: () => undefined },
    {
      error: (_, message) => void complaints.push(message),
      warn: (_, message) => void complaints.push(message),
    },
  );
});
beforeEach(() => clock.set('2031-01-01T00:00:00Z'));
afterEach(() => clock.restore());
afterAll(async () => {
  await Promise.all(sources.map((source) => source.destroy()));
  await database.drop();
  expect(complaints).toEqual([]);
});

const columns = {
  work: 'errands',
  table: 'errands',
  prefix: 'errand',
  due: 'due_at',
  fence: 'number',
  while: "status <> 'over'",
  sets: "status = 'running', started_at = $3",
  leaseMs: 10_000,
} satisfies ClaimColumns;

/** A row of a new organization that has been due for a minute. */
async function errand(): Promise<{ orgId: string; id: string }> {
  const [org, id] = [randomUUID(), randomUUID()].map((uuid) => uuid.replaceAll('-', '')) as [string, string];
  const dueAt = new Date(Date.now() - 60_000).toISOString();
  const row = { orgId: `org_${org}`, id: `errand_${id}` };
  await tenant.rows(row.orgId, `insert into errands values ($1, $2, $3, null, 7, 'queued')`, [org, id, dueAt]);
  return row;
}

const counts = async (table: ClaimedTable, claim: Claim): Promise<boolean> => {
  const { text, values } = table.where(claim);
  return (await tenant.rows(claim.orgId, `select 1 from errands ${text}`, values)).length > 0;
};

const change = (orgId: string, sets: string): Promise<unknown> => tenant.rows(orgId, `update errands set ${sets}`, []);

const isDue = async (table: ClaimedTable, { id }: { id: string }): Promise<boolean> =>
  (await table.due(new Date().toISOString())).some((row) => row.id === id);

describe.each([
  ['postpones its due time', columns],
  ['has a separate lease', { ...columns, until: 'leased_until' }],
])('a row whose claim %s', (_, given) => {
  it('is claimed by one of several, and by the next after the lease ends', async () => {
    const table = tables.of(given);
    const row = await errand();
    expect(await isDue(table, row)).toBe(true);
    const taken = await Promise.all([table.take(row), table.take(row), table.take(row)]);
    const [first] = taken.filter(Boolean) as [Claim];
    expect(taken.filter(Boolean)).toEqual([{ ...row, fence: 8 }]);
    expect([await isDue(table, row), await counts(table, first)]).toEqual([false, true]);
    clock.advance(9_999);
    expect([await isDue(table, row), await table.take(row)]).toEqual([false, undefined]);
    clock.advance(1);
    expect(await isDue(table, row)).toBe(true);
    const second = (await table.take(row)) as Claim;
    expect([await counts(table, first), await counts(table, second)]).toEqual([false, true]);
  });

  it('is not claimed before it is due, and returns what a claim writes', async () => {
    const table = tables.of(given);
    const row = await errand();
    await change(row.orgId, `due_at = '2031-01-01T00:00:01Z'`);
    expect([await isDue(table, row), await table.take(row)]).toEqual([false, undefined]);
    clock.advance(1_000);
    expect(await table.take(row)).toBeDefined();
    const [written] = await tenant.rows(row.orgId, 'select status, started_at from errands', []);
    expect(written).toEqual({ status: 'running', started_at: '2031-01-01T00:00:01.000Z' });
  });

  it('can be released only by its owner', async () => {
    const table = tables.of(given);
    const row = await errand();
    const claim = (await table.take(row)) as Claim;
    await table.release({ ...claim, fence: 7 });
    expect(await table.take(row)).toBeUndefined();
    await table.release(claim, '2031-01-01T00:00:05Z');
    clock.advance(4_999);
    expect(await table.take(row)).toBeUndefined();
    clock.advance(1);
    expect(await table.take(row)).toBeDefined();
  });

  it('is claimed only if that is allowed', async () => {
    const table = tables.of({ ...given, where: "status <> 'paused'" });
    const row = await errand();
    await change(row.orgId, `status = 'paused'`);
    expect([await isDue(table, row), await table.take(row)]).toEqual([false, undefined]);
  });

  it('is lost by a claim that ends early', async () => {
    const table = tables.of(given);
    const claim = (await table.take(await errand())) as Claim;
    await change(claim.orgId, `status = 'over'`);
    expect(await counts(table, claim)).toBe(false);
  });
});

it('a row that is not due can be claimed early, unless somebody has it; the end of the lease distinguishes claims', async () => {
  const { fence: _, ...withoutFence } = columns;
  const table = tables.of({ ...withoutFence, until: 'leased_until' });
  const row = await errand();
  await change(row.orgId, `due_at = '2032-01-01T00:00:00Z'`);
  expect(await table.take(row)).toBeUndefined();
  const first = (await table.takeEarly(row)) as Claim;
  expect(first.fence).toBe('2031-01-01T00:00:10.000Z');
  expect(await table.takeEarly(row)).toBeUndefined();
  clock.advance(10_000);
  const second = (await table.takeEarly(row)) as Claim;
  expect([await counts(table, first), await counts(table, second)]).toEqual([false, true]);
});

describe('work that takes longer than its lease', () => {
  const renewed = { ...columns, renewal: { everyMs: 5 } };

  /** Work on a claim that continues until the claim is lost. */
  const holding = (table: ClaimedTable, claim: Claim): Promise<void> =>
    table.hold(claim, (lost) => new Promise((resolve) => lost.addEventListener('abort', () => resolve())));

  it('keeps its claim, which is renewed only while the work continues', async () => {
    const table = tables.of(renewed);
    const row = await errand();
    let end: () => void = () => undefined;
    const claim = (await table.take(row)) as Claim;
    const held = table.hold(claim, () => new Promise<void>((resolve) => (end = resolve)));
    clock.advance(9_000);
    const dueAt = async () => (await tenant.rows(row.orgId, 'select due_at from errands', []))[0]?.due_at;
    await until(dueAt, (time) => time === '2031-01-01T00:00:19.000Z');
    end();
    await held;
    clock.advance(5_000);
    await table.renew();
    expect(await dueAt()).toBe('2031-01-01T00:00:19.000Z');
  });

  it('releases what it no longer renews', async () => {
    const table = tables.of(renewed);
    const claim = (await table.take(await errand())) as Claim;
    await table.hold(claim, async () => {
      await table.release(claim, '2031-01-01T00:00:05Z');
      await table.renew();
    });
    const [row] = await tenant.rows(claim.orgId, 'select due_at from errands', []);
    expect(row?.due_at).toBe('2031-01-01T00:00:05.000Z');
  });

  it('is renewed for as long as the row allows', async () => {
    const table = tables.of({
      ...columns,
      renewal: { everyMs: 5, until: `least($4::timestamptz, started_at + interval '12 s')` },
    });
    const claim = (await table.take(await errand())) as Claim;
    const held = holding(table, claim);
    clock.advance(9_000);
    const dueAt = async () => (await tenant.rows(claim.orgId, 'select due_at from errands', []))[0]?.due_at;
    await until(dueAt, (time) => time === '2031-01-01T00:00:12.000Z');
    table.abort(claim.id);
    await held;
  });

  it('is stopped if another has claimed the row, or it was ended, and continues elsewhere', async () => {
    const [here, elsewhere] = [tables.of(renewed), tables.of(columns)];
    const [lost, over, kept] = (await Promise.all(
      [errand(), errand(), errand()].map(async (row) => here.take(await row)),
    )) as [Claim, Claim, Claim];
    const stopped: string[] = [];
    const held = [lost, over, kept].map((claim) => holding(here, claim).then(() => void stopped.push(claim.id)));
    await change(over.orgId, `status = 'over'`);
    await change(lost.orgId, `due_at = '2031-01-01T00:00:00Z', number = number + 1`);
    await Promise.all(held.slice(0, 2));
    expect(stopped.toSorted()).toEqual([lost.id, over.id].toSorted());
    elsewhere.abort(kept.id);
    expect(stopped).toHaveLength(2);
    here.abort(kept.id);
    await held[2];
  });
});

it('work on a claim stops when the process ends, which waits for it and starts no more', async () => {
  const table = tables.of(columns);
  const [early, late] = (await Promise.all([errand(), errand()].map(async (row) => table.take(await row)))) as [
    Claim,
    Claim,
  ];
  const ended: string[] = [];
  const untilOver = (claim: Claim): Promise<void> =>
    table.hold(claim, async (over) => {
      if (!over.aborted) await new Promise((resolve) => over.addEventListener('abort', resolve));
      await table.release(claim);
      ended.push(claim.id);
    });
  const held = untilOver(early);
  await table.end();
  expect(ended).toEqual([early.id]);
  await untilOver(late);
  expect(ended).toEqual([early.id, late.id]);
  await held;
});

it('work is performed on what it claims, once however often it is queued', async () => {
  const performed: Claim[] = [];
  const work = claiming({
    lane: schedules,
    claims: tables.of(columns),
    perform: (claim) => Promise.resolve(void performed.push(claim)),
  });
  const row = await errand();
  const { signal } = new AbortController();
  await Promise.all([work.perform(row, signal), work.perform(row, signal)]);
  expect(performed).toEqual([{ ...row, fence: 8 }]);
});
