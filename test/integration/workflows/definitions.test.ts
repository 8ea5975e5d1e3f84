import { Threads } from '#threads';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { absentId, keyWith } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { addPerson } from '../../support/people.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { activeWorkflowOf, moved, workflowOf } from '../../support/workflows.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

const step = (input: object, operation = 'createTask'): object => ({ kind: 'operation', operation, input });
const rule = (field: string, operator = 'equals', value: unknown = 'x') => ({
  match: 'all',
  rules: [{ field, operator, value }],
});
const wait = { kind: 'wait', minutes: 5 };
const schedule = { kind: 'schedule', recurrence: 'FREQ=DAILY', timeOfDay: '09:00', timezone: 'Europe/Lisbon' };
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
/** Branches in branches, the innermost with a wait. */
const nested = (depth: number): object =>
  depth === 0 ? wait : { kind: 'branch', conditions: rule('event.id'), steps: [nested(depth - 1)] };

const faults: [string, object, string[]][] = [
  [
    'an event that there is not',
    { trigger: { kind: 'event', eventType: 'reservation.vanished' } },
    ['trigger.eventType'],
  ],
  [
    'an event of workflows themselves',
    { trigger: { kind: 'event', eventType: 'workflow_run.failed' } },
    ['trigger.eventType'],
  ],
  [
    'a trigger without what its kind needs',
    { trigger: { kind: 'schedule', timeOfDay: '09:00' } },
    ['trigger.recurrence', 'trigger.timezone'],
  ],
  ['a trigger with what is another kind’s', { trigger: { kind: 'manual', moment: 'arrival' } }, ['trigger.moment']],
  [
    'a schedule that never comes',
    {
      trigger: { kind: 'schedule', recurrence: 'FREQ=HOURLY', timeOfDay: '09:00', timezone: 'Europe/Lisbon' },
      steps: [wait],
    },
    ['trigger.recurrence'],
  ],
  [
    'a schedule that begins when nobody reckons any more',
    {
      trigger: {
        kind: 'schedule',
        recurrence: 'FREQ=DAILY',
        timeOfDay: '23:30',
        timezone: 'America/Los_Angeles',
        startsOn: '9999-12-31',
      },
      steps: [wait],
    },
    ['trigger.startsOn'],
  ],
  [
    'a schedule that began centuries ago',
    { trigger: { ...schedule, startsOn: '1601-01-01' }, steps: [wait] },
    ['trigger.startsOn'],
  ],
  [
    'a schedule that began more than a year ago',
    { trigger: { ...schedule, startsOn: daysAgo(368) }, steps: [wait] },
    ['trigger.startsOn'],
  ],
  ['an operation that there is not', { steps: [step({}, 'sweepTask')] }, ['steps.0.operation']],
  ['an operation that makes keys', { steps: [step({}, 'createApiKey')] }, ['steps.0.operation']],
  ['an operation that shows a secret', { steps: [step({}, 'revealWifi')] }, ['steps.0.operation']],
  ['an operation that asks a model', { steps: [step({}, 'create_workflow')] }, ['steps.0.operation']],
  ['an operation that undoes', { steps: [step({}, 'cancelReservation')] }, ['steps.0.operation']],
  [
    'input that the operation does not take',
    { steps: [step({ name: '', colour: 'red' })] },
    ['steps.0.input.colour', 'steps.0.input.name'],
  ],
  [
    'the faults of one step with those of the next',
    { steps: [step({ name: '' }), { kind: 'webhook', url: 'https://127.0.0.1/' }] },
    ['steps.0.input.name', 'steps.1.url'],
  ],
  [
    'a fact where another kind of value belongs',
    { steps: [step({ name: 'x', durationMinutes: '{{event.subject.id}}' })] },
    ['steps.0.input.durationMinutes'],
  ],
  ['a fact that is not known', { steps: [step({ name: 'For {{event.data.guestName}}' })] }, ['steps.0.input.name']],
  ['a fact that is no text among words', { steps: [step({ name: 'x {{event.data}}' })] }, ['steps.0.input.name']],
  [
    'what is no name of a fact',
    { steps: [step({ name: '{{constructor.constructor("x")()}}' })] },
    ['steps.0.input.name'],
  ],
  [
    'what a later step makes',
    { steps: [step({ name: '{{steps.later.id}}' }), { ...step({ name: 'x' }), id: 'later' }] },
    ['steps.0.input.name'],
  ],
  [
    'a record that is not there',
    { steps: [step({ name: 'x', propertyId: absentId('property') })] },
    ['steps.0.input.propertyId'],
  ],
  ['a condition on what is not known', { conditions: rule('event.data.colour') }, ['conditions.rules.0.field']],
  ['a list that is no list', { conditions: rule('event.data.status', 'in') }, ['conditions.rules.0.value']],
  ['a wait for nothing', { steps: [{ kind: 'wait' }] }, ['steps.0']],
  [
    'a wait for a stay that is not known',
    { trigger: { kind: 'manual' }, steps: [{ kind: 'wait', until: 'arrival' }] },
    ['steps.0.until'],
  ],
  [
    'a message to a guest who is not known',
    { trigger: { kind: 'manual' }, steps: [{ kind: 'send_email', templateId: absentId('template'), to: 'guest' }] },
    ['steps.0.to', 'steps.0.templateId'],
  ],
  [
    'a message to no member',
    { steps: [{ kind: 'send_email', templateId: absentId('template'), to: 'member' }] },
    ['steps.0.memberId', 'steps.0.templateId'],
  ],
  ['an address within the network', { steps: [{ kind: 'webhook', url: 'https://127.0.0.1/' }] }, ['steps.0.url']],
  [
    'an address with a fact in it',
    { steps: [{ kind: 'webhook', url: 'https://x.example/{{event.id}}' }] },
    ['steps.0.url'],
  ],
  ['a step with fields of another kind', { steps: [{ ...wait, url: 'https://x.example' }] }, ['steps.0.url']],
  [
    'a step within a branch that is none',
    { steps: [{ kind: 'branch', conditions: rule('event.id'), steps: [wait, { kind: 'sing' }] }] },
    ['steps.0.steps.1.kind'],
  ],
  ['branches too deep', { steps: [nested(4)] }, ['steps.0.steps.0.steps.0.steps']],
  [
    'too many steps',
    { steps: [{ kind: 'branch', conditions: rule('event.id'), steps: Array(30).fill(wait) }] },
    ['steps'],
  ],
  [
    'two steps of one name',
    {
      steps: [
        { ...wait, id: 'a' },
        { ...wait, id: 'a' },
      ],
    },
    ['steps'],
  ],
  ['a member that is not there', { runAsMemberId: absentId('member') }, ['runAsMemberId']],
];

describe.each(doorNames)('over %s', (door) => {
  const ask = async (operation: string, input: object = {}, key = tenant.key) =>
    await tenant.doors[door].as(key).ask(operation, input);

  it.each(faults)('saveWorkflow rejects %s', async (_, wishes, paths) => {
    const refused = await ask('saveWorkflow', moved(wishes));
    expect([refused.status, refused.body.error.type]).toEqual([400, 'validation_error']);
    expect(issuePaths(refused)).toEqual(paths);
  });

  it('every change of a workflow’s definition is a version, and a change of its name is not', async () => {
    const id = await workflowOf(tenant.api);
    const renamed = await ask('updateWorkflow', { workflowId: id, name: 'Other' });
    expect(renamed.body.data).toMatchObject({ name: 'Other', latestVersion: 1 });
    const changed = await ask('updateWorkflow', { workflowId: id, steps: [wait] });
    expect(changed.body.data).toMatchObject({
      latestVersion: 2,
      workflowVersion: 2,
      steps: [{ ...wait, id: 'step_1' }],
    });
    expect(issuePaths(await ask('updateWorkflow', { workflowId: id, steps: [step({})] }))).toEqual([
      'steps.0.input.name',
    ]);
    const first = await ask('getWorkflow', { workflowId: id, workflowVersion: 1 });
    expect(first.body.data.steps[0].operation).toBe('createTask');
    expect((await ask('getWorkflow', { workflowId: id, workflowVersion: 9 })).status).toBe(404);
  });

  it('a workflow is activated, paused, activated again and archived', async () => {
    const workflowId = await workflowOf(tenant.api);
    const become = async (operation: string): Promise<unknown> => {
      const { body } = await ask(operation, { workflowId });
      return body.data?.status ?? body.error.code;
    };
    expect(await become('pauseWorkflow')).toBe('WORKFLOW_NOT_ACTIVE');
    expect(await become('activateWorkflow')).toBe('active');
    expect(await become('pauseWorkflow')).toBe('paused');
    expect(await become('runWorkflow')).toBe('WORKFLOW_NOT_ACTIVE');
    expect(await become('activateWorkflow')).toBe('active');
    expect(await become('runWorkflow')).toBe('WORKFLOW_NOT_MANUAL');
    expect(await become('archiveWorkflow')).toBe('archived');
    expect(await become('activateWorkflow')).toBe('WORKFLOW_ARCHIVED');
    const listed = (await ask('listWorkflows', { limit: 100 })).body.data as Json[];
    expect(listed.map(({ id }) => id as string)).not.toContain(workflowId);
    expect((await ask('listWorkflows', { status: 'archived' })).body.data[0].id).toBe(workflowId);
  });

  it('a schedule that began a year ago is taken, and stays as it is when that is longer ago', async () => {
    const trigger = { ...schedule, startsOn: daysAgo(365) };
    const workflowId = await workflowOf(tenant.api, { trigger, steps: [wait] });
    clock.advance(30 * 86_400_000);
    const changed = { workflowId, trigger: { ...trigger, timeOfDay: '10:00' } };
    expect((await ask('updateWorkflow', { workflowId, name: 'Renamed', steps: [wait] })).status).toBe(200);
    expect((await ask('updateWorkflow', changed)).status).toBe(200);
    expect((await ask('activateWorkflow', { workflowId })).status).toBe(200);
    const earlier = { ...changed, trigger: { ...trigger, startsOn: daysAgo(400) } };
    expect(issuePaths(await ask('updateWorkflow', earlier))).toEqual(['trigger.startsOn']);
    clock.restore();
  });

  it.each(['FREQ=DAILY;COUNT=1', 'FREQ=YEARLY;INTERVAL=9999'])(
    'a schedule that does not come any more is not activated: %s',
    async (recurrence) => {
      const past = { startsOn: daysAgo(300), timeOfDay: '09:00', timezone: 'Europe/Lisbon' };
      const trigger = { kind: 'schedule', recurrence, ...past };
      const workflowId = await workflowOf(tenant.api, { trigger, steps: [wait] });
      const refused = await ask('activateWorkflow', { workflowId });
      expect([refused.status, issuePaths(refused)]).toEqual([400, ['trigger.recurrence']]);
      expect((await ask('getWorkflow', { workflowId })).body.data.status).toBe('draft');
    },
  );

  it('getWorkflowCatalog tells what there is, of what a workflow may do', async () => {
    const { eventTypes, operations, facts } = (await ask('getWorkflowCatalog')).body.data;
    const names = operations.map(({ operation }: Json) => operation as string);
    expect(names).toEqual(
      expect.arrayContaining(['createTask', 'setPropertyStatus', 'lockDevice', 'unlockDevice', 'moveReservation']),
    );
    expect(
      names.filter((name: string) =>
        /Key|Member|Role|Organization|Webhook|Connection|reveal|_|bulk|attach/i.test(name),
      ),
    ).toEqual([]);
    expect(operations.find(({ operation }: Json) => operation === 'createTask').input.required).toEqual(['name']);
    expect(eventTypes.map(({ eventType }: Json) => eventType as string)).toContain('reservation.moved');
    expect(Object.keys(facts)).toContain('reservation');
  });

  it('getWorkflowCatalog has one line for each part, and each by its name', async () => {
    const catalog = async (input: object) => (await ask('getWorkflowCatalog', input)).body.data;
    const { eventTypes, operations } = await catalog({});
    const lines = await catalog({ summary: true });
    expect(lines).toHaveLength(eventTypes.length + operations.length);
    expect(Object.keys(lines[0])).toEqual(['kind', 'name', 'summary']);
    const { input, permission } = operations.find(({ operation }: Json) => operation === 'createTask');
    const line = lines.find(({ name }: Json) => name === 'createTask');
    expect(line).toEqual({
      kind: 'operation',
      name: 'createTask',
      summary: expect.stringMatching(/^Create a task\. /),
    });
    expect(await catalog({ name: 'createTask' })).toEqual({ ...line, permission, schema: input });
    expect(await catalog({ name: 'createTask', summary: true })).toEqual(line);
    const { data } = eventTypes.find(({ eventType }: Json) => eventType === 'reservation.moved');
    expect(await catalog({ name: 'reservation.moved' })).toMatchObject({ kind: 'event', schema: data });
    expect(issuePaths(await ask('getWorkflowCatalog', { name: 'createRole' }))).toEqual(['name']);
  });

  it('is for credentials of all properties, and shows nothing to strangers', async () => {
    const workflowId = await workflowOf(tenant.api);
    const { limited, reader, stranger } = tenant;
    expect((await ask('saveWorkflow', moved(), limited.key)).status).toBe(403);
    expect((await ask('updateWorkflow', { workflowId, name: 'x' }, limited.key)).status).toBe(403);
    expect((await ask('runWorkflow', { workflowId }, limited.key)).status).toBe(403);
    expect((await ask('getWorkflow', { workflowId }, limited.key)).status).toBe(200);
    expect((await ask('getWorkflow', { workflowId }, reader.key)).status).toBe(403);
    expect((await ask('getWorkflow', { workflowId }, stranger.key)).status).toBe(404);
    expect((await ask('activateWorkflow', { workflowId }, stranger.key)).status).toBe(404);
  });
});

describe('permissions', () => {
  const issues = async (scopes: string[], wishes: object): Promise<string[]> => {
    const { api } = await keyWith(tenant.api, { scopes: ['workflows:write', ...scopes] });
    const { body } = await api.post('/workflows', moved(wishes));
    return body.error ? issuePaths({ body }) : [];
  };

  it('are needed of whoever writes a step, and of the member that it runs as', async () => {
    const person = await addPerson(tenant.service, { role: 'cleaner' });
    const able = ['events:read', 'reservations:read', 'tasks:write'];
    expect(await issues(able, {})).toEqual([]);
    // The endings of the credential, and of its member.
    expect(await issues(['events:read', 'reservations:read'], {})).toEqual(['steps.0', 'steps.0']);
    expect(await issues(['reservations:read', 'tasks:write'], {})).toEqual(['trigger', 'trigger']);
    expect(await issues(['events:read', 'tasks:write'], {})).toEqual(['trigger.eventType', 'trigger.eventType']);
    const more = [...able, 'properties:read', 'tasks:read'];
    expect(await issues(more, { runAsMemberId: person.id })).toEqual(['trigger', 'trigger.eventType']);
  });

  it('of the member are no more than those of whoever has it act', async () => {
    const { id: owner } = await addPerson(tenant.service, { role: 'owner' });
    const able = ['events:read', 'reservations:read', 'tasks:write'];
    expect(await issues(able, { runAsMemberId: owner })).toEqual(['runAsMemberId']);
    const { status } = await tenant.api.post('/workflows', moved({ runAsMemberId: owner }));
    expect(status).toBe(201);
  });

  it('are looked at again when it is activated, and so is what it sends', async () => {
    const able = ['workflows:write', 'events:read', 'reservations:read', 'tasks:write'];
    const { api, id } = await keyWith(tenant.api, { scopes: able });
    const withoutPower = await workflowOf(api);
    await tenant.api.post(`/api-keys/${id}/revoke`);
    expect(issuePaths(await tenant.api.post(`/workflows/${withoutPower}/activate`))).toEqual([
      'trigger',
      'trigger.eventType',
      'steps.0',
    ]);
    const template = await tenant.api.post('/email-templates', { name: 'Hi', subject: 'Hi', body: '<p>Hi</p>' });
    const templateId = template.body.data.id as string;
    const mailing = await workflowOf(tenant.api, { steps: [{ kind: 'send_email', templateId, to: 'guest' }] });
    expect(issuePaths(await tenant.api.post(`/workflows/${mailing}/activate`))).toEqual(['steps.0.templateId']);
    await tenant.api.post(`/email-templates/${templateId}/publish`);
    expect((await tenant.api.post(`/workflows/${mailing}/activate`)).status).toBe(200);
  });
});

describe('testWorkflow', () => {
  it('shows why it would not have run, and which way it would have gone', async () => {
    const conditions = rule('reservation.status', 'equals', 'confirmed');
    const { here } = tenant;
    const stay = await tenant.api.post('/reservations', {
      propertyId: here,
      checkInDate: '2031-01-01',
      checkOutDate: '2031-01-03',
      status: 'inquiry',
    });
    const id = await workflowOf(tenant.api, {
      trigger: { kind: 'event', eventType: 'reservation.created' },
      conditions,
      steps: [
        {
          kind: 'branch',
          conditions: rule('event.data.propertyId', 'equals', here),
          steps: [{ ...step({ name: 'Here' }), id: 'here' }],
          otherwise: [wait],
        },
      ],
    });
    await feedSettled(tenant.service);
    const tried = async (): Promise<Json> => (await tenant.api.post(`/workflows/${id}/test`, { days: 30 })).body.data;
    const [refused] = (await tried()).trials;
    expect(refused).toMatchObject({ runs: false, reason: 'Its conditions did not match.', steps: [] });
    expect(refused.conditions).toEqual([
      {
        field: 'reservation.status',
        compared: { actual: 'inquiry', operator: 'equals', value: 'confirmed' },
        holds: false,
      },
    ]);
    await tenant.api.patch(`/reservations/${stay.body.data.id}`, { status: 'confirmed' });
    const { trials, examined, triggered } = await tried();
    expect([examined, triggered]).toEqual([1, 1]);
    expect(trials[0].steps.map((one: Json) => one.id as string)).toEqual(['step_1', 'here']);
    expect((await tenant.api.get(`/tasks?reservationId=${stay.body.data.id}`)).body.data).toEqual([]);
  });

  it('reckons stays too', async () => {
    const today = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
    const later = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const stay = await tenant.api.post('/reservations', {
      propertyId: tenant.elsewhere,
      checkInDate: today,
      checkOutDate: later,
    });
    const id = await workflowOf(tenant.api, {
      trigger: { kind: 'reservation_relative', moment: 'arrival', offsetMinutes: -60 },
      steps: [wait],
    });
    await feedSettled(tenant.service);
    const { trials } = (await tenant.api.post(`/workflows/${id}/test`)).body.data;
    expect(trials).toMatchObject([{ trigger: stay.body.data.id, runs: true }]);
    expect((await tenant.limited.post(`/workflows/${id}/test`)).body.data.trials).toEqual([]);
  });

  it('follows schedules in a thread', async () => {
    const run = jest.spyOn(tenant.service.app.get(Threads), 'run');
    const daily = {
      kind: 'schedule',
      recurrence: 'FREQ=DAILY',
      timeOfDay: '09:00',
      timezone: 'UTC',
      startsOn: daysAgo(300),
    };
    const scheduled = await workflowOf(tenant.api, { trigger: daily, steps: [wait] });
    expect((await tenant.api.post(`/workflows/${scheduled}/test`, { days: 3 })).body.data.triggered).toBe(3);
    expect(run.mock.calls.map(([work]) => work.kind)).toEqual(['schedule_times']);
    run.mockRestore();
  });

  it('needs what shows events and stays', async () => {
    const id = await activeWorkflowOf(tenant.api);
    const { api } = await keyWith(tenant.api, { scopes: ['workflows:read'] });
    expect((await api.post(`/workflows/${id}/test`)).status).toBe(403);
  });
});
