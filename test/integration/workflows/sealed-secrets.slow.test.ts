import pg from 'pg';
import { Jobs } from '#jobs';
import { masked } from '#operations';
import { uuidIn } from '#persistence';
import { RequestLog } from '../../../src/platform/requests/request-log.service.js';
import type { Json } from '../../support/api.js';
import { doorNames, doors } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { propertyOf } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { drafts } from '../../support/model-server.js';
import { type ModelWorld, openModelWorld } from '../../support/model-world.js';
import { tablesWith } from '../../support/plain-text.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';
import { hasEnded, runWhen } from '../../support/workflows.js';

const rules = { rules: [{ field: 'run.id', operator: 'exists', value: true }], match: 'all' };

let world: ModelWorld;
let receiver: Receiver;
let database: pg.Client;
beforeAll(async () => {
  world = await openModelWorld({ OUTBOUND_ALLOW: '127.0.0.1' });
  receiver = await startReceiver();
  database = new pg.Client({ connectionString: world.service.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await receiver.close();
  await world.close();
});

const api = () => world.service.api.as(world.key);
const setting = (propertyId: string, wifi: object, id = 'set') => ({
  id,
  kind: 'operation',
  operation: 'updateProperty',
  input: { propertyId, wifi },
});
const wifiOf = async (propertyId: string): Promise<object> =>
  (await api().post(`/properties/${propertyId}/wifi/reveal`)).body.data;
const inVersions = async (workflowId: string): Promise<Json[]> =>
  (
    await database.query('select steps from workflow_versions where workflow_id = $1 order by number', [
      uuidIn(workflowId),
    ])
  ).rows.map(({ steps }) => steps as Json);
const stepsOfRun = async (runId: string): Promise<Json> =>
  (await database.query('select steps from workflow_runs where id = $1', [uuidIn(runId)])).rows[0].steps;

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object = {}) => doors(world.service)[door].as(world.key).ask(operation, input);
  const saved = async (steps: object[]): Promise<string> =>
    (await ask('saveWorkflow', { name: 'Sets', trigger: { kind: 'manual' }, steps })).body.data.id as string;
  const ran = async (workflowId: string): Promise<Json> => {
    await ask('activateWorkflow', { workflowId });
    await ask('runWorkflow', { workflowId });
    return await runWhen(api(), workflowId, hasEnded);
  };

  it('secrets of steps are in no table in plain text, and runs use them', async () => {
    const password = `Sup3r-secret-${door}`;
    const other = `Sup3r-secret-other-${door}`;
    const propertyId = await propertyOf(api());
    const wifi = { networkName: 'Lake', password };
    const { timezone } = (await api().get(`/properties/${propertyId}`)).body.data;
    const creating = (network: object) => ({
      id: 'or',
      kind: 'branch',
      conditions: rules,
      steps: [
        {
          id: 'make',
          kind: 'operation',
          operation: 'createProperty',
          input: { name: 'Other', timezone, wifi: network },
        },
      ],
    });
    const workflowId = await saved([setting(propertyId, wifi), creating({ ...wifi, password: other })]);
    const run = await ran(workflowId);
    expect([run.status, await wifiOf(propertyId)]).toEqual(['succeeded', wifi]);
    expect(await wifiOf(run.steps.at(-1).result.id)).toEqual({ ...wifi, password: other });
    const hidden = { networkName: 'Sea', password: masked };
    const steps = [setting(propertyId, hidden), creating(hidden)];
    expect((await ask('updateWorkflow', { workflowId, steps })).body.data.latestVersion).toBe(2);
    const draft = { name: 'Sets', trigger: { kind: 'manual' }, conditions: null, steps: [setting(propertyId, hidden)] };
    world.model.script(drafts({ trigger: 'manual', does: ['updateProperty'] }), drafts(draft));
    const job = await ask('modify_workflow', { workflowId, instruction: 'Leave the other property alone' });
    expect(await world.ended(job.body.data.id)).toMatchObject({ status: 'succeeded', result: { warnings: [] } });
    expect((await ask('testWorkflow', { workflowId })).status).toBe(200);
    await feedSettled(world.service);
    await world.service.app.get(RequestLog).write();
    expect(await tablesWith(world.service.database.url, 'networkName')).toContain('workflow_versions');
    for (const secret of [password, other])
      expect([secret, await tablesWith(world.service.database.url, secret)]).toEqual([secret, []]);
  });

  it('an attempt after the first one uses the input that was noted, sealed or of an earlier release', async () => {
    const propertyId = await propertyOf(api());
    const wifi = { networkName: 'Lake', password: 'Sup3r-secret-again' };
    const workflowId = await saved([setting(propertyId, wifi)]);
    const { id: runId } = await ran(workflowId);
    const [noted] = (await stepsOfRun(runId)) as [Json];
    const begun = {
      stepId: 'set',
      kind: 'operation',
      status: 'running',
      attempts: 1,
      round: 0,
      startedAt: noted.startedAt,
    };
    for (const input of [noted.input, { propertyId, wifi }]) {
      // The same key has the operation's own answer repeated, only if the input is the same.
      await database.query(
        `update workflow_runs set status = 'queued', steps = $2, finished_at = null, due_at = now() - interval '1 second'
          where id = $1`,
        [uuidIn(runId), JSON.stringify([{ ...begun, input }])],
      );
      world.service.app.get(Jobs).look();
      const run = await runWhen(api(), workflowId, hasEnded);
      const hidden = { propertyId, wifi: { ...wifi, password: masked } };
      expect(run).toMatchObject({ status: 'succeeded', steps: [{ attempts: 2, input: hidden }] });
    }
  });

  it('a version of an earlier release, with secrets in plain text, is shown, runs, and is sealed when it changes', async () => {
    const propertyId = await propertyOf(api());
    const wifi = { networkName: 'Lake', password: `Sup3r-secret-early-${door}` };
    const workflowId = await saved([setting(propertyId, wifi)]);
    await database.query('update workflow_versions set steps = $2 where workflow_id = $1', [
      uuidIn(workflowId),
      JSON.stringify([setting(propertyId, wifi)]),
    ]);
    const hidden = { ...wifi, password: masked };
    const shown = (await ask('getWorkflow', { workflowId })).body.data;
    expect(shown.steps).toEqual([setting(propertyId, hidden)]);
    const { id: runId } = await ran(workflowId);
    expect(await wifiOf(propertyId)).toMatchObject(wifi);
    expect(JSON.stringify(await stepsOfRun(runId))).not.toContain(wifi.password);
    const same = await ask('updateWorkflow', { workflowId, steps: [setting(propertyId, hidden)] });
    expect(same.body.data.latestVersion).toBe(1);
    const steps = [setting(propertyId, { ...hidden, networkName: 'Sea' })];
    expect((await ask('updateWorkflow', { workflowId, steps })).body.data.latestVersion).toBe(2);
    const [, newer] = await inVersions(workflowId);
    expect(JSON.stringify(newer)).not.toContain(wifi.password);
    await ran(workflowId);
    expect(await wifiOf(propertyId)).toMatchObject({ ...wifi, networkName: 'Sea' });
  });

  it('what looks like a sealed secret is never opened for a client', async () => {
    const propertyId = await propertyOf(api());
    const wifi = { networkName: 'Lake', password: 'Sup3r-secret-copied' };
    const workflowId = await saved([setting(propertyId, wifi)]);
    const [[stored]] = (await inVersions(workflowId)) as [[Json]];
    const copied = stored.input.wifi.password as object;
    expect(copied).toEqual({ sealed: expect.any(String) });
    const inSecret = [setting(propertyId, { ...wifi, password: copied })];
    expect(issuePaths(await ask('updateWorkflow', { workflowId, steps: inSecret }))).toEqual([
      'steps.0.input.wifi.password',
    ]);
    const text = JSON.stringify(copied);
    const call = { id: 'tell', kind: 'webhook', url: receiver.url, payload: { copied, broken: { sealed: 'x' } } };
    const steps = [setting(propertyId, { ...wifi, password: text }), call];
    const updated = await ask('updateWorkflow', { workflowId, steps });
    expect(updated.body.data.steps[1]).toEqual(call);
    expect(await ran(workflowId)).toMatchObject({
      status: 'succeeded',
      steps: [{}, { input: { payload: call.payload } }],
    });
    expect(await wifiOf(propertyId)).toMatchObject({ ...wifi, password: text });
    expect(receiver.received.at(-1)?.body.data.payload).toEqual(call.payload);
  });

  it('a sealed secret opens only in its own workflow', async () => {
    const propertyId = await propertyOf(api());
    const wifi = { networkName: 'Lake', password: 'Sup3r-secret-moved' };
    const [from, to] = [await saved([setting(propertyId, wifi)]), await saved([setting(propertyId, wifi)])];
    await database.query(
      `update workflow_versions set steps = (select steps from workflow_versions where workflow_id = $1)
        where workflow_id = $2`,
      [uuidIn(from), uuidIn(to)],
    );
    expect((await ask('getWorkflow', { workflowId: to })).status).toBe(500);
    expect((await ask('getWorkflow', { workflowId: from })).status).toBe(200);
  });
});
