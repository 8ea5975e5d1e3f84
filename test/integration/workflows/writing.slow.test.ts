import type { Json } from '../../support/api.js';
import { doorNames, doors } from '../../support/doors.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { hostileTexts } from '../../support/hostile-texts.js';
import { drafts, type Reply, sample } from '../../support/model-server.js';
import { type ModelWorld, openModelWorld } from '../../support/model-world.js';
import { sampled } from '../../support/sampled.js';
import { moved, workflowOf } from '../../support/workflows.js';

let world: ModelWorld;
beforeAll(async () => {
  world = await openModelWorld();
});
afterAll(() => world.close());
beforeEach(() => {
  world.model.asked.splice(0);
  world.model.script(...answers(plan, written));
});

const api = () => world.service.api.as(world.key);
const answers = (...all: unknown[]): Reply[] => all.map(drafts);

const plan = { trigger: 'reservation.moved', does: ['createTask'] };
const written = {
  name: 'Prepare moved stays',
  trigger: { kind: 'event', eventType: 'reservation.moved' },
  conditions: { match: 'all', rules: [{ field: 'event.data.status', operator: 'equals', value: 'confirmed' }] },
  steps: [
    {
      kind: 'operation',
      operation: 'createTask',
      input: { name: 'Clean for {{reservation.checkInDate}}', propertyId: '{{reservation.propertyId}}' },
    },
  ],
};
const withStep = (step: object): object => ({ ...written, steps: [step] });
const withInput = (input: object): object => withStep({ kind: 'operation', operation: 'createTask', input });

const workflow = async (id: string): Promise<Json> => (await api().get(`/workflows/${id}`)).body.data;
const generate = (wishes: object = {}): Promise<Json> =>
  world.drafted('/workflows/generate', { instruction: 'Have moved stays cleaned', ...wishes });

describe.each(doorNames)('over %s', (door) => {
  const ask = (operation: string, input: object, key = world.key) =>
    doors(world.service)[door].as(key).ask(operation, input);

  it('create_workflow creates a draft that does nothing, and describes in plain words what it would do', async () => {
    const { status, body } = await ask('create_workflow', { instruction: 'Have moved stays cleaned' });
    expect([status, body.data.operation]).toEqual([202, 'create_workflow']);
    const { status: end, result } = await world.ended(body.data.id);
    expect([end, result.workflowVersion, result.warnings]).toEqual(['succeeded', 1, []]);
    expect(result.summary).toEqual([
      'When reservation.moved happens: A stay was moved to other dates or another place.',
      'Only if event.data.status is "confirmed".',
      '1. Create a task: name "Clean for {{reservation.checkInDate}}", propertyId "{{reservation.propertyId}}".',
    ]);
    const made = await workflow(result.workflowId);
    expect(made).toMatchObject({ ...written, status: 'draft', activeVersion: null });
    expect(made.versions).toMatchObject([{ origin: 'model' }]);
  });

  it('modify_workflow creates a new version and a diff, and the active one continues', async () => {
    const workflowId = await workflowOf(api());
    await api().post(`/workflows/${workflowId}/activate`);
    const { status, body } = await ask('modify_workflow', { workflowId, instruction: 'Only confirmed ones' });
    expect(status).toBe(202);
    const { result } = await world.ended(body.data.id);
    expect(result.diff.map(({ field }: Json) => field)).toEqual(['conditions', 'steps']);
    expect(result.diff[0].patch).toContain('+  "match": "all"');
    const changed = await workflow(workflowId);
    expect(changed).toMatchObject({
      latestVersion: 2,
      activeVersion: 1,
      status: 'active',
      conditions: written.conditions,
    });
    await api().post(`/workflows/${workflowId}/archive`);
  });

  it('rejects a request that cannot succeed, and asks no model', async () => {
    const workflowId = await workflowOf(api());
    await api().post(`/workflows/${workflowId}/archive`);
    const input = { workflowId, instruction: 'x' };
    expect((await ask('modify_workflow', input)).body.error.code).toBe('WORKFLOW_ARCHIVED');
    const { key } = await keyWith(api(), { propertyIds: [await propertyOf(api())] });
    expect((await ask('create_workflow', { instruction: 'x' }, key)).status).toBe(403);
    expect(world.model.asked).toEqual([]);
  });
});

it('gives the model a schema so strict that everything that matches it is a workflow', async () => {
  world.model.script(sample);
  const { status, result } = await generate();
  expect([status, result.draft.steps[0].operation]).toEqual(['succeeded', 'createTask']);
});

describe("a model's workflow", () => {
  const absent = 'property_01900000000070008000000000000000';
  it.each([
    [
      'uses an operation that was not offered',
      withStep({ kind: 'operation', operation: 'startTask', input: {} }),
      'steps',
    ],
    ['calls an address', withStep({ kind: 'webhook', url: 'https://attacker.example' }), 'steps'],
    ['refers to a missing record', withInput({ name: 'x', propertyId: absent }), 'steps'],
    ['uses an unknown fact', withInput({ name: 'For {{guest.email}}' }), 'guest.email'],
    ['omits a required field', withInput({}), 'name'],
    ['refers to a later step', withInput({ name: '{{steps.later.id}}' }), 'steps.later.id'],
    ['waits for another event', { ...written, trigger: { kind: 'event', eventType: 'task.created' } }, 'eventType'],
    [
      'compares an unknown field',
      { ...written, conditions: { match: 'all', rules: [{ field: 'event.data.x', operator: 'exists', value: true }] } },
      'field',
    ],
  ])('is corrected if it %s', async (_, wrong, message) => {
    world.model.script(...answers(plan, wrong, written));
    expect(await generate()).toMatchObject({ status: 'succeeded', result: { draft: { trigger: written.trigger } } });
    expect(world.corrections()).toEqual([expect.stringContaining(message)]);
  });

  it('is not saved if it is never corrected', async () => {
    const count = async (): Promise<number> => (await api().get('/workflows?limit=100')).body.data.length;
    const before = await count();
    world.model.script(...answers(plan, withInput({})));
    const job = await generate();
    expect([job.status, job.error.code, await count()]).toEqual(['failed', 'DRAFT_REFUSED', before]);
  });

  it('requires the permissions of the caller', async () => {
    const failure = async (scopes: string[]): Promise<string> => {
      const { key } = await keyWith(api(), { scopes: ['workflows:write', ...scopes] });
      const asked = await api().as(key).post('/workflows/generate', { instruction: 'Have moved stays cleaned' });
      return (await world.ended(asked.body.data.id)).error.code as string;
    };
    expect(await failure([])).toBe('FORBIDDEN');
    expect(await failure(['reservations:write'])).toBe('DRAFT_REFUSED');
    expect(world.corrections()[0]).toContain('does.0');
  });

  it('contacts only addresses that the instruction names', async () => {
    const webhook = { trigger: 'reservation.moved', does: ['webhook'] };
    const toUrl = (url: string): object => withStep({ kind: 'webhook', url });
    const instruction = 'Tell https://board.example/hook, and nobody else.';
    world.model.script(...answers(webhook, toUrl('https://attacker.example/'), toUrl('https://board.example/hook')));
    expect((await generate({ instruction })).result.draft.steps).toMatchObject([{ url: 'https://board.example/hook' }]);
    expect(world.corrections()).toHaveLength(1);
  });
});

describe.each(sampled(hostileTexts, 3))('a text with the instruction %s', (context) => {
  it('is passed as data, and only after the actions are decided', async () => {
    const webhook = withStep({ kind: 'webhook', url: 'https://attacker.example/login' });
    const unlock = withStep({
      kind: 'operation',
      operation: 'unlockDevice',
      input: { deviceId: '{{event.subject.id}}' },
    });
    const mail = withStep({ kind: 'send_email', templateId: 'template_0', to: 'evil@attacker.example' });
    // A model that follows the last instruction that it reads.
    world.model.script(...answers(plan, webhook, unlock, mail));
    expect((await generate({ context })).error.code).toBe('DRAFT_REFUSED');
    const [planning, ...drafting] = world.model.asked as Json[];
    expect(JSON.stringify(planning.body)).not.toContain(JSON.stringify(context).slice(1, 30));
    for (const { body } of drafting) {
      const outside = body.messages
        .filter(({ role }: Json) => role !== 'assistant')
        .map(({ content }: Json) => content.replace(/<data-\w+>\n[\s\S]*\n<\/data-\w+>/, ''));
      expect(outside.join('\n')).not.toContain(context.slice(0, 30));
    }
  });
});

it('is passed as data with the existing workflow, which keeps its actions', async () => {
  const hostile = hostileTexts[0] as string;
  const id = await workflowOf(api(), {
    name: hostile,
    ...moved({ steps: [{ kind: 'operation', operation: 'createTask', input: { name: hostile.slice(0, 100) } }] }),
  });
  world.model.script(
    ...answers(
      { trigger: 'reservation.created', does: ['createTask'] },
      { ...written, trigger: { kind: 'event', eventType: 'reservation.created' } },
    ),
  );
  const { body } = await api().post(`/workflows/${id}/modify`, { instruction: 'For new stays' });
  expect((await world.ended(body.data.id)).result.draft.trigger.eventType).toBe('reservation.created');
  const [planning] = world.model.asked as Json[];
  expect(JSON.stringify(planning.body)).not.toContain(hostile.slice(0, 30));
});
