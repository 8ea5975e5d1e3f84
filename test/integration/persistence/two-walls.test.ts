import type { Caller } from '#access';
import { connect, Cursors, TenantDatabase, uuidIn } from '#persistence';
import { appRoles, dataSourceOptions } from '../../../src/processes/data-source.js';
import { ApiKeysRepository } from '../../../src/auth/api-keys/api-keys.repository.js';
import { MembersRepository } from '../../../src/tenancy/members/members.repository.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import { PropertiesRepository } from '../../../src/tenancy/properties/properties.repository.js';
import { TasksRepository } from '../../../src/features/tasks/tasks.repository.js';
import { propertyOf, taskOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

/**
 * Organizations are separated twice: by a condition in every statement, and by row security. Each is tested without the
 * other.
 */
let tenant: Tenant;
let mine: Caller;
let theirs: Caller;
let foreignTask: string;
let foreignProperty: string;
beforeAll(async () => {
  tenant = await startTenant();
  await taskOf(tenant.api, { name: 'Mine' });
  foreignTask = await taskOf(tenant.stranger, { name: 'Theirs' });
  foreignProperty = await propertyOf(tenant.stranger, 'Theirs');
  [mine, theirs] = await Promise.all(
    [tenant.api, tenant.stranger].map(async (api) => {
      const { organization, member } = (await api.get('/me')).body.data;
      return operatorFor(organization.id, member.id);
    }) as [Promise<Caller>, Promise<Caller>],
  );
});
afterAll(() => tenant.close());

describe('the condition, without row security', () => {
  /** As the role that sees all organizations. */
  let database: TenantDatabase;
  beforeAll(async () => {
    const { url } = tenant.service.database;
    database = new TenantDatabase(await connect(dataSourceOptions({ url, role: appRoles.system, max: 2 })));
  });
  afterAll(() => database.close());

  const repositories = () => {
    const cursors = tenant.service.app.get(Cursors);
    return {
      tasks: new TasksRepository(database, cursors),
      properties: new PropertiesRepository(database, cursors),
      keys: new ApiKeysRepository(database, cursors),
      members: new MembersRepository(database, cursors),
    };
  };

  it('is the only separation here: the role sees both', async () => {
    const rows = await database.rows(mine.orgId, 'select name from tasks', []);
    expect(rows.map(({ name }) => name).sort()).toEqual(['Mine', 'Theirs']);
  });

  it('keeps lists to the organization', async () => {
    const { tasks, properties, keys } = repositories();
    const pages = [await tasks.list(mine, {}), await properties.list(mine, {}), await keys.list(mine.orgId, {})];
    for (const { items } of pages) {
      expect(items.length).toBeGreaterThan(0);
      expect(items.every(({ orgId }) => orgId === mine.orgId)).toBe(true);
    }
  });

  it('keeps single records to the organization', async () => {
    const { tasks, properties, keys, members } = repositories();
    const [key] = (await keys.list(theirs.orgId, {})).items;
    expect(await tasks.find(theirs, foreignTask)).toBeDefined();
    expect(await tasks.find(mine, foreignTask)).toBeUndefined();
    expect(await tasks.findForChange(mine, [foreignTask])).toEqual([]);
    expect(await properties.find(mine, foreignProperty)).toBeUndefined();
    expect(await keys.find(mine.orgId, key?.id as string)).toBeUndefined();
    expect(await keys.findForChange(mine.orgId, key?.id as string)).toBeUndefined();
    expect(await members.find(mine.orgId, theirs.memberId)).toBeUndefined();
  });
});

describe('row security, without a condition in any statement', () => {
  const tables = ['organizations', 'roles', 'members', 'properties', 'tasks', 'api_keys', 'idempotency_records'];
  const database = () => tenant.service.app.get(TenantDatabase);
  const orgColumn = (table: string): string => (table === 'organizations' ? 'id' : 'org_id');
  const orgsIn = async (orgId: string, table: string): Promise<unknown[]> =>
    (await database().rows(orgId, `select distinct ${orgColumn(table)} as org from ${table}`, [])).map(({ org }) =>
      String(org).replaceAll('-', ''),
    );

  beforeAll(async () => {
    const headers = { 'idempotency-key': 'two walls' };
    for (const api of [tenant.api, tenant.stranger]) await api.post('/tasks', { name: 'Keyed' }, headers);
  });

  it.each(tables)('shows only the organization’s rows of %s', async (table) => {
    expect(await orgsIn(mine.orgId, table)).toEqual([uuidIn(mine.orgId)]);
    expect(await orgsIn(theirs.orgId, table)).toEqual([uuidIn(theirs.orgId)]);
  });

  it('changes nothing of another organization', async () => {
    const changed = await database().transaction(mine.orgId, () =>
      database().rows(mine.orgId, `update tasks set name = 'Changed' where id = $1 returning id`, [
        uuidIn(foreignTask),
      ]),
    );
    expect(changed).toEqual([]);
  });

  it('accepts no row for another organization', async () => {
    const moved = database().transaction(mine.orgId, () =>
      database().rows(mine.orgId, 'update tasks set org_id = $1', [uuidIn(theirs.orgId)]),
    );
    await expect(moved).rejects.toThrow(/row-level security/);
  });

  it('allows no reference to another organization’s record', async () => {
    const pointed = database().transaction(mine.orgId, () =>
      database().rows(mine.orgId, 'update tasks set property_id = $1', [uuidIn(foreignProperty)]),
    );
    await expect(pointed).rejects.toThrow(/foreign key/);
  });

  it('applies to the search that runs as the owner', async () => {
    await Promise.all([tenant.api, tenant.stranger].map((api) => api.post('/guests', { name: 'Walled Guest' })));
    const called = async (orgId: string): Promise<unknown[]> =>
      (await database().rows(orgId, `select guests_called('%walled%') as id`, [])).map(({ id }) => id);
    const seen = async (orgId: string): Promise<unknown[]> =>
      (await database().rows(orgId, 'select id from guests', [])).map(({ id }) => id);
    const [ours, others] = [await called(mine.orgId), await called(theirs.orgId)];
    expect([ours, others]).toEqual([await seen(mine.orgId), await seen(theirs.orgId)]);
    expect([ours.length, others.length]).toEqual([1, 1]);
    expect(ours).not.toEqual(others);
    const nowhere = await database().dataSource.query(`select guests_called('%walled%')`);
    expect(nowhere).toEqual([]);
  });

  it('keeps tables without an organization inaccessible', async () => {
    for (const table of ['users', 'cell']) {
      await expect(database().rows(mine.orgId, `select 1 from ${table}`, [])).rejects.toThrow(/permission denied/);
    }
  });
});
