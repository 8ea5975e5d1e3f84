import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createInterface } from 'node:readline';
import { Webhook } from 'standardwebhooks';
import type { Claim } from '#jobs';
import { SystemDatabase } from '#system-database';
import { DispatchRepository, type NextDelivery } from '../../../src/outside/webhooks/dispatch.repository.js';
import type { Api, Json } from '../../support/api.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { clock } from '../../support/clock.js';
import { issuePaths } from '../../support/envelope.js';
import { feedSettled, until } from '../../support/feed.js';
import { keyWith, propertyOf, taskOf } from '../../support/factories.js';
import { metricsAt, series } from '../../support/metrics.js';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.js';
import { freePort, type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
let metricsPort: number;
let receivers: Receiver[] = [];
beforeAll(async () => {
  metricsPort = await freePort();
  service = await startApp({ OUTBOUND_ALLOW: '127.0.0.0/8', METRICS_PORT: String(metricsPort) });
  api = (await keyWith(service.api)).api;
});
afterAll(() => service.close());
afterEach(async () => {
  clock.restore();
  for (const { id } of (await api.get('/webhook-endpoints?limit=100')).body.data)
    await api.delete(`/webhook-endpoints/${id}`);
  await Promise.all(receivers.map((receiver) => receiver.close()));
  receivers = [];
});

async function receiving(): Promise<Receiver> {
  const receiver = await startReceiver();
  receivers.push(receiver);
  return receiver;
}

async function endpointFor({ url }: Pick<Receiver, 'url'>, wishes: object = {}, by = api): Promise<Json> {
  const { status, body } = await by.post('/webhook-endpoints', { url, eventTypes: ['*'], ...wishes });
  if (status !== 201) throw new Error(JSON.stringify(body));
  return body.data;
}

const deliveriesOf = async (endpointId: string): Promise<Json[]> =>
  (await api.get(`/webhook-deliveries?limit=100&endpointId=${endpointId}`)).body.data;
const endpointNow = async (endpointId: string): Promise<Json> =>
  (await api.get('/webhook-endpoints?limit=100')).body.data.find(({ id }: Json) => id === endpointId);
const attemptsOf = async (endpointId: string): Promise<number> => (await deliveriesOf(endpointId))[0].attempts.length;

/** As the library of standardwebhooks.com sees it. */
function isSignedWith(secret: string, { headers, text }: Received): boolean {
  try {
    new Webhook(secret).verify(text, headers as Record<string, string>);
    return true;
  } catch {
    return false;
  }
}

/** The time of the next attempt, and a little more for its jitter. */
async function passTheDelay(endpointId: string): Promise<void> {
  const [{ nextAttemptAt }] = await deliveriesOf(endpointId);
  clock.set(Date.parse(nextAttemptAt) + 1_000);
}

describe('a delivery', () => {
  it('of an organization that is closed waits until it is open again', async () => {
    const receiver = await receiving();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id: endpointId } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(api);
    await until(
      () => attemptsOf(endpointId),
      (attempts) => attempts === 1,
    );
    const [{ nextAttemptAt }] = await deliveriesOf(endpointId);
    const turn = (status: string) =>
      service.app.get(SystemDatabase).rows('update organizations set status = $1', [status]);
    await turn('closed');
    clock.set(Date.parse(nextAttemptAt as string) + 1_000);
    const due = () => service.app.get(DispatchRepository).due(new Date().toISOString(), true, 10);
    expect(await due()).toEqual([]);
    receiver.answer = (_, response) => response.writeHead(204).end();
    await turn('active');
    service.app.get(DispatchRepository).becomesDue();
    await receiver.count(2);
  });

  it('is a signed post of the event', async () => {
    const receiver = await receiving();
    const { id: endpointId, secret } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    const taskId = await taskOf(api);
    await api.post(`/tasks/${taskId}/start`);
    await receiver.count(1);
    const [delivery] = receiver.received as [Received];
    const event = (
      await until(
        () => api.get(`/events?subject=${taskId}`),
        ({ body }) => body.data.length > 0,
      )
    ).body.data[0];
    expect(delivery.body).toEqual({ type: 'task.created', timestamp: event.occurredAt, data: event });
    expect(delivery.headers).toMatchObject({ 'content-type': 'application/json', 'webhook-id': event.id });
    expect(Math.abs(Number(delivery.headers['webhook-timestamp']) - Date.now() / 1_000)).toBeLessThan(5);
    expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    expect(isSignedWith(secret, delivery)).toBe(true);
    expect(isSignedWith(secret, { ...delivery, text: delivery.text.replace('linen', 'lemon') })).toBe(false);
    const log = await until(
      () => deliveriesOf(endpointId),
      ([first]) => first.status === 'succeeded',
    );
    expect(log).toEqual([
      {
        id: expect.stringMatching(/^delivery_/),
        endpointId,
        eventId: event.id,
        eventType: 'task.created',
        status: 'succeeded',
        attempts: [{ at: expect.any(String), durationMs: expect.any(Number), status: 204 }],
        nextAttemptAt: null,
        request: {
          url: receiver.url,
          headers: expect.objectContaining({ 'webhook-id': event.id }),
          body: delivery.text,
        },
        response: { status: 204, body: '' },
        createdAt: expect.any(String),
        finishedAt: expect.any(String),
      },
    ]);
    expect(receiver.received).toHaveLength(1);
  });

  it('does not wait for many endpoints of another organization that do not respond', async () => {
    const [slow, receiver] = [await receiving(), await receiving()];
    const held: ServerResponse[] = [];
    slow.answer = (_, response) => void held.push(response);
    const attacker = await anotherOrganization(service);
    for (let n = 0; n < 40; n += 1) await endpointFor(slow, { eventTypes: ['task.created'] }, attacker);
    await taskOf(attacker);
    await slow.count(10);
    await until(
      async () => (await metricsAt(metricsPort))[series('jobs_at_bound', { lane: 'deliveries' })],
      (organizations) => organizations === 1,
    );
    await endpointFor(receiver, { eventTypes: ['task.created'] });
    // Each of these makes the service look for due work once more, and queue more of the other organization's, too.
    for (let delivered = 1; delivered <= 5; delivered += 1) {
      await taskOf(api);
      await receiver.count(delivered);
    }
    expect(slow.received.length).toBe(16);
    for (const response of held) response.writeHead(410).end();
    slow.answer = (_, response) => response.writeHead(410).end();
    await slow.count(40);
  });

  it('is accepted by the receiver in docs/webhooks.md, which accepts no other', async () => {
    const [, receiver] = /```js\n(.*?)```/s.exec(readFileSync('docs/webhooks.md', 'utf8')) as unknown as [
      string,
      string,
    ];
    const port = await freePort();
    const { secret } = await endpointFor({ url: `http://127.0.0.1:${port}` }, { eventTypes: ['task.created'] });
    const program = `${receiver.replace('8080', String(port))}\nconsole.log('listening');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    try {
      expect((await lines.next()).value).toBe('listening');
      const taskId = await taskOf(api);
      expect((await lines.next()).value).toBe(`task.created ${taskId} 1`);
      const forged = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' });
      expect(forged.status).toBe(400);
    } finally {
      child.kill();
    }
  });

  it('carries both signatures for a day after a rotation', async () => {
    const receiver = await receiving();
    const { id, secret } = await endpointFor(receiver);
    const { body } = await api.post(`/webhook-endpoints/${id}/rotate-secret`);
    expect(body.data.secret).not.toBe(secret);
    await taskOf(api);
    await receiver.count(1);
    const [both] = receiver.received as [Received];
    expect([isSignedWith(secret, both), isSignedWith(body.data.secret, both)]).toEqual([true, true]);
    clock.advance(24 * 60 * 60_000 + 1_000);
    await taskOf(api);
    await receiver.count(2);
    const [, one] = receiver.received as [Received, Received];
    expect([isSignedWith(secret, one), isSignedWith(body.data.secret, one)]).toEqual([false, true]);
  });

  it('is retried on the schedule with the same id and bytes, and then abandoned', async () => {
    const receiver = await receiving();
    receiver.answer = (_, response) => response.writeHead(500).end('down');
    const { id } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(api);
    const waitsMs: number[] = [];
    for (let attempt = 1; attempt < 10; attempt += 1) {
      await receiver.count(attempt);
      await until(
        () => attemptsOf(id),
        (attempts) => attempts === attempt,
      );
      const [{ attempts, nextAttemptAt }] = await deliveriesOf(id);
      waitsMs.push(Date.parse(nextAttemptAt) - Date.parse(attempts.at(-1).at));
      await passTheDelay(id);
    }
    await receiver.count(10);
    const [given] = await until(
      () => deliveriesOf(id),
      ([first]) => first.status === 'failed',
    );
    expect(given).toMatchObject({ nextAttemptAt: null, response: { status: 500, body: 'down' } });
    const [s, m, h] = [1_000, 60_000, 3_600_000];
    const schedule = [5 * s, 5 * m, 30 * m, 2 * h, 5 * h, 10 * h, 14 * h, 20 * h, 24 * h];
    waitsMs.forEach((wait, index) => {
      const planned = schedule[index] as number;
      expect(wait).toBeGreaterThan(planned * 0.89);
      expect(wait).toBeLessThan(planned * 1.11 + 2_000);
    });
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(1);
    expect(new Set(receiver.received.map(({ text }) => text)).size).toBe(1);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-timestamp'])).size).toBe(10);
  });

  it('fails if it is redirected, and the redirect is not followed', async () => {
    const [receiver, elsewhere] = [await receiving(), await receiving()];
    receiver.answer = (_, response) => response.writeHead(302, { location: elsewhere.url }).end();
    const { id } = await endpointFor(receiver);
    await taskOf(api);
    await receiver.count(1);
    const [delivery] = await until(
      () => deliveriesOf(id),
      ([first]) => first.attempts.length === 1,
    );
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status: 302 }] });
    expect(elsewhere.received).toEqual([]);
  });

  it('that gets a 410 disables the endpoint, which gets nothing until it is enabled again', async () => {
    const receiver = await receiving();
    receiver.answer = (_, response) => response.writeHead(410).end();
    const { id } = await endpointFor(receiver);
    await taskOf(api);
    await until(
      () => endpointNow(id),
      ({ status }) => status === 'disabled',
    );
    receiver.answer = (_, response) => response.writeHead(204).end();
    await taskOf(api);
    expect((await api.post(`/webhook-endpoints/${id}/test`)).body.error.code).toBe('WEBHOOK_ENDPOINT_DISABLED');
    expect((await deliveriesOf(id)).map(({ status }) => status)).toEqual(['failed']);
    const { body } = await api.patch(`/webhook-endpoints/${id}`, { status: 'enabled' });
    expect(body.data).toMatchObject({ status: 'enabled', failingSince: null });
    await taskOf(api);
    await receiver.count(2);
  });

  it('of a later event waits behind the earlier one of its subject, and behind no other', async () => {
    const receiver = await receiving();
    const [held, free] = [await taskOf(api), await taskOf(api)];
    let isHolding = true;
    receiver.answer = ({ body }, response) =>
      void response.writeHead(isHolding && body.data.subject.id === held ? 503 : 204).end();
    const { id } = await endpointFor(receiver);
    await api.post(`/tasks/${held}/start`);
    await receiver.count(1);
    await api.post(`/tasks/${held}/complete`);
    await api.post(`/tasks/${free}/start`);
    await receiver.count(2);
    expect(receiver.received.map(({ body }) => [body.type, body.data.subject.id])).toEqual([
      ['task.started', held],
      ['task.started', free],
    ]);
    isHolding = false;
    await until(
      () => deliveriesOf(id),
      (all) => all.some(({ nextAttemptAt, attempts }) => nextAttemptAt && attempts.length),
    );
    clock.advance(6_000);
    await receiver.count(4);
    expect(receiver.received.slice(2).map(({ body }) => body.type)).toEqual(['task.started', 'task.completed']);
  });

  it('to a slow or dead receiver delays no other', async () => {
    const [slow, dead, quick] = [await receiving(), await receiving(), await receiving()];
    slow.answer = () => undefined;
    await dead.close();
    for (const receiver of [slow, dead, quick]) await endpointFor(receiver, { eventTypes: ['task.created'] });
    const startedAt = performance.now();
    for (let count = 1; count <= 5; count += 1) {
      await taskOf(api);
      await quick.count(count);
    }
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    await slow.count(5);
  });

  it("runs in parallel with those of other records, after its own record's, up to a limit for each organization", async () => {
    const receiver = await receiving();
    const held: ServerResponse[] = [];
    receiver.answer = (_, response) => void held.push(response);
    const [tasks, endpoints, share] = [20, 6, 64];
    for (let n = 0; n < endpoints; n += 1)
      await endpointFor(receiver, { eventTypes: ['task.created', 'task.started'] });
    await Promise.all(Array.from({ length: tasks }, async () => await api.post(`/tasks/${await taskOf(api)}/start`)));
    await receiver.count(share);
    await feedSettled(service);
    expect(new Set(receiver.received.map(({ body }) => body.type))).toEqual(new Set(['task.created']));
    // The first delivery of an endpoint needs no free place.
    expect(receiver.received.length).toBeLessThanOrEqual(share + endpoints);
    receiver.answer = (_, response) => void response.writeHead(204).end();
    for (const response of held) response.writeHead(204).end();
    await receiver.count(tasks * endpoints * 2);
    expect(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size).toBe(tasks * 2);
  });

  it('is the only one to an endpoint that failed last, until one succeeds', async () => {
    const receiver = await receiving();
    receiver.answer = (_, response) => void response.writeHead(500).end();
    const { id } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(api);
    await until(
      () => endpointNow(id),
      ({ failingSince }) => failingSince !== null,
    );
    const held: ServerResponse[] = [];
    receiver.answer = (_, response) => void held.push(response);
    await Promise.all(Array.from({ length: 5 }, () => taskOf(api)));
    await receiver.count(2);
    await feedSettled(service);
    expect(receiver.received).toHaveLength(2);
    receiver.answer = (_, response) => void response.writeHead(204).end();
    held[0]?.writeHead(204).end();
    await receiver.count(6);
  });

  it('reaches a receiver that fails every third time, each event in the order of its subject', async () => {
    const receiver = await receiving();
    let requests = 0;
    receiver.answer = (_, response) => void response.writeHead((requests += 1) % 3 === 0 ? 500 : 204).end();
    const { id } = await endpointFor(receiver, { eventTypes: ['task.created', 'task.started', 'task.completed'] });
    const taskIds = await Promise.all(Array.from({ length: 10 }, () => taskOf(api)));
    for (const taskId of taskIds) await api.post(`/tasks/${taskId}/start`);
    for (const taskId of taskIds) await api.post(`/tasks/${taskId}/complete`);
    for (let left = 1; left > 0;) {
      clock.advance(10 * 60_000);
      const isLater = ({ nextAttemptAt }: Json): boolean =>
        nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now();
      const tried = await until(
        () => deliveriesOf(id),
        (all) => all.every((delivery) => delivery.status === 'succeeded' || isLater(delivery)),
      );
      left = tried.filter(({ status }) => status !== 'succeeded').length;
    }
    for (const taskId of taskIds) {
      const received = receiver.received.filter(({ body }) => body.data.subject.id === taskId);
      const order = [...new Map(received.map(({ body }) => [body.data.id, body.type])).values()];
      expect(order).toEqual(['task.created', 'task.started', 'task.completed']);
    }
  });

  it('is sent by one of several processes', async () => {
    const receiver = await receiving();
    receiver.answer = (_, response) => void setTimeout(() => response.writeHead(204).end(), 20);
    const second = await startApp(
      { OUTBOUND_ALLOW: '127.0.0.0/8' },
      { database: service.database, keyring: service.keyring },
    );
    const { id } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await Promise.all(Array.from({ length: 15 }, () => taskOf(api)));
    await until(
      () => deliveriesOf(id),
      (all) => all.length === 15 && all.every(({ status }) => status === 'succeeded'),
    );
    expect(receiver.received).toHaveLength(15);
    await second.close();
  });

  it('is claimed by one process, reported once, and claimed by nobody after the endpoint is disabled', async () => {
    const dispatch = service.app.get(DispatchRepository);
    const { id } = await endpointFor(await receiving(), { eventTypes: ['task.created'] });
    const endpoint = { orgId: (await api.get('/me')).body.data.organization.id as string, id: id as string };
    const at = (ms: number): string => new Date(Date.now() + ms).toISOString();
    const { sound, failing } = dispatch.claims;
    expect(await failing.take(endpoint)).toBeUndefined();
    const claim = (await sound.take(endpoint)) as Claim;
    expect(await sound.take(endpoint)).toBeUndefined();
    for (const name of ['First', 'Second']) await taskOf(api, { name });
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
    await api.patch(`/webhook-endpoints/${id}`, { status: 'disabled' });
    expect(await next(claim)).toEqual([]);
    clock.advance(61_000);
    expect(await sound.take(endpoint)).toBeUndefined();
  });

  it('is taken over when the process that started it has ended', async () => {
    const receiver = await receiving();
    const { id } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    const leased = `update webhook_endpoints set leased_until = $1, lease = lease + 1`;
    const { SystemDatabase } = await import('#system-database');
    await service.app.get(SystemDatabase).rows(leased, [new Date(Date.now() + 60_000).toISOString()]);
    const other = await receiving();
    await endpointFor(other, { eventTypes: ['task.created'] });
    await taskOf(api);
    await other.count(1);
    expect(receiver.received).toEqual([]);
    clock.advance(61_000);
    await receiver.count(1);
    await until(
      () => deliveriesOf(id),
      ([first]) => first.status === 'succeeded',
    );
  });
});

describe('an endpoint that always fails', () => {
  it('is degraded after a day, with an event, and disabled after five', async () => {
    const [receiver, watcher] = [await receiving(), await receiving()];
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await endpointFor(watcher, { eventTypes: ['webhook_endpoint.degraded', 'webhook_endpoint.disabled'] });
    await taskOf(api);
    await until(
      () => endpointNow(id),
      ({ failingSince }) => failingSince !== null,
    );
    expect((await endpointNow(id)).status).toBe('enabled');
    clock.advance(25 * 60 * 60_000);
    await until(
      () => endpointNow(id),
      ({ status }) => status === 'degraded',
    );
    await watcher.count(1);
    clock.advance(4 * 24 * 60 * 60_000);
    await taskOf(api);
    await until(
      () => endpointNow(id),
      ({ status }) => status === 'disabled',
    );
    await watcher.count(2);
    expect(watcher.received.map(({ body }) => [body.type, body.data.subject.id, body.data.actor.type])).toEqual([
      ['webhook_endpoint.degraded', id, 'service'],
      ['webhook_endpoint.disabled', id, 'service'],
    ]);
  });

  it('is degraded before it is disabled, even if nothing was sent for five days', async () => {
    const receiver = await receiving();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(api);
    await until(
      () => attemptsOf(id),
      (attempts) => attempts === 1,
    );
    clock.advance(6 * 24 * 60 * 60_000);
    await until(
      () => attemptsOf(id),
      (attempts) => attempts === 2,
    );
    expect((await endpointNow(id)).status).toBe('degraded');
    await passTheDelay(id);
    await until(
      () => endpointNow(id),
      ({ status }) => status === 'disabled',
    );
  });

  it('is healthy again after one success', async () => {
    const receiver = await receiving();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(api);
    await until(
      () => endpointNow(id),
      ({ failingSince }) => failingSince !== null,
    );
    receiver.answer = (_, response) => response.writeHead(204).end();
    clock.advance(6_000);
    await until(
      () => endpointNow(id),
      ({ failingSince }) => failingSince === null,
    );
  });
});

describe('testWebhookEndpoint', () => {
  it('sends a test whatever types are selected', async () => {
    const receiver = await receiving();
    const { id } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    const { status, body } = await api.post(`/webhook-endpoints/${id}/test`);
    expect([status, body.data.status, body.data.eventType]).toEqual([200, 'pending', 'webhook_endpoint.tested']);
    await receiver.count(1);
    expect(receiver.received[0]?.headers['webhook-id']).toBe(body.data.eventId);
  });
});

describe('replayWebhookDeliveries', () => {
  it('sends one event again with its original id', async () => {
    const receiver = await receiving();
    const { id: endpointId } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(api);
    await receiver.count(1);
    const [{ eventId }] = await until(
      () => deliveriesOf(endpointId),
      ([first]) => first.status === 'succeeded',
    );
    const { body } = await api.post('/webhook-deliveries/replay', { endpointId, eventId });
    expect(body.data).toEqual({ endpointId, replayed: 1 });
    await receiver.count(2);
    expect(receiver.received.map(({ headers }) => headers['webhook-id'])).toEqual([eventId, eventId]);
    expect(receiver.received[1]?.text).toBe(receiver.received[0]?.text);
  });

  it('makes the next attempt of a failing delivery now, and of no other delivery', async () => {
    const receiver = await receiving();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id: endpointId } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(api);
    const [{ eventId }] = await until(
      () => deliveriesOf(endpointId),
      ([first]) => first?.attempts.length === 1,
    );
    receiver.answer = (_, response) => response.writeHead(204).end();
    const { body } = await api.post('/webhook-deliveries/replay', { endpointId, eventId });
    expect(body.data).toEqual({ endpointId, replayed: 0 });
    await until(
      () => deliveriesOf(endpointId),
      ([first]) => first.status === 'succeeded',
    );
    expect(await deliveriesOf(endpointId)).toHaveLength(1);
    expect(receiver.received).toHaveLength(2);
  });

  it('sends past events to an endpoint that did not exist then, of its types and properties', async () => {
    clock.advance(60_000);
    const from = new Date().toISOString();
    const propertyId = await propertyOf(api);
    const wanted = [await taskOf(api, { propertyId }), await taskOf(api, { propertyId })];
    await taskOf(api);
    await api.post(`/tasks/${wanted[0]}/start`);
    const receiver = await receiving();
    const { id: endpointId } = await endpointFor(receiver, { eventTypes: ['task.created'], propertyIds: [propertyId] });
    clock.advance(1_000);
    const replay = { endpointId, from, to: new Date().toISOString() };
    expect((await api.post('/webhook-deliveries/replay', replay)).body.data.replayed).toBe(2);
    await receiver.count(2);
    expect(receiver.received.map(({ body }) => body.data.subject.id)).toEqual(wanted);
  });

  it('rejects a request that names no events, or names them in both ways', async () => {
    const { id: endpointId } = await endpointFor(await receiving(), { eventTypes: ['task.created'] });
    await feedSettled(service);
    const [{ id: eventId }] = (await api.get('/events?limit=1')).body.data;
    const [from, to] = ['2026-01-01T00:00:00Z', '2026-01-02T00:00:00Z'];
    const eventTypes = ['task.created'];
    for (const wish of [{}, { to }, { eventTypes }, { eventId, from }, { eventId, to }, { eventId, eventTypes }]) {
      const { status, body } = await api.post('/webhook-deliveries/replay', { endpointId, ...wish });
      expect([status, body.error?.details.key]).toEqual([400, 'WEBHOOK_REPLAY_WITHOUT_EVENTS']);
    }
  });

  it('rejects a time range that ends before it starts, and types that are unknown or that the endpoint did not select', async () => {
    const { id: endpointId } = await endpointFor(await receiving(), { eventTypes: ['task.created'] });
    const any = await endpointFor(await receiving());
    const from = '2026-01-02T00:00:00Z';
    const ask = async (wish: object) => {
      const reply = await api.post('/webhook-deliveries/replay', { endpointId, from, ...wish });
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
    const [here, elsewhere] = [await propertyOf(api), await propertyOf(api)];
    const taskId = await taskOf(api, { propertyId: here });
    await api.post(`/tasks/${taskId}/start`);
    await feedSettled(service);
    const [created, started] = (await api.get(`/events?subject=${taskId}`)).body.data;
    const replay = async (wishes: object, eventId: string) => {
      const { id: endpointId } = await endpointFor(await receiving(), { eventTypes: ['task.created'], ...wishes });
      return await api.post('/webhook-deliveries/replay', { endpointId, eventId });
    };
    for (const refused of [await replay({}, started.id), await replay({ propertyIds: [elsewhere] }, created.id)])
      expect([refused.status, issuePaths(refused)]).toEqual([400, ['eventId']]);
    for (const wishes of [{}, { propertyIds: [here] }, { eventTypes: ['*'] }])
      expect((await replay(wishes, created.id)).body.data.replayed).toBe(1);
  });

  it('sends nothing twice that is already pending', async () => {
    const receiver = await receiving();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id: endpointId } = await endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(api);
    const [{ eventId }] = await until(
      () => deliveriesOf(endpointId),
      ([first]) => first?.attempts.length === 1,
    );
    await api.post('/webhook-deliveries/replay', { endpointId, eventId });
    expect(await deliveriesOf(endpointId)).toHaveLength(1);
  });
});
