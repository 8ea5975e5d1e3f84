import { randomUUID } from 'node:crypto';
import { expectEnvelope, refusals } from '../support/envelope.js';
import { doorNames, openTarget, type Target } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe.each(doorNames)('IDM over %s', (door) => {
  const create = (name: string, idempotencyKey: string, requestId?: string) =>
    target.ask[door](
      'createTask',
      { name },
      { idempotencyKey, ...(requestId && { headers: { 'x-request-id': requestId } }) },
    );

  it('refuses the key for a different request with 422', async () => {
    const key = randomUUID();
    await create('one', key);
    const { status, body } = await create('two', key);
    expect([status, body.error.type]).toEqual([422, 'business_rule_error']);
  });

  it('replays the first answer with its request id', async () => {
    const [key, id] = [randomUUID(), randomUUID()];
    const first = await create('x', key, id);
    const again = await create('x', key, randomUUID());
    expect(again.body).toEqual(first.body);
    expect(again.body.meta.requestId).toBe(id);
  });

  it('refuses the key with 409 while the first request is in flight, and applies it once', async () => {
    const statuses = new Set<number>();
    for (let round = 0; round < 40 && !statuses.has(409); round += 1) {
      const [key, name] = [randomUUID(), `In flight ${randomUUID()}`];
      const replies = await Promise.all(Array.from({ length: 20 }, () => create(name, key)));
      replies.forEach(({ status }) => statuses.add(status));
      expect(new Set(replies.flatMap(({ body }) => body.data?.id ?? [])).size).toBe(1);
      for (const { body } of replies.filter(({ status }) => status !== 201)) {
        expect(body.error).toMatchObject({ type: 'conflict_error', code: 'CONFLICT' });
      }
    }
    expect(statuses).toEqual(new Set([201, 409]));
  });
});

describe('IDM', () => {
  it('takes the key from a header, at either door', async () => {
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
