import type { Json } from '../../support/api.js';
import { doorNames } from '../../support/doors.js';
import { stayOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { drafts, type ModelServer, startModelServer } from '../../support/model-server.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { hasEnded, moved, runsOf, runWhen } from '../../support/workflows.js';

let model: ModelServer;
let tenant: Tenant;
beforeAll(async () => {
  model = await startModelServer();
  tenant = await startTenant({ MODEL_BASE_URL: model.url, MODEL_NAME: 'stub' });
});
afterAll(async () => {
  await tenant.close();
  await model.close();
});

/** What a model answers in two steps: the parts of the workflow, and then its text. */
const plan = { trigger: 'reservation.moved', does: ['createTask'] };
const written = moved({ conditions: null });

const tasksOf = async (reservationId: string): Promise<string[]> =>
  (await tenant.api.get(`/tasks?reservationId=${reservationId}`)).body.data.map(({ name }: { name: string }) => name);

describe.each(doorNames)('over %s', (door) => {
  const ask = async (operation: string, input: object = {}) => await tenant.doors[door].ask(operation, input);

  it('a generated workflow is tested on past events, activated, runs for a stay that is moved, and leaves one task', async () => {
    const stay = await stayOf(tenant.api, {
      propertyId: tenant.here,
      checkInDate: door === 'rest' ? '2030-01-01' : '2030-02-01',
      checkOutDate: door === 'rest' ? '2030-01-03' : '2030-02-03',
    });
    const move = (checkInDate: string, checkOutDate: string) =>
      tenant.api.post(`/reservations/${stay.id}/move`, { checkInDate, checkOutDate });
    const month = door === 'rest' ? '2030-01' : '2030-02';
    await move(`${month}-05`, `${month}-07`);
    model.script(drafts(plan), drafts(written));
    const asked = await ask('create_workflow', { instruction: 'Have stays prepared again when they are moved' });
    const job = await until(
      async () => (await tenant.api.get(`/model-jobs/${asked.body.data.id}`)).body.data,
      ({ finishedAt }: Json) => finishedAt !== null,
    );
    expect(job).toMatchObject({ status: 'succeeded', error: null });
    const workflowId = job.result.workflowId as string;

    await feedSettled(tenant.service);
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
