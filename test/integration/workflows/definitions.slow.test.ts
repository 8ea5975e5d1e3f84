import { Threads } from '#threads';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { issuePaths } from '../../support/envelope.js';
import { keyWith } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { addPerson } from '../../support/people.js';
import { startTenant, type Tenant } from '../../support/tenant.js';
import { activeWorkflowOf, moved, workflowOf } from '../../support/workflows.js';
import { daysAgo, faults, rule, schedule, step, wait } from './faults.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());

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

  it('a schedule that started a year ago is accepted, and remains when that is longer ago', async () => {
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
    'a schedule without a future time is not activated: %s',
    async (recurrence) => {
      const past = { startsOn: daysAgo(300), timeOfDay: '09:00', timezone: 'Europe/Lisbon' };
      const trigger = { kind: 'schedule', recurrence, ...past };
      const workflowId = await workflowOf(tenant.api, { trigger, steps: [wait] });
      const refused = await ask('activateWorkflow', { workflowId });
      expect([refused.status, issuePaths(refused)]).toEqual([400, ['trigger.recurrence']]);
      expect((await ask('getWorkflow', { workflowId })).body.data.status).toBe('draft');
    },
  );

  it('getWorkflowCatalog describes everything that a workflow may do', async () => {
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

  it('getWorkflowCatalog has one line for each part, and returns each by its name', async () => {
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

  it('requires a credential for all properties, and shows nothing to another organization', async () => {
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

  it('are required of the person who writes a step, and of the member that it runs as', async () => {
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

  it('of the member are limited to those of the person who selects it', async () => {
    const { id: owner } = await addPerson(tenant.service, { role: 'owner' });
    const able = ['events:read', 'reservations:read', 'tasks:write'];
    expect(await issues(able, { runAsMemberId: owner })).toEqual(['runAsMemberId']);
    const { status } = await tenant.api.post('/workflows', moved({ runAsMemberId: owner }));
    expect(status).toBe(201);
  });

  it('are checked again at activation, together with what it sends', async () => {
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
  it('shows why it would not have run, and which branch it would have taken', async () => {
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

  it('evaluates stays too', async () => {
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

  it('evaluates schedules in a thread', async () => {
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

  it('requires permission to read events and stays', async () => {
    const id = await activeWorkflowOf(tenant.api);
    const { api } = await keyWith(tenant.api, { scopes: ['workflows:read'] });
    expect((await api.post(`/workflows/${id}/test`)).status).toBe(403);
  });
});
