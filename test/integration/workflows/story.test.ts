import { doorNames } from '../../support/doors.js';
import { stayOf } from '../../support/factories.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { hasEnded, moved, runsOf, runWhen } from '../../support/workflows.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const tasksOf = async (reservationId: string): Promise<string[]> =>
  (await tenant.api.get(`/tasks?reservationId=${reservationId}`)).body.data.map(({ name }: { name: string }) => name);

describe.each(doorNames)('over %s', (door) => {
  const ask = async (operation: string, input: object = {}) => await tenant.doors[door].ask(operation, input);

  it('a workflow is tried on the past, activated, runs for a stay that is moved, and leaves one task', async () => {
    const stay = await stayOf(tenant.api, {
      propertyId: tenant.here,
      checkInDate: door === 'rest' ? '2030-01-01' : '2030-02-01',
      checkOutDate: door === 'rest' ? '2030-01-03' : '2030-02-03',
    });
    const move = (checkInDate: string, checkOutDate: string) =>
      tenant.api.post(`/reservations/${stay.id}/move`, { checkInDate, checkOutDate });
    const month = door === 'rest' ? '2030-01' : '2030-02';
    await move(`${month}-05`, `${month}-07`);
    const saved = await ask('saveWorkflow', moved());
    expect([saved.status, saved.body.data.status, saved.body.data.activeVersion]).toEqual([201, 'draft', null]);
    const workflowId = saved.body.data.id as string;

    const tried = await ask('testWorkflow', { workflowId });
    expect(tried.status).toBe(200);
    const [trial] = tried.body.data.trials;
    expect(trial).toMatchObject({ runs: true, reason: null });
    expect(trial.steps).toMatchObject([
      { id: 'prepare', input: { name: `Prepare for ${month}-05`, reservationId: stay.id } },
    ]);
    expect(await tasksOf(stay.id)).toEqual([]);

    expect((await ask('activateWorkflow', { workflowId })).body.data).toMatchObject({
      status: 'active',
      activeVersion: 1,
    });
    await move(`${month}-10`, `${month}-12`);
    const run = await runWhen(tenant.api, workflowId, hasEnded);
    expect(run).toMatchObject({ status: 'succeeded', reservationId: stay.id, propertyId: tenant.here });
    expect(await tasksOf(stay.id)).toEqual([`Prepare for ${month}-10`]);
    expect(await runsOf(tenant.api, workflowId)).toHaveLength(1);
    await ask('archiveWorkflow', { workflowId });
  });
});
