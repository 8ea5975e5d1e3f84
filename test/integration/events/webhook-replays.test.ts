import { issuePaths } from '../../support/envelope.js';
import { clock } from '../../support/clock.js';
import { propertyOf, taskOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import type { Receiver } from '../../support/receiver.js';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.start();
});
afterEach(() => world.reset());
afterAll(() => world.service.close());

/** An event whose first delivery failed. */
async function failedOnce(receiver: Receiver): Promise<{ endpointId: string; eventId: string }> {
  receiver.answer = (_, response) => response.writeHead(500).end();
  const { id: endpointId } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
  await taskOf(world.api);
  const [{ eventId }] = await until(
    () => world.deliveriesOf(endpointId),
    ([first]) => first?.attempts.length === 1,
  );
  return { endpointId, eventId };
}

describe('testWebhookEndpoint', () => {
  it('sends a test whatever types are selected', async () => {
    const receiver = await world.receiving();
    const { id } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    const { status, body } = await world.api.post(`/webhook-endpoints/${id}/test`);
    expect([status, body.data.status, body.data.eventType]).toEqual([200, 'pending', 'webhook_endpoint.tested']);
    await receiver.count(1);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(body.data.eventId);
  });
});

describe('replayWebhookDeliveries', () => {
  it('sends one event again with its original id', async () => {
    const receiver = await world.receiving();
    const { id: endpointId } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(world.api);
    await receiver.count(1);
    const [{ eventId }] = await until(
      () => world.deliveriesOf(endpointId),
      ([first]) => first.status === 'succeeded',
    );
    const { body } = await world.api.post('/webhook-deliveries/replay', { endpointId, eventId });
    expect(body.data).toEqual({ endpointId, replayed: 1 });
    await receiver.count(2);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(receiver.received[1]?.text).toBe(receiver.received[0]?.text);
  });

  it('makes the next attempt of a failing delivery now, and of no other delivery', async () => {
    const receiver = await world.receiving();
    const { endpointId, eventId } = await failedOnce(receiver);
    receiver.answer = (_, response) => response.writeHead(204).end();
    const { body } = await world.api.post('/webhook-deliveries/replay', { endpointId, eventId });
    expect(body.data).toEqual({ endpointId, replayed: 0 });
    await until(
      () => world.deliveriesOf(endpointId),
      ([first]) => first.status === 'succeeded',
    );
    expect(await world.deliveriesOf(endpointId)).toHaveLength(1);
    expect(receiver.received).toHaveLength(2);
  });

  it('sends past events to an endpoint that did not exist then, of its types and properties', async () => {
    clock.advance(60_000);
    const from = new Date().toISOString();
    const propertyId = await propertyOf(world.api);
    const wanted = [await taskOf(world.api, { propertyId }), await taskOf(world.api, { propertyId })];
    await taskOf(world.api);
    await world.api.post(`/tasks/${wanted[0]}/start`);
    const receiver = await world.receiving();
    const { id: endpointId } = await world.endpointFor(receiver, {
      eventTypes: ['task.created'],
      propertyIds: [propertyId],
    });
    clock.advance(1_000);
    const replay = { endpointId, from, to: new Date().toISOString() };
    expect((await world.api.post('/webhook-deliveries/replay', replay)).body.data.replayed).toBe(2);
    await receiver.count(2);
    expect(receiver.received.map(({ body }) => body.data.subject.id)).toEqual(wanted);
  });

  it('rejects a request that names no events, or names them in both ways', async () => {
    const { id: endpointId } = await world.endpointFor(await world.receiving(), { eventTypes: ['task.created'] });
    await feedSettled(world.service);
    const [{ id: eventId }] = (await world.api.get('/events?limit=1')).body.data;
    const [from, to] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    const eventTypes = ['task.created'];
    for (const wish of [{}, { to }, { eventTypes }, { eventId, from }, { eventId, to }, { eventId, eventTypes }]) {
      const { status, body } = await world.api.post('/webhook-deliveries/replay', { endpointId, ...wish });
      expect([status, body.error?.details.key]).toEqual([400, 'WEBHOOK_REPLAY_WITHOUT_EVENTS']);
    }
  });

  it('rejects a time range that ends before it starts, and types that are unknown or that the endpoint did not select', async () => {
    const { id: endpointId } = await world.endpointFor(await world.receiving(), { eventTypes: ['task.created'] });
    const any = await world.endpointFor(await world.receiving());
    const from = '2026-01-02T00:00:00Z';
    const ask = async (wish: object) => {
      const reply = await world.api.post('/webhook-deliveries/replay', { endpointId, from, ...wish });
      return reply.body.error && issuePaths(reply);
    };
    expect(await ask({ to: '2026-01-01T23:59:59Z' })).toEqual(['to']);
    expect(await ask({ to: '2026-01-02T02:00:00+02:00' })).toEqual(['to']);
    expect(await ask({ eventTypes: ['task.created', 'task.eaten'] })).toEqual(['eventTypes.1']);
    expect(await ask({ eventTypes: ['task.created', 'task.started'] })).toEqual(['eventTypes.1']);
    expect(await ask({ endpointId: any.id, eventTypes: ['task.eaten'] })).toEqual(['eventTypes.0']);
    expect(await ask({ endpointId: any.id, eventTypes: ['task.started'] })).toBeUndefined();
  });

  it('rejects an event that the endpoint does not get, but no others', async () => {
    const [here, elsewhere] = [await propertyOf(world.api), await propertyOf(world.api)];
    const taskId = await taskOf(world.api, { propertyId: here });
    await world.api.post(`/tasks/${taskId}/start`);
    await feedSettled(world.service);
    const [created, started] = (await world.api.get(`/events?subject=${taskId}`)).body.data;
    const replay = async (wishes: object, eventId: string) => {
      const { id: endpointId } = await world.endpointFor(await world.receiving(), {
        eventTypes: ['task.created'],
        ...wishes,
      });
      return await world.api.post('/webhook-deliveries/replay', { endpointId, eventId });
    };
    for (const refused of [await replay({}, started.id), await replay({ propertyIds: [elsewhere] }, created.id)])
      expect([refused.status, issuePaths(refused)]).toEqual([400, ['eventId']]);
    for (const wishes of [{}, { propertyIds: [here] }, { eventTypes: ['*'] }])
      expect((await replay(wishes, created.id)).body.data.replayed).toBe(1);
  });

  it('sends nothing twice that is already pending', async () => {
    const receiver = await world.receiving();
    const { endpointId, eventId } = await failedOnce(receiver);
    await world.api.post('/webhook-deliveries/replay', { endpointId, eventId });
    expect(await world.deliveriesOf(endpointId)).toHaveLength(1);
  });
});
