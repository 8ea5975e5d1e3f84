import { doorNames } from '../../support/doors.js';
import { absentId, taskOf } from '../../support/factories.js';
import { butForRequestId, startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

describe.each(doorNames)('getTask over %s', (door) => {
  const get = (taskId: string, key = tenant.key) => tenant.doors[door].as(key).ask('getTask', { taskId });

  it('returns the task', async () => {
    const id = await taskOf(tenant.api, { name: 'This one', checklist: [{ title: 'Beds' }] });
    const { status, body } = await get(id);
    expect([status, body.data.id, body.data.name]).toEqual([200, id, 'This one']);
    expect(body.data.checklist).toHaveLength(1);
  });

  it('shows a limited key the tasks at its property, and no others', async () => {
    const [here, elsewhere, nowhere] = [
      await taskOf(tenant.api, { propertyId: tenant.here }),
      await taskOf(tenant.api, { propertyId: tenant.elsewhere }),
      await taskOf(tenant.api),
    ];
    const statuses = await Promise.all([here, elsewhere, nowhere].map((id) => get(id, tenant.limited.key)));
    expect(statuses.map(({ status }) => status)).toEqual([200, 404, 404]);
  });

  it('requires the scope', async () => {
    const id = await taskOf(tenant.api);
    expect((await get(id, tenant.reader.key)).status).toBe(200);
    const { status, body } = await tenant.doors[door].as(tenant.stranger.key).ask('getTask', { taskId: id });
    expect([status, body.error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

describe('a task that is absent', () => {
  it('has the same error as one of another organization, one elsewhere and a malformed id', async () => {
    const foreign = await taskOf(tenant.stranger);
    const elsewhere = await taskOf(tenant.api, { propertyId: tenant.elsewhere });
    const absent = butForRequestId(await tenant.limited.get(`/tasks/${absentId('task')}`));
    expect(absent[0]).toBe(404);
    for (const id of [foreign, elsewhere, 'none', absentId('property'), `${absentId('task')}0`]) {
      expect(butForRequestId(await tenant.limited.get(`/tasks/${id}`))).toEqual(absent);
    }
  });
});
