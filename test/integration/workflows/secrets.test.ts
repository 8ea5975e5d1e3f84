import { masked } from '#operations';
import { doorNames, doors } from '../../support/doors.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { issuePaths } from '../../support/envelope.js';
import { drafts } from '../../support/model-server.js';
import { type ModelWorld, openModelWorld } from '../../support/model-world.js';
import { hasEnded, runWhen } from '../../support/workflows.js';

const password = 'Sup3r-secret-words';
const wifi = { networkName: 'Lake', password };
const hidden = { networkName: 'Lake', password: masked };
const rules = { rules: [{ field: 'run.id', operator: 'exists', value: true }], match: 'all' };

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());

const api = () => world.service.api.as(world.key);
const setting = (propertyId: string, network: object, id?: string): object => ({
  ...(id && { id }),
  kind: 'operation',
  operation: 'updateProperty',
  input: { propertyId, wifi: network },
});
const stepsWith = (propertyId: string, network: object): object[] => [
  setting(propertyId, network, 'set'),
  { id: 'or', kind: 'branch', conditions: rules, steps: [setting(propertyId, network, 'again')] },
];
const wifiOf = async (propertyId: string): Promise<object> =>
  (await api().post(`/properties/${propertyId}/wifi/reveal`)).body.data;

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object = {}, key = world.key) =>
    doors(world.service)[door].as(key).ask(operation, input);

  it('a secret in the input of a step is masked, and the step uses it', async () => {
    const propertyId = await propertyOf(api());
    const { key } = await keyWith(world.service.api, { scopes: ['workflows:read', 'events:read', 'audit:read'] });
    const steps = stepsWith(propertyId, wifi);
    const saved = await ask('saveWorkflow', { name: 'New network', trigger: { kind: 'manual' }, steps });
    const workflowId = saved.body.data.id as string;
    const told = [
      saved,
      await ask('activateWorkflow', { workflowId }),
      await ask('getWorkflow', { workflowId }, key),
      await ask('runWorkflow', { workflowId }),
    ];
    expect(told[2]!.body.data.steps).toEqual(stepsWith(propertyId, hidden));
    const { id: runId } = await runWhen(api(), workflowId, hasEnded);
    expect(await wifiOf(propertyId)).toEqual(wifi);
    const run = await ask('getWorkflowRun', { runId }, key);
    const shown = { propertyId, wifi: hidden };
    expect(run.body.data.steps).toMatchObject([{ input: shown }, { stepId: 'or' }, { input: shown }]);
    told.push(run);
    told.push(await ask('listWorkflowRuns', { workflowId }, key));
    told.push(await ask('listWorkflows', {}, key));
    told.push(await ask('listEvents', {}, key));
    told.push(await ask('listAuditEntries', {}, key));
    told.push(await ask('pauseWorkflow', { workflowId }), await ask('archiveWorkflow', { workflowId }));
    expect(told.map(({ status }) => status)).toEqual([201, ...told.slice(1).map(() => 200)]);
    expect(told.filter(({ body }) => JSON.stringify(body).includes(password))).toEqual([]);
  });

  it('a test of a workflow masks the secrets of its steps', async () => {
    const propertyId = await propertyOf(api());
    const trigger = { kind: 'event', eventType: 'property.updated' };
    const steps = stepsWith(propertyId, wifi);
    const { id: workflowId } = (await ask('saveWorkflow', { name: 'Tested', trigger, steps })).body.data;
    await ask('updateProperty', { propertyId, name: 'Other' });
    await feedSettled(world.service);
    const { body } = await ask('testWorkflow', { workflowId });
    const [trial] = body.data.trials;
    expect(trial.steps[0].input).toEqual({ propertyId, wifi: hidden });
    expect([trial.steps[0].says.includes(masked), JSON.stringify(body).includes(password)]).toEqual([true, false]);
  });

  it('a mask that is sent back keeps the secret, and stands for nothing else', async () => {
    const propertyId = await propertyOf(api());
    const steps = stepsWith(propertyId, wifi);
    const { id: workflowId } = (await ask('saveWorkflow', { name: 'Kept', trigger: { kind: 'manual' }, steps })).body
      .data;
    const same = await ask('updateWorkflow', { workflowId, steps: stepsWith(propertyId, hidden) });
    expect(same.body.data).toMatchObject({ latestVersion: 1, steps: stepsWith(propertyId, hidden) });
    const renamed = stepsWith(propertyId, { ...hidden, networkName: 'Sea' });
    expect((await ask('updateWorkflow', { workflowId, steps: renamed })).body.data.latestVersion).toBe(2);
    await ask('activateWorkflow', { workflowId });
    await ask('runWorkflow', { workflowId });
    await runWhen(api(), workflowId, hasEnded);
    expect(await wifiOf(propertyId)).toEqual({ networkName: 'Sea', password });
    const path = 'input.wifi.password';
    const elsewhere = [setting(propertyId, hidden, 'other'), ...stepsWith(propertyId, hidden)];
    const moved = await ask('updateWorkflow', { workflowId, steps: elsewhere });
    expect([moved.status, issuePaths(moved)]).toEqual([400, [`steps.0.${path}`]]);
    const { timezone } = (await api().get(`/properties/${propertyId}`)).body.data;
    const created = { ...setting(propertyId, hidden, 'set'), operation: 'createProperty' };
    const other = { ...created, input: { name: 'Other', timezone, wifi: hidden } };
    expect(issuePaths(await ask('updateWorkflow', { workflowId, steps: [other] }))).toEqual([`steps.0.${path}`]);
    const copied = { name: 'Copied', trigger: { kind: 'manual' }, steps: stepsWith(propertyId, hidden) };
    expect(issuePaths(await ask('saveWorkflow', copied))).toEqual([`steps.0.${path}`, `steps.1.steps.0.${path}`]);
  });

  it('a model that changes a workflow sees no secret, and keeps it', async () => {
    const propertyId = await propertyOf(api());
    const steps = stepsWith(propertyId, wifi);
    const saved = await ask('saveWorkflow', { name: 'Network', trigger: { kind: 'manual' }, steps });
    const workflowId = saved.body.data.id as string;
    const renamed = stepsWith(propertyId, { ...hidden, networkName: 'Sea' });
    const written = { name: 'Network', trigger: { kind: 'manual' }, conditions: null, steps: renamed };
    world.model.asked.splice(0);
    world.model.script(drafts({ trigger: 'manual', does: ['updateProperty'] }), drafts(written));
    const { body } = await ask('modify_workflow', { workflowId, instruction: 'Call the network Sea' });
    const { status, result } = await world.ended(body.data.id);
    expect([status, result.warnings, result.draft.steps]).toEqual(['succeeded', [], renamed]);
    expect(JSON.stringify([result, world.model.asked]).includes(password)).toBe(false);
    await ask('activateWorkflow', { workflowId });
    await ask('runWorkflow', { workflowId });
    await runWhen(api(), workflowId, hasEnded);
    expect(await wifiOf(propertyId)).toEqual({ networkName: 'Sea', password });
  });
});
