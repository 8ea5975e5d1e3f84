import { jest } from '@jest/globals';
import { SyncsService } from '../../../src/outside/connections/syncs.service.js';
import { Followers } from '../../../src/tenancy/followers/followers.js';
import type { Api, Json } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { taskOf } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { type Member, type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { activeWorkflowOf, hasEnded, runWhen } from '../../support/workflows.js';

let world: OAuthWorld;
let api: Api;
let key: Json;
let person: Member;
beforeAll(async () => {
  world = await openWorld();
  key = await world.ops(`api-key create --org ${world.lakeside} --name All --scopes * --rate-per-minute 60000`);
  api = world.service.api.as(key.key as string);
  person = await world.person('owner');
});
afterAll(() => world.close());
afterEach(() => {
  clock.restore();
  jest.restoreAllMocks();
});

/** The actor of the last change to a record, according to the audit trail and to its last event. */
async function whoDidLast(targetId: string) {
  await feedSettled(world.service);
  const [entry] = (await api.get(`/audit-entries?targetId=${targetId}`)).body.data as Json[];
  const event = ((await api.get(`/events?subject=${targetId}&limit=100`)).body.data as Json[]).at(-1);
  const { actor, credential = null, onBehalfOf, action } = entry ?? {};
  return { entry: entry && { actor, credential, onBehalfOf, action }, event: event?.actor as Json };
}

describe('the audit trail and the events name the actor', () => {
  it('as a key', async () => {
    const member = { type: 'member', id: key.memberId as string };
    const credential = { kind: 'api-key', id: key.id as string };
    expect(await whoDidLast(await taskOf(api))).toEqual({
      entry: { actor: member, credential, onBehalfOf: null, action: 'createTask' },
      event: { ...member, credential },
    });
  });

  it('as a token, with its approval, application and person', async () => {
    const { access_token: token, client } = await world.tokensOf(person, { scopes: ['tasks:write'] });
    const member = { type: 'member', id: person.memberId };
    const credential = {
      kind: 'oauth',
      id: expect.stringMatching(/^grant_/) as string,
      clientId: client.client_id,
    };
    expect(await whoDidLast(await taskOf(world.rest(token)))).toEqual({
      entry: { actor: member, credential, onBehalfOf: person.userId, action: 'createTask' },
      event: { ...member, credential },
    });
  });

  it('as a session at the account pages, and not as a token', async () => {
    const browser = new Browser(world.service.url);
    const page = await browser.signIn(person.email, person.password, '/account/api-keys');
    await browser.submit(page, '/account/api-keys/create', {
      name: 'At the desk',
      'scope:tasks:read': 'on',
      days: '30',
    });
    const keys = (await api.get('/api-keys?limit=100')).body.data as Json[];
    const made = keys.find(({ name }) => name === 'At the desk') as Json;
    const member = { type: 'member', id: person.memberId };
    const credential = { kind: 'session', id: expect.stringMatching(/^session_[0-9a-f]{32}$/) as string };
    expect(await whoDidLast(made.id as string)).toEqual({
      entry: { actor: member, credential, onBehalfOf: person.userId, action: 'createApiKey' },
      event: { ...member, credential },
    });
  });

  it('as an operator at the command line, where events name the service', async () => {
    const property = await world.ops(`property create --org ${world.lakeside} --name Cabin --timezone UTC`);
    expect(await whoDidLast(property.id as string)).toEqual({
      entry: { actor: { type: 'operator' }, credential: null, onBehalfOf: null, action: 'ops property create' },
      event: { type: 'service' },
    });
  });

  it('as a step of a workflow, with its run', async () => {
    const step = { id: 'make', kind: 'operation', operation: 'createTask', input: { name: 'By a workflow' } };
    const workflowId = await activeWorkflowOf(api, { trigger: { kind: 'manual' }, steps: [step] });
    await api.post(`/workflows/${workflowId}/run`, {});
    const run = await runWhen(api, workflowId, hasEnded);
    const member = { type: 'member', id: key.memberId as string };
    const credential = { kind: 'workflow', id: workflowId, runId: run.id as string };
    expect(await whoDidLast(run.steps[0].result.id as string)).toEqual({
      entry: { actor: member, credential, onBehalfOf: null, action: 'createTask' },
      event: { ...member, credential },
    });
  });

  it('as the service, which founded the first organization', async () => {
    const entries = (await world.service.api.get('/audit-entries?action=first%20start')).body.data as Json[];
    expect(entries.length).toBeGreaterThan(0);
    for (const entry of entries) expect(entry).toMatchObject({ actor: { type: 'service' }, credential: null });
  });
});

describe('a sync', () => {
  it('acts as the service, with no permission, and only its events record it if nobody requested it', async () => {
    const followed = jest.spyOn(world.service.app.get(Followers, { strict: false }), 'staysChanged');
    const connection = { provider: 'simulator', kind: 'pms', name: 'Simulated', credentials: {}, settings: {} };
    await world.ops(`property create --org ${world.lakeside} --name Lodge --timezone UTC`);
    await api.post('/connections', connection);
    clock.advance(3_600_000);
    followed.mockClear();
    await performDue(world.service.app.get(SyncsService, { strict: false }));
    const caller = followed.mock.calls[0]?.[0];
    expect(caller).toMatchObject({ credential: { kind: 'service' }, permissions: new Set() });

    await feedSettled(world.service);
    const from = new Date(Date.now() - 60_000).toISOString();
    expect((await api.get(`/audit-entries?from=${from}`)).body.data).toEqual([]);
    const events = (await api.get('/events?types=reservation.updated,reservation.created&limit=100')).body
      .data as Json[];
    expect(events.length).toBeGreaterThan(0);
    for (const { actor } of events) expect(actor).toEqual({ type: 'service' });
  });
});
