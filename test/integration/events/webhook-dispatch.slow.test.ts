import type { ServerResponse } from 'node:http';
import type { Claim } from '#jobs';
import { SystemDatabase } from '#system-database';
import { DispatchRepository, type NextDelivery } from '../../../src/outside/webhooks/dispatch.repository.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { clock } from '../../support/clock.js';
import { taskOf } from '../../support/factories.js';
import { feedSettled, until } from '../../support/feed.js';
import { metricsAt, series } from '../../support/metrics.js';
import { freePort, startApp } from '../../support/start-app.js';
import { WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
let metricsPort: number;
beforeAll(async () => {
  metricsPort = await freePort();
  world = await WebhookWorld.start({ METRICS_PORT: String(metricsPort) });
});
afterEach(() => world.reset());
afterAll(() => world.service.close());

describe('a delivery', () => {
  it('of an organization that is closed waits until it is open again', async () => {
    const receiver = await world.receiving();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id: endpointId } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(world.api);
    await until(
      () => world.attemptsOf(endpointId),
      (attempts) => attempts === 1,
    );
    const [{ nextAttemptAt }] = await world.deliveriesOf(endpointId);
    const turn = (status: string) =>
      world.service.app.get(SystemDatabase).rows('update organizations set status = $1', [status]);
    await turn('closed');
    clock.set(Date.parse(nextAttemptAt as string) + 1_000);
    const due = () => world.service.app.get(DispatchRepository).due(new Date().toISOString(), true, 10);
    expect(await due()).toEqual([]);
    receiver.answer = (_, response) => response.writeHead(204).end();
    await turn('active');
    world.service.app.get(DispatchRepository).becomesDue();
    await receiver.count(2);
  });

  it('does not wait for many endpoints of another organization that do not respond', async () => {
    const [slow, receiver] = [await world.receiving(), await world.receiving()];
    const held: ServerResponse[] = [];
    slow.answer = (_, response) => void held.push(response);
    const attacker = await anotherOrganization(world.service);
    for (let n = 0; n < 40; n += 1) await world.endpointFor(slow, { eventTypes: ['task.created'] }, attacker);
    await taskOf(attacker);
    await slow.count(10);
    await until(
      async () => (await metricsAt(metricsPort))[series('jobs_at_bound', { lane: 'deliveries' })],
      (organizations) => organizations === 1,
    );
    await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    // Each of these makes the service look for due work once more, and queue more of the other organization's, too.
    for (let delivered = 1; delivered <= 5; delivered += 1) {
      await taskOf(world.api);
      await receiver.count(delivered);
    }
    expect(slow.received.length).toBe(16);
    for (const response of held) response.writeHead(410).end();
    slow.answer = (_, response) => response.writeHead(410).end();
    await slow.count(40);
  });

  it('of a later event waits behind the earlier one of its subject, and behind no other', async () => {
    const receiver = await world.receiving();
    const [held, free] = [await taskOf(world.api), await taskOf(world.api)];
    let isHolding = true;
    receiver.answer = ({ body }, response) =>
      void response.writeHead(isHolding && body.data.subject.id === held ? 503 : 204).end();
    const { id } = await world.endpointFor(receiver);
    await world.api.post(`/tasks/${held}/start`);
    await receiver.count(1);
    await world.api.post(`/tasks/${held}/complete`);
    await world.api.post(`/tasks/${free}/start`);
    await receiver.count(2);
    expect(receiver.received.map(({ body }) => [body.type, body.data.subject.id])).toEqual([
      ['task.started', held],
      ['task.started', free],
    ]);
    isHolding = false;
    await until(
      () => world.deliveriesOf(id),
      (all) => all.some(({ nextAttemptAt, attempts }) => nextAttemptAt && attempts.length),
    );
    clock.advance(6_000);
    await receiver.count(4);
    expect(receiver.received.slice(2).map(({ body }) => body.type)).toEqual(['task.started', 'task.completed']);
  });

  it('to a slow or dead receiver delays no other', async () => {
    const [slow, dead, quick] = [await world.receiving(), await world.receiving(), await world.receiving()];
    slow.answer = () => undefined;
    await dead.close();
    for (const receiver of [slow, dead, quick]) await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    const startedAt = performance.now();
    for (let count = 1; count <= 5; count += 1) {
      await taskOf(world.api);
      await quick.count(count);
    }
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await slow.count(5);
  });

  it("runs in parallel with those of other records, after its own record's, up to a limit for each organization", async () => {
    const receiver = await world.receiving();
    const held: ServerResponse[] = [];
    receiver.answer = (_, response) => void held.push(response);
    const [tasks, endpoints, share] = [20, 6, 64];
    for (let n = 0; n < endpoints; n += 1)
      await world.endpointFor(receiver, { eventTypes: ['task.created', 'task.started'] });
    await Promise.all(
      Array.from({ length: tasks }, async () => await world.api.post(`/tasks/${await taskOf(world.api)}/start`)),
    );
    await receiver.count(share);
    await feedSettled(world.service);
    expect(new Set(receiver.received.map(({ body }) => body.type))).toEqual(new Set(['task.created']));
    // The first delivery of an endpoint needs no free place.
    expect(receiver.received.length).toBeLessThanOrEqual(share + endpoints);
    receiver.answer = (_, response) => void response.writeHead(204).end();
    for (const response of held) response.writeHead(204).end();
    await receiver.count(tasks * endpoints * 2);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(tasks * 2);
  });

  it('is the only one to an endpoint that failed last, until one succeeds', async () => {
    const receiver = await world.receiving();
    receiver.answer = (_, response) => void response.writeHead(500).end();
    const { id } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(world.api);
    await until(
      () => world.endpointNow(id),
      ({ failingSince }) => failingSince !== null,
    );
    const held: ServerResponse[] = [];
    receiver.answer = (_, response) => void held.push(response);
    await Promise.all(Array.from({ length: 5 }, () => taskOf(world.api)));
    await receiver.count(2);
    await feedSettled(world.service);
    expect(receiver.received).toHaveLength(2);
    receiver.answer = (_, response) => void response.writeHead(204).end();
    held[0]?.writeHead(204).end();
    await receiver.count(6);
  });

  it('is sent by one of several processes', async () => {
    const receiver = await world.receiving();
    receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 20);
    const second = await startApp(
      { OUTBOUND_ALLOW: '127.0.0.0/8' },
      { database: world.service.database, keyring: world.service.keyring },
    );
    const { id } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    await Promise.all(Array.from({ length: 15 }, () => taskOf(world.api)));
    await until(
      () => world.deliveriesOf(id),
      (all) => all.length === 15 && all.every(({ status }) => status === 'succeeded'),
    );
    expect(receiver.received).toHaveLength(15);
    await second.close();
  });

  it('is claimed by one process, reported once, and claimed by nobody after the endpoint is disabled', async () => {
    const dispatch = world.service.app.get(DispatchRepository);
    const { id } = await world.endpointFor(await world.receiving(), { eventTypes: ['task.created'] });
    const endpoint = { orgId: (await world.api.get('/me')).body.data.organization.id as string, id: id as string };
    const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const { sound, failing } = dispatch.claims;
    expect(await failing.take(endpoint)).toBeUndefined();
    const claim = (await sound.take(endpoint)) as Claim;
    expect(await sound.take(endpoint)).toBeUndefined();
    for (const name of ['First', 'Second']) await taskOf(world.api, { name });
    const next = (by: Claim, busy: string[] = []) => dispatch.next(by, at(1_000), 10, busy);
    const [delivery, ...others] = (await next(claim)) as [NextDelivery, ...NextDelivery[]];
    expect(others).toHaveLength(1);
    expect(await next(claim, [delivery.event.subject.id])).toEqual(others);
    expect(await next({ ...claim, fence: Number(claim.fence) - 1 })).toEqual([]);
    const succeeded = {
      status: 'succeeded',
      dueAt: at(0),
      attempt: { at: at(0), durationMs: 1, status: 204 },
    } as const;
    const finish = () =>
      dispatch.finish(claim, [
        { delivery, result: { ...succeeded, request: { url: '', headers: {} }, response: null } },
      ]);
    expect([await finish(), await finish()]).toEqual([[true], [false]]);
    await world.api.patch(`/webhook-endpoints/${id}`, { status: 'disabled' });
    expect(await next(claim)).toEqual([]);
    clock.advance(61_000);
    expect(await sound.take(endpoint)).toBeUndefined();
  });

  it('is taken over when the process that started it has ended', async () => {
    const receiver = await world.receiving();
    const { id } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    const leased = `update webhook_endpoints set leased_until = $1, lease = lease + 1`;
    await world.service.app.get(SystemDatabase).rows(leased, [new Date(Date.now() + 60_000).toISOString()]);
    const other = await world.receiving();
    await world.endpointFor(other, { eventTypes: ['task.created'] });
    await taskOf(world.api);
    await other.count(1);
    expect(receiver.received).toEqual([]);
    clock.advance(61_000);
    await receiver.count(1);
    await until(
      () => world.deliveriesOf(id),
      ([first]) => first.status === 'succeeded',
    );
  });
});
