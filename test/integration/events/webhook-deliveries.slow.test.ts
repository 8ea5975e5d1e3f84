import { spawn } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { taskOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import type { Received } from '../../support/receiver.js';
import { freePort } from '../../support/start-app.js';
import { isSignedWith, WebhookWorld } from './webhook-world.js';

let world: WebhookWorld;
beforeAll(async () => {
  world = await WebhookWorld.start();
});
afterEach(() => world.reset());
afterAll(() => world.service.close());

describe('a delivery', () => {
  it('is a signed post of the event', async () => {
    const receiver = await world.receiving();
    const { id: endpointId, secret } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    const taskId = await taskOf(world.api);
    await world.api.post(`/tasks/${taskId}/start`);
    await receiver.count(1);
    const [delivery] = receiver.received as [Received];
    const event = (
      await until(
        () => world.api.get(`/events?subject=${taskId}`),
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
      () => world.deliveriesOf(endpointId),
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

  it('is accepted by the receiver in docs/webhooks.md, which accepts no other', async () => {
    const [, receiver] = /```js\n(.*?)```/s.exec(readFileSync('docs/webhooks.md', 'utf8')) as unknown as [
      string,
      string,
    ];
    const port = await freePort();
    const { secret } = await world.endpointFor({ url: `http://127.0.0.1:${port}` }, { eventTypes: ['task.created'] });
    const program = `${receiver.replace('8080', String(port))}\nconsole.log('listening');`;
    const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
      env: { SECRET: secret },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
    try {
      expect((await lines.next()).value).toBe('listening');
      const taskId = await taskOf(world.api);
      expect((await lines.next()).value).toBe(`task.created ${taskId} 1`);
      const forged = await fetch(`http://127.0.0.1:${port}`, { method: 'POST', body: '{}' });
      expect(forged.status).toBe(400);
    } finally {
      child.kill();
    }
  });

  it('carries both signatures for a day after a rotation', async () => {
    const receiver = await world.receiving();
    const { id, secret } = await world.endpointFor(receiver);
    const { body } = await world.api.post(`/webhook-endpoints/${id}/rotate-secret`);
    expect(body.data.secret).not.toBe(secret);
    await taskOf(world.api);
    await receiver.count(1);
    const [both] = receiver.received as [Received];
    expect([isSignedWith(secret, both), isSignedWith(body.data.secret, both)]).toEqual([true, true]);
    clock.advance(24 * 60 * 60_000 + 1_000);
    await taskOf(world.api);
    await receiver.count(2);
    const [, one] = receiver.received as [Received, Received];
    expect([isSignedWith(secret, one), isSignedWith(body.data.secret, one)]).toEqual([false, true]);
  });

  it('is retried on the schedule with the same id and bytes, and then abandoned', async () => {
    const receiver = await world.receiving();
    receiver.answer = (_, response) => response.writeHead(500).end('down');
    const { id } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(world.api);
    const waitsMs: number[] = [];
    for (let attempt = 1; attempt < 10; attempt += 1) {
      await receiver.count(attempt);
      await until(
        () => world.attemptsOf(id),
        (attempts) => attempts === attempt,
      );
      const [{ attempts, nextAttemptAt }] = await world.deliveriesOf(id);
      waitsMs.push(Date.parse(nextAttemptAt) - Date.parse(attempts.at(-1).at));
      await world.passTheDelay(id);
    }
    await receiver.count(10);
    const [given] = await until(
      () => world.deliveriesOf(id),
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
    const [receiver, elsewhere] = [await world.receiving(), await world.receiving()];
    receiver.answer = (_, response) => response.writeHead(302, { location: elsewhere.url }).end();
    const { id } = await world.endpointFor(receiver);
    await taskOf(world.api);
    await receiver.count(1);
    const [delivery] = await until(
      () => world.deliveriesOf(id),
      ([first]) => first.attempts.length === 1,
    );
    expect(delivery).toMatchObject({ status: 'pending', attempts: [{ status: 302 }] });
    expect(elsewhere.received).toEqual([]);
  });

  it('that gets a 410 disables the endpoint, which gets nothing until it is enabled again', async () => {
    const receiver = await world.receiving();
    receiver.answer = (_, response) => response.writeHead(410).end();
    const { id } = await world.endpointFor(receiver);
    await taskOf(world.api);
    await until(
      () => world.endpointNow(id),
      ({ status }) => status === 'disabled',
    );
    receiver.answer = (_, response) => response.writeHead(204).end();
    await taskOf(world.api);
    expect((await world.api.post(`/webhook-endpoints/${id}/test`)).body.error.code).toBe('WEBHOOK_ENDPOINT_DISABLED');
    expect((await world.deliveriesOf(id)).map(({ status }) => status)).toEqual(['failed']);
    const { body } = await world.api.patch(`/webhook-endpoints/${id}`, { status: 'enabled' });
    expect(body.data).toMatchObject({ status: 'enabled', failingSince: null });
    await taskOf(world.api);
    await receiver.count(2);
  });

  it('reaches a receiver that fails every third time, each event in the order of its subject', async () => {
    const receiver = await world.receiving();
    let requests = 0;
    receiver.answer = (_, response) => void response.writeHead((requests += 1) % 3 === 0 ? 500 : 204).end();
    const { id } = await world.endpointFor(receiver, {
      eventTypes: ['task.created', 'task.started', 'task.completed'],
    });
    const taskIds = await Promise.all(Array.from({ length: 10 }, () => taskOf(world.api)));
    for (const taskId of taskIds) await world.api.post(`/tasks/${taskId}/start`);
    for (const taskId of taskIds) await world.api.post(`/tasks/${taskId}/complete`);
    for (let left = 1; left > 0;) {
      clock.advance(10 * 60_000);
      const isLater = ({ nextAttemptAt }: Json): boolean =>
        nextAttemptAt !== null && Date.parse(nextAttemptAt) > Date.now();
      const tried = await until(
        () => world.deliveriesOf(id),
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
});

describe('an endpoint that always fails', () => {
  it('is degraded after a day, with an event, and disabled after five', async () => {
    const [receiver, watcher] = [await world.receiving(), await world.receiving()];
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    await world.endpointFor(watcher, { eventTypes: ['webhook_endpoint.degraded', 'webhook_endpoint.disabled'] });
    await taskOf(world.api);
    await until(
      () => world.endpointNow(id),
      ({ failingSince }) => failingSince !== null,
    );
    expect((await world.endpointNow(id)).status).toBe('enabled');
    clock.advance(25 * 60 * 60_000);
    await until(
      () => world.endpointNow(id),
      ({ status }) => status === 'degraded',
    );
    await watcher.count(1);
    clock.advance(4 * 24 * 60 * 60_000);
    await taskOf(world.api);
    await until(
      () => world.endpointNow(id),
      ({ status }) => status === 'disabled',
    );
    await watcher.count(2);
    expect(watcher.received.map(({ body }) => [body.type, body.data.subject.id, body.data.actor.type])).toEqual([
      ['webhook_endpoint.degraded', id, 'service'],
      ['webhook_endpoint.disabled', id, 'service'],
    ]);
  });

  it('is degraded before it is disabled, even if nothing was sent for five days', async () => {
    const receiver = await world.receiving();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(world.api);
    await until(
      () => world.attemptsOf(id),
      (attempts) => attempts === 1,
    );
    clock.advance(6 * 24 * 60 * 60_000);
    await until(
      () => world.attemptsOf(id),
      (attempts) => attempts === 2,
    );
    expect((await world.endpointNow(id)).status).toBe('degraded');
    await world.passTheDelay(id);
    await until(
      () => world.endpointNow(id),
      ({ status }) => status === 'disabled',
    );
  });

  it('is healthy again after one success', async () => {
    const receiver = await world.receiving();
    receiver.answer = (_, response) => response.writeHead(500).end();
    const { id } = await world.endpointFor(receiver, { eventTypes: ['task.created'] });
    await taskOf(world.api);
    await until(
      () => world.endpointNow(id),
      ({ failingSince }) => failingSince !== null,
    );
    receiver.answer = (_, response) => response.writeHead(204).end();
    clock.advance(6_000);
    await until(
      () => world.endpointNow(id),
      ({ failingSince }) => failingSince === null,
    );
  });
});
