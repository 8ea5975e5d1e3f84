import type { Caller } from '#access';
import { newId } from '#persistence';
import { EventFeed } from '../../../src/platform/events/event-feed.service.js';
import { Readiness } from '../../../src/platform/health/readiness.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import type { Api } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { openEventSource } from '../../support/event-source.js';
import { feedSettled, until } from '../../support/feed.js';
import { keyWith, propertyOf, taskOf } from '../../support/factories.js';
import { mcpOf } from '../../support/mcp.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
let key: string;
beforeAll(async () => {
  service = await startApp();
  ({ api, key } = await keyWith(service.api));
});
afterAll(() => service.close());
afterEach(() => clock.restore());

describe('streamEvents', () => {
  it('starts now and sends events as listEvents returns them', async () => {
    await taskOf(api);
    await feedSettled(service);
    const source = await openEventSource(service.url, key);
    expect(source.status).toBe(200);
    expect(source.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    const id = await taskOf(api);
    await source.received(1);
    const { body } = await api.get(`/events?subject=${id}`);
    expect(source.events).toEqual([{ id: body.data[0].id, data: body.data[0] }]);
    source.drop();
  });

  it('misses nothing when the connection is lost and resumed', async () => {
    await feedSettled(service);
    const first = await openEventSource(service.url, key, { query: '?types=task.created' });
    const made = [await taskOf(api), await taskOf(api)];
    await first.received(2);
    first.drop();
    made.push(await taskOf(api), await taskOf(api));
    const lastEventId = first.events[0]?.id;
    const second = await openEventSource(service.url, key, { lastEventId, query: '?types=task.created' });
    made.push(await taskOf(api));
    await second.received(4);
    const received = [first.events[0], ...second.events].map((event) => event?.data.subject.id);
    expect(received).toEqual(made);
    second.drop();
  });

  it('is limited to the properties of the credential', async () => {
    const [mine, other] = [await propertyOf(api), await propertyOf(api)];
    const restricted = await keyWith(api, { propertyIds: [mine] });
    await feedSettled(service);
    const source = await openEventSource(service.url, restricted.key);
    await taskOf(api, { propertyId: other });
    const id = await taskOf(api, { propertyId: mine });
    await source.received(1);
    expect(source.events.map(({ data }) => data.subject.id)).toEqual([id]);
    source.drop();
  });

  it('keeps a silent connection alive', async () => {
    const quiet = await openEventSource(service.url, key, { query: `?subject=task_${'0'.repeat(32)}` });
    clock.advance(16_000);
    const [comment] = await until(
      async () => quiet.comments,
      ({ length }) => length > 0,
    );
    expect(comment).toMatch(/^: /);
    quiet.drop();
  });

  it('ends soon after the credential is revoked', async () => {
    const revoked = await keyWith(api);
    const source = await openEventSource(service.url, revoked.key);
    await api.post(`/api-keys/${revoked.id}/revoke`);
    clock.advance(6_000);
    await source.ended;
  });

  it('rejects a malformed id', async () => {
    const source = await openEventSource(service.url, key, { lastEventId: 'task_1' });
    expect(source.status).toBe(404);
  });

  describe('up to a hundred streams at the same time', () => {
    const feed = () => service.app.get(EventFeed, { strict: false });
    const tooMany = { code: 'TOO_MANY_STREAMS' };
    let caller: Caller;
    beforeEach(() => {
      caller = operatorFor(newId('org'), newId('member'));
    });

    it('reject one more, even if all are requested at the same time', async () => {
      const asked = await Promise.allSettled(Array.from({ length: 101 }, () => feed().stream(caller, {})));
      expect(asked.filter(({ status }) => status === 'rejected')).toEqual([
        { status: 'rejected', reason: expect.objectContaining(tooMany) },
      ]);
    });

    it('release the place of a stream that was rejected, or closed before it was read', async () => {
      const lastEventId = 'event_of_nobody';
      const refused = await Promise.allSettled(
        Array.from({ length: 100 }, () => feed().stream(caller, { lastEventId })),
      );
      expect(refused.filter(({ status }) => status === 'rejected')).toHaveLength(100);
      const streams = await Promise.all(Array.from({ length: 100 }, () => feed().stream(caller, {})));
      await expect(feed().stream(caller, {})).rejects.toMatchObject(tooMany);
      await streams[0]?.[Symbol.asyncIterator]().return?.();
      await feed().stream(caller, {});
    });

    it('release the place of a client that left before it read, and keep that of one that reads', async () => {
      const streams = await Promise.all(Array.from({ length: 100 }, () => feed().stream(caller, {})));
      await streams[0]?.[Symbol.asyncIterator]().next();
      clock.advance(10_000);
      await Promise.all(Array.from({ length: 99 }, () => feed().stream(caller, {})));
      await expect(feed().stream(caller, {})).rejects.toMatchObject(tooMany);
    });
  });

  it('are not a tool of MCP', async () => {
    const names = (await mcpOf(service.url, key).tools()).map(({ name }) => name as string);
    expect(names).toContain('listEvents');
    expect(names).not.toContain('streamEvents');
  });

  it('end when the process drains', async () => {
    const source = await openEventSource(service.url, key);
    service.app.get(Readiness, { strict: false }).drain();
    await source.ended;
  });
});
