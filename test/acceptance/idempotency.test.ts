import { randomUUID } from 'node:crypto';
import type { Json } from '../support/api.js';
import { expectEnvelope, refusals } from '../support/envelope.js';
import { until } from '../support/feed.js';
import { doorNames, openTarget, type Target } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

const inFlight = { type: 'conflict_error', code: 'CONFLICT' };

describe.each(doorNames)('IDM over %s', (door) => {
  const create = (name: string, idempotencyKey: string, requestId?: string) =>
    target.ask[door](
      'createTask',
      { name },
      { idempotencyKey, ...(requestId && { headers: { 'x-request-id': requestId } }) },
    );

  it('rejects the key for a different request with 422', async () => {
    const key = randomUUID();
    await create('one', key);
    const { status, body } = await create('two', key);
    expect([status, body.error.type]).toEqual([422, 'business_rule_error']);
  });

  it('replays the first response with its request id', async () => {
    const [key, id] = [randomUUID(), randomUUID()];
    const first = await create('x', key, id);
    const again = await create('x', key, randomUUID());
    expect(again.body).toEqual(first.body);
    expect(again.body.meta.requestId).toBe(id);
  });

  it('applies a request once that twenty connections send at the same time', async () => {
    const [key, name] = [randomUUID(), `At once ${randomUUID()}`];
    const replies = await Promise.all(Array.from({ length: 20 }, () => create(name, key)));
    expect(new Set(replies.flatMap(({ body }) => body.data?.id ?? [])).size).toBe(1);
    for (const { body } of replies.filter(({ status }) => status !== 201)) expect(body.error).toMatchObject(inFlight);
  });
});

describe('IDM', () => {
  it('rejects the key with 409 while the first request is in flight, over REST and MCP', async () => {
    const behaviour = { 'sim-lock-1': 'slow', 'sim-lock-2': 'slow' };
    const simulated = { provider: 'simulator', kind: 'device', name: 'Slow', credentials: {}, settings: { behaviour } };
    const connectionId = (await target.api.post('/connections', simulated)).body.data.id as string;
    const devices = (await target.api.get(`/devices?connectionId=${connectionId}`)).body.data as Json[];
    const contacts = async (lock: string) =>
      (await target.api.get(`/connections/${connectionId}`)).body.data.simulator[lock].contacts as number;
    const holdOpen = async (door: (typeof doorNames)[number], lock: string): Promise<void> => {
      const deviceId = devices.find(({ providerDeviceId }) => providerDeviceId === lock)?.id as string;
      const idempotencyKey = randomUUID();
      const unlock = () => target.ask[door]('unlockDevice', { deviceId }, { idempotencyKey });
      const first = unlock();
      await until(
        () => contacts(lock),
        (count) => count > 0,
      );
      const second = await unlock();
      expect([second.status, second.body.error]).toEqual([409, expect.objectContaining(inFlight)]);
      expect((await unlock()).status).toBe(409);
      // The lock takes longer than a response may.
      const { body } = await first;
      expect(body.data).toMatchObject({ status: 'sent', deviceId });
      expect([(await unlock()).body, await contacts(lock)]).toEqual([body, 1]);
    };
    await Promise.all([holdOpen('REST', 'sim-lock-1'), holdOpen('MCP', 'sim-lock-2')]);
    await target.api.post(`/connections/${connectionId}/disconnect`);
  });

  it('accepts the key in a header, over REST and MCP', async () => {
    const headers = { 'idempotency-key': randomUUID() };
    const rest = await target.api.post('/tasks', { name: 'x' }, headers);
    const mcp = await target.mcp.call('createTask', { name: 'x' }, { headers });
    expect(mcp.body).toEqual(rest.body);
    const again = await target.api.post('/tasks', { name: 'x' }, headers);
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([rest.text, 'true']);
  });

  it('rejects an invalid key', async () => {
    for (const key of [' ', 'x'.repeat(256)]) {
      const reply = await target.api.post('/tasks', { name: 'x' }, { 'idempotency-key': key });
      expect(key.length).not.toBe(0);
      expectEnvelope(reply, refusals.invalid);
    }
  });
});
