import { newId, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { eventTypes } from '../../../src/platform/events/event-type.js';
import { permissionsIn } from '../../../src/platform/callers/permissions.js';
import type { Api, Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames, doors } from '../../support/doors.js';
import { openEventSource } from '../../support/event-source.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { feedSettled } from '../../support/feed.js';
import { type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { scopeOf, scopeOfSubject } from '../authorization/oracle.js';

let world: OAuthWorld;
let api: Api;
beforeAll(async () => {
  world = await openWorld();
  api = await world.everything();
});
afterAll(() => world.close());
afterEach(() => clock.restore());

const subject = 'of_every_type';
const modelBacked = new Set(
  `create_workflow modify_workflow create_email_template modify_email_template importGuidePlace
    initializeLanguageTranslations retranslateGuideText`.split(/\s+/),
);

interface RecordedEvent {
  type: string;
  scope: string;
}

/** An event of each type; of model jobs one for each operation. The oracle defines who may read it. */
async function recordAll(): Promise<RecordedEvent[]> {
  const drafts = [...scopeOf].filter(([name]) => modelBacked.has(name));
  const all = [...eventTypes().values()].flatMap((type) => {
    if (type.subject !== 'model_job')
      return [{ type: type.name, scope: scopeOfSubject[type.subject] as string, data: {} }];
    return drafts.map(([operation, scope]) => ({ type: type.name, scope: scope as string, data: { operation } }));
  });
  const system = world.service.app.get(SystemDatabase);
  for (const [index, { type, data }] of all.entries())
    await system.rows(
      `insert into events (org_id, id, transaction_id, type, subject_type, subject_id, sequence, actor, data, occurred_at)
       values ($1, $2, pg_current_xact_id(), $3, 'any', $4, $5, '{"type": "service"}', $6, $7)`,
      [
        uuidIn(world.lakeside),
        uuidIn(newId('event')),
        type,
        subject,
        index,
        JSON.stringify(data),
        new Date().toISOString(),
      ],
    );
  await feedSettled(world.service);
  return all;
}

describe.each(doorNames)('an event over %s', (name) => {
  const feedOf = async (key: string): Promise<string[]> => {
    const door = doors(world.service)[name].as(key);
    const all: Json[] = [];
    for (let cursor: string | undefined; ;) {
      const { status, body } = await door.ask('listEvents', { subject, limit: 100, ...(cursor && { cursor }) });
      if (status !== 200) throw new Error(JSON.stringify(body));
      all.push(...(body.data as Json[]));
      if (body.data.length < 100) return all.map(({ type }) => type as string);
      cursor = body.meta.pagination.nextCursor as string;
    }
  };
  let recorded: RecordedEvent[];
  beforeAll(async () => {
    const system = world.service.app.get(SystemDatabase);
    await system.rows('delete from events where subject_id = $1', [subject]);
    recorded = await recordAll();
  });

  it('is shown to those who may read its subject, whatever its type', async () => {
    const needed = [...new Set(recorded.map(({ scope }) => scope))];
    expect(needed).not.toContain(undefined);
    const typesWhere = (isShown: (scope: string) => boolean): string[] =>
      recorded.filter(({ scope }) => isShown(scope)).map(({ type }) => type);
    for (const scope of needed) {
      const withIt = await keyWith(api, { scopes: ['events:read', scope] });
      expect([scope, await feedOf(withIt.key)]).toEqual([scope, typesWhere((one) => one === scope)]);
      const without = await keyWith(api, { scopes: permissionsIn('live').filter((one) => one !== scope) });
      expect([scope, await feedOf(without.key)]).toEqual([scope, typesWhere((one) => one !== scope)]);
    }
    expect(await feedOf((await keyWith(api)).key)).toEqual(recorded.map(({ type }) => type));
  });

  it('is hidden from a credential that may read no subject, without an error', async () => {
    expect(await feedOf((await keyWith(api, { scopes: ['events:read'] })).key)).toEqual([]);
  });

  it('is rejected as a filter with an error that names what is missing', async () => {
    const { key } = await keyWith(api, { scopes: ['events:read', 'tasks:read'] });
    const types = ['task.created', 'api_key.created', 'webhook_endpoint.created'];
    const { status, body } = await doors(world.service)[name].as(key).ask('listEvents', { types });
    expect([status, body.error.message]).toEqual([403, expect.stringContaining('api-keys:read, webhooks:read')]);
    expect(body.error.details).toMatchObject({ missing: ['api-keys:read', 'webhooks:read'] });
    const allowed = await doors(world.service)
      [name].as(key)
      .ask('listEvents', { types: ['task.created'], subject });
    expect(allowed.body.data).toHaveLength(1);
  });
});

describe('a viewer', () => {
  it('learns neither where webhooks go nor what a new key may do', async () => {
    const viewer = await world.tokensOf(await world.person('viewer'), { scopes: ['events:read', 'tasks:read'] });
    const url = 'https://93.184.215.14/hook-of-the-owner';
    await api.post('/webhook-endpoints', { url, eventTypes: ['task.created'] });
    const { id } = await keyWith(api, { name: 'Very secret purpose' });
    await feedSettled(world.service);
    const { text } = await world.rest(viewer.access_token).get('/events?limit=100');
    expect(text).not.toContain(url);
    expect(text).not.toContain(id);
    expect((await api.get(`/events?subject=${id}`)).body.data).toHaveLength(1);
  });
});

describe('a stream', () => {
  it('shows what listEvents shows, and rejects the same types', async () => {
    const { key } = await keyWith(api, { scopes: ['events:read', 'tasks:read'] });
    await feedSettled(world.service);
    const source = await openEventSource(world.service.url, key);
    await keyWith(api);
    const task = await taskOf(api);
    await source.received(1);
    expect(source.events.map(({ data }) => [data.type, data.subject.id])).toEqual([['task.created', task]]);
    source.drop();
    const refused = await openEventSource(world.service.url, key, { query: '?types=api_key.created' });
    expect(refused.status).toBe(403);
  });

  it('ends soon after the permissions of its person change', async () => {
    const role = (await api.post('/roles', { name: 'follower', permissions: ['events:read', 'tasks:read'] })).body.data;
    const person = await world.person('follower');
    const { access_token: token } = await world.tokensOf(person, { scopes: ['events:read', 'tasks:read'] });
    const source = await openEventSource(world.service.url, token);
    expect(source.status).toBe(200);
    await api.patch(`/roles/${role.id}`, { permissions: ['events:read'] });
    clock.advance(6_000);
    await source.ended;
  });
});
