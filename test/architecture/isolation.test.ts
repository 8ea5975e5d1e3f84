import pg from 'pg';
import { type FreshDatabase, freshDatabase } from '../support/database.js';
import { insertOf, type TableFacts, tablesOf } from '../support/tables.js';

/** BullMQ's tables, in a schema of their own. */
const queueTables = [
  'dedup',
  'dedup_next',
  'event',
  'job',
  'job_dependency',
  'job_log',
  'meta',
  'metrics',
  'migration',
  'rate_limit',
  'relay_inbox',
  'relay_node',
  'relay_retained',
  'relay_subscription',
  'scheduler',
];

/** Tables without an organization, with the reason; app_user cannot access them. */
const globalTables: Record<string, string> = {
  ...Object.fromEntries(queueTables.map((name) => [`bullmq.${name}`, 'hand out jobs; what is to be done are rows'])),
  cell: 'which region and environment these data belong to',
  migrations: 'what was migrated; the owner alone reads and writes it',
  users: 'a person may belong to several organizations',
  attempts: 'tries at signing in come before anyone is known',
  form_submissions: 'come from pages of people, and some before anyone has signed in',
  mailed_links: 'are followed before anyone has signed in',
  mails: 'to people, and some belong to no organization yet',
  oauth_clients: 'an application is registered once for all organizations',
  oauth_interactions: 'begin before an organization is chosen',
  passkeys: 'belong to a person',
  recovery_codes: 'belong to a person',
  schedules: 'when the service looks after all organizations again',
  security_events: 'happen to a person',
  sessions: 'belong to a person',
  sign_ins: 'happen to a person',
  sliding_windows: 'registrations come before anyone is known',
  totp_factors: 'belong to a person',
};

/** Mailboxes: app_user cannot read what an operation's transaction inserts there. */
const letterBoxes = ['mailed_links', 'mails'];

/** Functions that run as the owner: they return only ids of the transaction's own organization, or how old a transaction is. */
const called = (table: string): { lends: string } => ({ lends: `${table}_called(text)` });
const lenders = [
  ...['devices', 'guests'].map(called),
  { lends: 'oldest_transaction_ms()' },
  called('properties'),
  { lends: 'stays_over(date)' },
  { lends: 'stays_over(date,uuid[])' },
  { lends: 'stays_over(date,uuid[],uuid,integer)' },
  ...['tasks', 'units'].map(called),
];

/** Tables whose rows are looked up before their organization is known, by a secret's hash. */
const foundByHash = ['oauth_tokens'];

/**
 * Unique indexes over all organizations: values that are looked up, or chosen by people, before the organization is
 * known.
 */
const foundWithoutOrganization: Record<string, string> = {
  api_keys_hash: 'a credential',
  guides_slug: 'the public address of a guide',
  oauth_grants_id: 'what a refresh token belongs to',
  organizations_slug: 'the name of an organization for its operator',
  properties_feed: 'the public address of a calendar',
  published_guides_slug_key: 'the public address of a guide',
};

const orgColumnOf = ({ name }: { name: string }): string => (name === 'organizations' ? 'id' : 'org_id');

/** What is wrong with a table of the organizations' data. */
function faultsOf(table: TableFacts, isTenant: (name: string) => boolean): string[] {
  const orgColumn = orgColumnOf(table);
  const own = `\\(${orgColumn} = \\(NULLIF\\(current_setting\\('app.org_id'::text, true\\), ''::text\\)\\)::uuid\\)`;
  const [system, tenant, ...more] = table.policies;
  const isOwnRows = (expression: string | null | undefined): boolean => new RegExp(`^${own}$`).test(expression ?? '');
  const verdicts: [string, boolean][] = [
    [
      `${orgColumn} is not the first column of its primary key`,
      table.primaryKey[0] !== orgColumn && !foundByHash.includes(table.name),
    ],
    ['row security is not enabled', !table.rowSecurity],
    ['row security does not bind the owner', !table.forced],
    [
      'there is no tenant policy for app_user',
      !(tenant?.name === 'tenant' && tenant.roles.join() === 'app_user' && tenant.command === 'ALL'),
    ],
    ['the tenant policy shows other rows', !isOwnRows(tenant?.using)],
    ['the tenant policy admits other rows', !isOwnRows(tenant?.check)],
    ['there is no system policy for app_system', !(system?.name === 'system' && system.roles.join() === 'app_system')],
    ['there are other policies, which widen the first', more.length > 0],
    [
      'app_user may do what row security does not see',
      table.tenantPrivileges.some((name) => ['TRUNCATE', 'REFERENCES', 'TRIGGER'].includes(name)),
    ],
    // Citus also requires this of tables whose rows are distributed by their organization.
    ...table.foreignKeys.map(({ name, columns, target }): [string, boolean] => [
      `${name} does not begin with ${orgColumn}`,
      isTenant(target) && columns[0] !== orgColumn,
    ]),
    ...table.uniqueIndexes.map(({ name, columns }): [string, boolean] => [
      `${name} is unique over all organizations`,
      !columns.includes(orgColumn) && !foundByHash.includes(table.name) && !(name in foundWithoutOrganization),
    ]),
    ...table.foreignKeys.map(({ name, columns, target, targetColumns }): [string, boolean] => [
      `${name} may point into another organization`,
      isTenant(target) && targetColumns[columns.indexOf(orgColumn)] !== orgColumnOf({ name: target }),
    ]),
  ];
  return verdicts.filter(([, isSo]) => isSo).map(([fault]) => `${table.name}: ${fault}`);
}

let database: FreshDatabase;
let owner: pg.Client;
let tables: TableFacts[];
let partitions: TableFacts[];
const isTenant = (name: string): boolean => !(name in globalTables);

beforeAll(async () => {
  database = await freshDatabase();
  owner = new pg.Client({ connectionString: database.url });
  await owner.connect();
  const all = await tablesOf(owner);
  tables = all.filter(({ isPartition }) => !isPartition);
  partitions = all.filter(({ isPartition }) => isPartition);
});

afterAll(async () => {
  await owner.end();
  await database.drop();
});

describe('every table of the migrated database', () => {
  it('is checked', () => {
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(['organizations', 'tasks', 'users', 'cell']));
  });

  it('belongs to the organizations and is isolated, or is on the list of global tables', () => {
    expect(tables.filter(({ name }) => isTenant(name)).flatMap((table) => faultsOf(table, isTenant))).toEqual([]);
  });

  it('is accessible to app_user only as a whole, because row security does not cover partitions', () => {
    expect(partitions.length).toBeGreaterThan(0);
    expect(partitions.filter(({ tenantPrivileges }) => tenantPrivileges.length > 0)).toEqual([]);
  });

  it('is inaccessible to app_user if it belongs to no organization', () => {
    const reached = tables
      .filter(({ name }) => !isTenant(name))
      .filter(({ name, tenantPrivileges }) => tenantPrivileges.join() !== (letterBoxes.includes(name) ? 'INSERT' : ''));
    expect(reached.map(({ name, tenantPrivileges }) => [name, tenantPrivileges])).toEqual([]);
  });

  it('belongs to neither of the roles of the service, which cannot bypass row security', async () => {
    expect(tables.filter((table) => table.owner.startsWith('app_')).map(({ name }) => name)).toEqual([]);
    const { rows } = await owner.query(`select rolname from pg_roles
      where rolname in ('app_user', 'app_system') and (rolsuper or rolbypassrls or rolcreaterole or rolcreatedb)`);
    expect(rows).toEqual([]);
  });

  it('is exposed by no view and no function with its owner’s rights, except those that return ids', async () => {
    const { rows } = await owner.query(`
      select c.oid::regclass::text as lends from pg_class c join pg_namespace s on s.oid = c.relnamespace
        where c.relkind in ('v', 'm') and s.nspname not in ('pg_catalog', 'information_schema')
          and not coalesce(c.reloptions, '{}') @> array['security_invoker=true']
      union all
      select p.oid::regprocedure::text from pg_proc p join pg_namespace s on s.oid = p.pronamespace
        where p.prosecdef and s.nspname not in ('pg_catalog', 'information_schema') order by 1`);
    expect(rows).toEqual(lenders);
    for (const { lends } of lenders) {
      const { rows: allowed } = await owner.query(
        `select rolname from pg_roles where rolname in ('app_user', 'app_system', 'pg_read_all_data')
            and has_function_privilege(rolname, $1, 'execute')`,
        [lends],
      );
      expect([lends, allowed]).toEqual([lends, [{ rolname: 'app_user' }]]);
    }
  });

  it('is reported if it is not isolated', async () => {
    await owner.query('begin');
    await owner.query(`create table planted (id uuid primary key, org_id uuid, task_id uuid unique);
      alter table tasks add constraint tasks_id unique (id);
      alter table planted add constraint planted_task foreign key (task_id) references tasks (id);
      grant truncate on planted to app_user`);
    const planted = (await tablesOf(owner)).find(({ name }) => name === 'planted') as TableFacts;
    await owner.query('rollback');
    expect(faultsOf(planted, isTenant)).toHaveLength(11);
  });
});

describe('app_user', () => {
  const [ours, theirs] = ['0197a000-0000-7000-8000-00000000000a', '0197a000-0000-7000-8000-00000000000b'] as const;
  let tenant: pg.Client;
  let isolated: TableFacts[];

  beforeAll(async () => {
    isolated = tables.filter(({ name }) => isTenant(name));
    // A row of each organization in every table; the other values of rows do not matter here.
    const { rows: checks } = await owner.query<{ drop: string }>(
      `select format('alter table %s drop constraint %I', conrelid::regclass, conname) as drop
         from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace`,
    );
    for (const { drop } of checks) await owner.query(drop);
    await owner.query('set session_replication_role = replica');
    for (const table of isolated) {
      for (const orgId of [ours, theirs]) await owner.query(insertOf(table, orgColumnOf(table), orgId));
    }
    tenant = new pg.Client({ connectionString: database.url });
    await tenant.connect();
    await tenant.query('set session_replication_role = replica; set role app_user');
  });

  afterAll(() => tenant.end());

  const counts = async (): Promise<Record<string, string[]>> => {
    const found: Record<string, string[]> = {};
    for (const table of isolated) {
      const { rows } = await tenant.query<{ org: string }>(`select ${orgColumnOf(table)} as org from ${table.name}`);
      found[table.name] = rows.map(({ org }) => org);
    }
    return found;
  };
  const each = <T>(value: T): Record<string, T> => Object.fromEntries(isolated.map(({ name }) => [name, value]));

  it('sees no row without an organization', async () => {
    expect(await counts()).toEqual(each([]));
    await tenant.query(`set app.org_id = ''`);
    expect(await counts()).toEqual(each([]));
  });

  it('sees only the rows of its organization', async () => {
    await tenant.query(`set app.org_id = '${ours}'`);
    expect(await counts()).toEqual(each([ours]));
  });

  it('writes no row for another organization, and moves none there', async () => {
    await tenant.query(`set app.org_id = '${ours}'`);
    const answers: Record<string, string[]> = {};
    for (const table of isolated) {
      const attempt = async (sql: string): Promise<string> =>
        await tenant.query(sql).then(
          ({ rowCount }) => `${rowCount} rows`,
          (error: unknown) => (error as pg.DatabaseError).code ?? 'unknown',
        );
      answers[table.name] = [
        await attempt(insertOf(table, orgColumnOf(table), theirs)),
        await attempt(`update ${table.name} set ${orgColumnOf(table)} = '${theirs}'`),
      ];
    }
    // insufficient_privilege: row security's own refusal.
    expect(answers).toEqual(each(['42501', '42501']));
  });

  it('deletes no row of another organization', async () => {
    await tenant.query(`set app.org_id = '${ours}'`);
    for (const table of isolated) {
      await tenant.query(`delete from ${table.name} where ${orgColumnOf(table)} = '${theirs}'`).catch(() => undefined);
      const { rows } = await owner.query(`select 1 from ${table.name} where ${orgColumnOf(table)} = $1`, [theirs]);
      expect(rows).toHaveLength(1);
    }
  });
});
