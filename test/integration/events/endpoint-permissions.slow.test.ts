import { newId, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { EndpointPermissions } from '../../../src/outside/webhooks/endpoint-permissions.service.js';
import type { Api, Json } from '../../support/api.js';
import { type Door, doorNames, doors } from '../../support/doors.js';
import { keyWith, type MadeKey, propertyOf, taskOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { Mailbox } from '../../support/mailbox.js';
import { type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { type Receiver, startReceiver } from '../../support/receiver.js';

let world: OAuthWorld;
let api: Api;
let receiver: Receiver;
beforeAll(async () => {
  world = await openWorld({ OUTBOUND_ALLOW: '127.0.0.0/8' });
  api = await world.everything();
});
beforeEach(async () => {
  receiver = await startReceiver();
});
afterEach(async () => {
  for (const { id } of (await api.get('/webhook-endpoints?limit=100')).body.data)
    await api.delete(`/webhook-endpoints/${id}`);
  await receiver.close();
});
afterAll(() => world.close());

const manages = ['webhooks:read', 'webhooks:manage'];
const endpointOf = async (by: Api, eventTypes: string[]): Promise<Json> => {
  const { status, body, text } = await by.post('/webhook-endpoints', { url: receiver.url, eventTypes });
  if (status !== 201) throw new Error(text);
  return body.data;
};
const shown = async ({ id }: Json): Promise<Json> =>
  ((await api.get('/webhook-endpoints?limit=100')).body.data as Json[]).find((one) => one.id === id) as Json;
const look = () => performDue(world.service.app.get(EndpointPermissions, { strict: false }));
const deliveriesOf = async ({ id }: Json, by = api): Promise<Json[]> =>
  (await by.get(`/webhook-deliveries?endpointId=${id}&limit=100`)).body.data;
const settled = (endpoint: Json, count: number): Promise<Json[]> =>
  until(
    () => deliveriesOf(endpoint),
    (all) => all.length === count && all.every(({ status }) => status !== 'pending'),
  );
const typesReceived = (): string[] => receiver.received.map(({ body }) => body.type as string);
const suspend = async (made: MadeKey): Promise<string> => {
  const { id } = (await made.api.get('/me')).body.data.member;
  expect((await api.post(`/members/${id}/suspend`)).status).toBe(200);
  return id as string;
};

describe.each(doorNames)('an endpoint over %s', (name) => {
  const door = (key: string): Door => doors(world.service)[name].as(key);
  const eventTypes = ['task.created', 'api_key.created', 'member.updated'];

  it('needs the permissions of its event types, when it is created and when it is changed', async () => {
    const { key } = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const refused = await door(key).ask('createWebhookEndpoint', { url: receiver.url, eventTypes });
    expect([refused.status, refused.body.error.details.missing]).toEqual([403, ['api-keys:read', 'members:read']]);
    const made = await door(key).ask('createWebhookEndpoint', { url: receiver.url, eventTypes: ['task.created'] });
    expect([made.status, made.body.data.missingScopes]).toEqual([201, []]);
    const endpointId = made.body.data.id as string;
    const widened = await door(key).ask('updateWebhookEndpoint', { endpointId, eventTypes });
    expect([widened.status, widened.body.error.details.missing]).toEqual([403, ['api-keys:read', 'members:read']]);
    expect((await shown({ id: endpointId })).eventTypes).toEqual(['task.created']);
  });

  it('of another member cannot be redirected without them, but can be disabled', async () => {
    const { key } = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const { id: endpointId, boundTo } = await endpointOf(api, eventTypes);
    const led = await door(key).ask('updateWebhookEndpoint', { endpointId, url: `${receiver.url}elsewhere` });
    expect(led.status).toBe(403);
    const stopped = await door(key).ask('updateWebhookEndpoint', { endpointId, status: 'disabled' });
    expect([stopped.status, stopped.body.data.status, stopped.body.data.boundTo]).toEqual([200, 'disabled', boundTo]);
    expect((await door(key).ask('updateWebhookEndpoint', { endpointId, status: 'enabled' })).status).toBe(403);
  });

  it('of a creator who may read more cannot be changed by anyone who may read less, but can be deleted', async () => {
    const { key } = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const maker = await keyWith(api, { scopes: [...manages, 'tasks:read', 'guests:read'] });
    const changes = async (endpointId: string, by: string): Promise<unknown[]> => {
      const replies = [
        await door(by).ask('updateWebhookEndpoint', { endpointId, url: `${receiver.url}elsewhere` }),
        await door(by).ask('updateWebhookEndpoint', { endpointId, eventTypes: ['task.created'] }),
        await door(by).ask('rotateWebhookSecret', { endpointId }),
        await door(by).ask('testWebhookEndpoint', { endpointId }),
      ];
      return replies.map(({ status, body }) => [status, body.error?.details.missing]);
    };
    const refused = Array<unknown>(4).fill([403, ['guests:read']]);
    const any = await endpointOf(maker.api, ['*']);
    expect(await changes(any.id as string, key)).toEqual(refused);
    expect(await changes((await endpointOf(maker.api, ['guest.created'])).id as string, key)).toEqual(refused);
    const memberId = (await maker.api.get('/me')).body.data.member.id as string;
    const { key: beside } = await keyWith(api, { memberId, scopes: [...manages, 'tasks:read'] });
    expect(await changes(any.id as string, beside)).toEqual(refused);
    // The creator may be reinstated.
    await suspend(maker);
    expect(await changes(any.id as string, key)).toEqual(refused);
    expect((await door(key).ask('deleteWebhookEndpoint', { endpointId: any.id })).status).toBe(200);

    const own = await endpointOf(api.as(key), ['*']);
    expect((await changes(own.id as string, key)).map((reply) => (reply as [number])[0])).toEqual([200, 200, 200, 200]);
  });

  it('of a creator who got more permissions since cannot be changed by anyone without them', async () => {
    const scopes = [...manages, 'tasks:read'];
    const more = [...scopes, 'guests:read'];
    const role = (await api.post('/roles', { name: `growing-${name}`, permissions: more })).body.data;
    const { access_token: token } = await world.tokensOf(await world.person(role.name as string), { scopes: more });
    const { id: own } = await endpointOf(world.rest(token), ['task.created', 'guest.created']);
    await api.patch(`/roles/${role.id}`, { permissions: scopes });
    const narrowed = await door(token).ask('updateWebhookEndpoint', { endpointId: own, eventTypes: ['task.created'] });
    expect(narrowed.status).toBe(200);
    const { id: endpointId } = await endpointOf(world.rest(token), ['*']);
    await api.patch(`/roles/${role.id}`, { permissions: more });
    const { key } = await keyWith(api, { scopes });
    expect((await door(key).ask('rotateWebhookSecret', { endpointId })).status).toBe(403);
  });

  it('that requests everything gets what its creator may read', async () => {
    const made = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const asked = await door(made.key).ask('createWebhookEndpoint', { url: receiver.url, eventTypes: ['*'] });
    expect([asked.status, asked.body.data.status]).toEqual([201, 'enabled']);
    await keyWith(api);
    await taskOf(api);
    const [only] = await settled(asked.body.data, 1);
    expect([only?.eventType, only?.status, typesReceived()]).toEqual(['task.created', 'succeeded', ['task.created']]);
    await look();
    expect((await shown(asked.body.data)).status).toBe('enabled');
  });
});

describe('an endpoint whose creator loses a permission', () => {
  it('is degraded with an event and a letter to the owners, and no longer gets its events', async () => {
    const owner = await world.person('owner');
    const made = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const endpoint = await endpointOf(made.api, ['task.created']);
    await taskOf(api);
    await settled(endpoint, 1);
    await api.post(`/api-keys/${made.id}/revoke`);
    await taskOf(api);
    const [withheld, sent] = await settled(endpoint, 2);
    expect([withheld?.status, withheld?.attempts, sent?.status]).toEqual(['withheld', [], 'succeeded']);
    expect(receiver.received).toHaveLength(1);
    await look();
    expect(await shown(endpoint)).toMatchObject({
      status: 'degraded',
      failingSince: null,
      missingScopes: ['tasks:read'],
    });
    await feedSettled(world.service);
    const { body } = await api.get(`/events?subject=${endpoint.id}`);
    expect(body.data.at(-1)).toMatchObject({
      type: 'webhook_endpoint.degraded',
      actor: { type: 'service' },
      data: { status: 'degraded', missingScopes: ['tasks:read'] },
    });
    const mail = await new Mailbox(world.service.config.dataDir).latest(owner.email, /webhook endpoint/);
    expect(mail).toContain('- tasks:read');
    expect(mail).toContain(`The endpoint is ${endpoint.id}`);
  });

  it('recovers when the creator has it again, and withheld events can be replayed', async () => {
    const made = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const endpoint = await endpointOf(made.api, ['task.created']);
    const memberId = await suspend(made);
    await taskOf(api);
    await settled(endpoint, 1);
    await look();
    expect((await shown(endpoint)).status).toBe('degraded');
    await api.post(`/members/${memberId}/reinstate`);
    await look();
    expect(await shown(endpoint)).toMatchObject({ status: 'enabled', missingScopes: [] });
    await feedSettled(world.service);
    const { body } = await api.get(`/events?subject=${endpoint.id}`);
    expect(body.data.at(-1).type).toBe('webhook_endpoint.recovered');
    await api.post('/webhook-deliveries/replay', {
      endpointId: endpoint.id,
      from: '2020-01-01T00:00:00Z',
      eventTypes: ['task.created'],
    });
    await until(
      () => Promise.resolve(receiver.received),
      ({ length }) => length > 0,
    );
  });

  it('recovers when a member who has it edits the endpoint, and is then bound to that member', async () => {
    const made = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const endpoint = await endpointOf(made.api, ['task.created']);
    await suspend(made);
    await look();
    const edited = await api.patch(`/webhook-endpoints/${endpoint.id}`, { description: 'Mine now' });
    expect(edited.body.data).toMatchObject({ status: 'enabled', missingScopes: [] });
    expect(edited.body.data.boundTo).not.toBe(endpoint.boundTo);
    await taskOf(api);
    expect((await settled(endpoint, 1))[0]?.status).toBe('succeeded');
  });

  it('follows the role of a person, through the application that they approved', async () => {
    const scopes = [...manages, 'tasks:read', 'guests:read'];
    const role = (await api.post('/roles', { name: 'integrator', permissions: scopes })).body.data;
    const { access_token: token } = await world.tokensOf(await world.person('integrator'), { scopes });
    const endpoint = await endpointOf(world.rest(token), ['*']);
    await api.patch(`/roles/${role.id}`, { permissions: [...manages, 'tasks:read'] });
    await look();
    expect(await shown(endpoint)).toMatchObject({ status: 'degraded', missingScopes: ['guests:read'] });
    await api.post('/guests', { name: 'Ann' });
    await taskOf(api);
    expect((await settled(endpoint, 1)).map(({ eventType }) => eventType as string)).toEqual(['task.created']);
  });

  it('continues with the key that replaced its creator', async () => {
    const made = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const endpoint = await endpointOf(made.api, ['task.created']);
    expect((await api.post(`/api-keys/${made.id}/rotate`, { overlapSeconds: 0 })).status).toBe(200);
    await look();
    expect((await shown(endpoint)).status).toBe('enabled');
    await taskOf(api);
    expect((await settled(endpoint, 1))[0]?.status).toBe('succeeded');
  });

  it('does not get events that its creator may no longer read', async () => {
    const [here, there] = [
      (await api.post('/properties', { name: 'Here', timezone: 'UTC' })).body.data.id as string,
      (await api.post('/properties', { name: 'There', timezone: 'UTC' })).body.data.id as string,
    ];
    const made = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const endpoint = await endpointOf(made.api, ['task.created']);
    const { id } = (await made.api.get('/me')).body.data.member;
    await api.patch(`/members/${id}`, { propertyIds: [here] });
    await taskOf(api, { propertyId: there });
    await taskOf(api, { propertyId: here });
    expect((await settled(endpoint, 2)).map(({ status }) => status as string)).toEqual(['succeeded', 'withheld']);
  });
});

describe('an endpoint from before permissions were bound', () => {
  it('does not change, is listed, and is bound when it is edited', async () => {
    const endpoint = await endpointOf(api, ['task.created', 'api_key.created']);
    await world.service.app
      .get(SystemDatabase)
      .rows(`update webhook_endpoints set maker_member_id = null, maker_key_id = null, scopes = '{}' where id = $1`, [
        uuidIn(endpoint.id as string),
      ]);
    const listed = async (bound: boolean): Promise<string[]> =>
      ((await api.get(`/webhook-endpoints?bound=${bound}`)).body.data as Json[]).map(({ id }) => id as string);
    expect([await listed(false), await listed(true)]).toEqual([[endpoint.id], []]);
    const little = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    await settled(endpoint, 1);
    await look();
    expect(await shown(endpoint)).toMatchObject({ status: 'enabled', boundTo: null, missingScopes: [] });
    expect((await little.api.patch(`/webhook-endpoints/${endpoint.id}`, { description: 'x' })).status).toBe(403);
    expect((await little.api.post(`/webhook-endpoints/${endpoint.id}/rotate-secret`)).status).toBe(403);
    const edited = await api.patch(`/webhook-endpoints/${endpoint.id}`, { description: 'x' });
    expect(edited.body.data.boundTo).toMatch(/^member_/);
    expect([await listed(false), await listed(true)]).toEqual([[], [endpoint.id]]);
  });
});

describe('the delivery log', () => {
  it('hides deliveries of other properties from limited callers, even if the endpoint was not limited then', async () => {
    const [here, elsewhere] = [await propertyOf(api, 'Here'), await propertyOf(api, 'Elsewhere')];
    const endpoint = await endpointOf(api, ['task.created']);
    const [own, other] = [await taskOf(api, { propertyId: here }), await taskOf(api, { propertyId: elsewhere })];
    await settled(endpoint, 2);
    await api.patch(`/webhook-endpoints/${endpoint.id}`, { propertyIds: [here] });
    await api.post(`/webhook-endpoints/${endpoint.id}/test`);
    const { key } = await keyWith(api, { propertyIds: [here] });
    const [hidden] = (await settled(endpoint, 3)).filter(({ request }) => request.body.includes(other));
    for (const name of doorNames) {
      const door = doors(world.service)[name].as(key);
      const { body } = await door.ask('listWebhookDeliveries', { endpointId: endpoint.id });
      const types = (body.data as Json[]).map(({ eventType }) => eventType as string);
      expect(types).toEqual(['webhook_endpoint.tested', 'task.created']);
      const text = JSON.stringify(body.data);
      expect([own, other, hidden?.eventId as string].map((id) => text.includes(id))).toEqual([true, false, false]);
    }
  });

  it('replays nothing that the caller may not read, and does not reveal whether it exists', async () => {
    const made = await keyWith(api, { scopes: [...manages, 'tasks:read'] });
    const { id: endpointId } = await endpointOf(made.api, ['*']);
    const { id: keyId } = await keyWith(api);
    await feedSettled(world.service);
    const [event] = (await api.get(`/events?subject=${keyId}`)).body.data as Json[];
    for (const name of doorNames) {
      const replay = (eventId: string) =>
        doors(world.service)[name].as(made.key).ask('replayWebhookDeliveries', { endpointId, eventId });
      const [unreadable, unknown] = [await replay(event?.id as string), await replay(newId('event'))];
      expect([unreadable.status, unreadable.body.error]).toEqual([404, unknown.body.error]);
      const counted = await doors(world.service)
        [name].as(made.key)
        .ask('replayWebhookDeliveries', {
          endpointId,
          from: '2020-01-01T00:00:00Z',
          eventTypes: ['api_key.created'],
        });
      expect(counted.body.data.replayed).toBe(0);
    }
  });

  it('shows deliveries to those who may read their events', async () => {
    const endpoint = await endpointOf(api, ['task.created']);
    const id = await taskOf(api);
    await settled(endpoint, 1);
    const [seen] = await deliveriesOf(endpoint);
    expect(seen?.request.body).toContain(id);
    const { api: reader } = await keyWith(api, { scopes: ['webhooks:read'] });
    const [hidden] = await deliveriesOf(endpoint, reader);
    expect([hidden?.request.body, hidden?.response.body, hidden?.status]).toEqual(['', '', 'succeeded']);
  });
});
