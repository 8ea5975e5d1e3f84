import { randomUUID } from 'node:crypto';
import { jest } from '@jest/globals';
import pg from 'pg';
import { TasksService } from '../../../src/features/tasks/tasks.service.js';
import type { Api } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { expectEnvelope, issuePaths, refusals } from '../../support/envelope.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { absentId, keyWith, propertyOf, pushedBy, taskOf } from '../../support/factories.js';
import { tablesWith } from '../../support/plain-text.js';
import { type Service, startApp } from '../../support/start-app.js';
import { waitingForLocks } from '../../support/locks.js';

let service: Service;
let api: Api;
let database: pg.Client;
beforeAll(async () => {
  service = await startApp();
  api = (await keyWith(service.api)).api;
  database = new pg.Client({ connectionString: service.database.url });
  await database.connect();
});
afterAll(async () => {
  await database.end();
  await service.close();
});
afterEach(() => {
  jest.restoreAllMocks();
  clock.restore();
});

const keyed = (key: string, requestId?: string) => ({
  'idempotency-key': key,
  ...(requestId && { 'x-request-id': requestId }),
});
const count = async (name: string): Promise<number> => {
  const { rows } = await database.query('select count(*)::int as count from tasks where name = $1', [name]);
  return rows[0].count as number;
};

/** How many events, audit entries and steps for an undo there are. */
const recorded = async (): Promise<number[]> =>
  await Promise.all(
    ['events', 'audit_entries', 'undo_steps'].map(async (table) => {
      const { rows } = await database.query(`select count(*)::int as count from ${table}`);
      return rows[0].count as number;
    }),
  );

describe('a replay', () => {
  it('returns the exact bytes, status and request id of the first response, and creates nothing', async () => {
    const key = randomUUID();
    const first = await api.post('/tasks', { name: 'Exactly once', metadata: { b: '1', a: 'é' } }, keyed(key, 'first'));
    const again = await api.post(
      '/tasks',
      { name: 'Exactly once', metadata: { a: 'é', b: '1' } },
      keyed(key, 'second'),
    );
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect([again.headers.get('x-request-id'), again.body.meta.requestId]).toEqual(['first', 'first']);
    expect([first.headers.has('idempotent-replayed'), again.headers.get('idempotent-replayed')]).toEqual([
      false,
      'true',
    ]);
    expect(again.headers.get('etag')).toBe(first.headers.get('etag'));
    expect(again.headers.get('content-type')).toBe(first.headers.get('content-type'));
    expect(await count('Exactly once')).toBe(1);
  });

  it('has rate headers of its own', async () => {
    const key = randomUUID();
    clock.set('2030-05-05T12:00:00Z');
    const first = await api.post('/tasks', { name: 'x' }, keyed(key));
    const again = await api.post('/tasks', { name: 'x' }, keyed(key));
    const left = [first, again].map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(left[1]).toBe((left[0] as number) - 1);
  });

  it('of a change returns the state then, not now', async () => {
    const key = randomUUID();
    const id = await taskOf(api);
    await api.patch(`/tasks/${id}`, { name: 'Changed' }, keyed(key));
    await api.patch(`/tasks/${id}`, { name: 'Changed since' });
    const again = await api.patch(`/tasks/${id}`, { name: 'Changed' }, keyed(key));
    expect([again.body.data.name, again.body.data.version]).toEqual(['Changed', 2]);
    expect((await api.get(`/tasks/${id}`)).body.data.name).toBe('Changed since');
  });

  it.each([
    ['409', () => taskOf(api, { checklist: [{ title: 'Beds', required: true }] })],
    ['404', () => Promise.resolve(absentId('task'))],
  ])('of a rejection keeps it: %s', async (status, task) => {
    const [key, path] = [randomUUID(), `/tasks/${await task()}/complete`];
    const first = await api.post(path, undefined, keyed(key, 'refused first'));
    expect(first.status).toBe(Number(status));
    const again = await api.post(path, undefined, keyed(key));
    expect([again.status, again.text]).toEqual([first.status, first.text]);
    expect([again.headers.get('x-request-id'), again.headers.get('idempotent-replayed')]).toEqual([
      'refused first',
      'true',
    ]);
  });

  it('of a known business rejection keeps it, although it could be applied by now', async () => {
    const key = randomUUID();
    clock.set('2030-01-01T00:00:00Z');
    const wish = { name: 'Late', scopes: ['tasks:read'], expiresAt: '2029-01-01T00:00:00Z' };
    const first = await api.post('/api-keys', wish, keyed(key));
    expect(first.body.error.details.key).toBe('API_KEY_EXPIRES_IN_THE_PAST');
    clock.set('2030-01-01T12:00:00Z');
    const again = await api.post('/api-keys', wish, keyed(key));
    expect([again.text, again.headers.get('idempotent-replayed')]).toEqual([first.text, 'true']);
  });

  it('of a rejection created only the record', async () => {
    const wish = { name: 'Half made', scopes: ['tasks:read'], expiresAt: '2001-01-01T00:00:00Z' };
    await api.post('/api-keys', wish, keyed(randomUUID()));
    const { rows } = await database.query(`select 1 from members where name = 'Half made'`);
    expect(rows).toEqual([]);
  });

  it('of a rejection left no trace of what was written before it', async () => {
    const externalRefs = [{ connectionId: await pushedBy(api), externalId: 'taken' }];
    const book = (name: string, propertyId: string) =>
      api.post(
        '/reservations',
        {
          propertyId,
          checkInDate: '2031-05-01',
          checkOutDate: '2031-05-02',
          primaryGuest: { name },
          externalRefs,
        },
        keyed(randomUUID()),
      );
    expect((await book('First', await propertyOf(api))).status).toBe(201);
    const before = await recorded();
    expect((await book('Second', await propertyOf(api))).status).toBe(409);
    // The second property was created.
    expect((await recorded()).map((rows, place) => rows - (before[place] as number))).toEqual([1, 1, 1]);
  });
});

describe('what is not kept', () => {
  it('a validation error: the corrected request may use the key', async () => {
    const key = randomUUID();
    expectEnvelope(await api.post('/tasks', { name: '' }, keyed(key)), refusals.invalid);
    const corrected = await api.post('/tasks', { name: 'Corrected' }, keyed(key));
    expect([corrected.status, corrected.headers.has('idempotent-replayed')]).toEqual([201, false]);
  });

  it('a read, whose key is ignored', async () => {
    const key = randomUUID();
    const reads = [await api.get('/tasks', keyed(key)), await api.get('/me', keyed(key))];
    expect(reads.map(({ status, headers }) => [status, headers.has('idempotent-replayed')])).toEqual([
      [200, false],
      [200, false],
    ]);
    expect((await api.get('/me', keyed(' '))).status).toBe(200);
  });

  it('a missing scope', async () => {
    const key = randomUUID();
    const { api: reader } = await keyWith(api, { scopes: ['tasks:read'] });
    await reader.post('/tasks', { name: 'x' }, keyed(key));
    const { rows } = await database.query('select 1 from idempotency_records where key = $1', [key]);
    expect(rows).toEqual([]);
  });

  it('a temporary error: the same request runs again', async () => {
    const key = randomUUID();
    jest.spyOn(service.app.get(TasksService), 'create').mockRejectedValueOnce(new Error('Lost for a moment'));
    expect((await api.post('/tasks', { name: 'At the second try' }, keyed(key))).status).toBe(500);
    expect((await api.post('/tasks', { name: 'At the second try' }, keyed(key))).status).toBe(201);
  });
});

describe('the same key', () => {
  it('for another body, path or operation is 422, and the first is unaffected', async () => {
    const key = randomUUID();
    const [id, other] = [await taskOf(api), await taskOf(api)];
    const first = await api.patch(`/tasks/${id}`, { name: 'One' }, keyed(key));
    expectEnvelope(await api.patch(`/tasks/${id}`, { name: 'Two' }, keyed(key)), refusals.inapplicable);
    expectEnvelope(await api.patch(`/tasks/${other}`, { name: 'One' }, keyed(key)), refusals.inapplicable);
    expectEnvelope(await api.post('/tasks', { name: 'One' }, keyed(key)), refusals.inapplicable);
    expectEnvelope(await api.post(`/tasks/${id}/complete`, undefined, keyed(key)), refusals.inapplicable);
    expect((await api.patch(`/tasks/${id}`, { name: 'One' }, keyed(key))).text).toBe(first.text);
    const started = randomUUID();
    await api.post(`/tasks/${id}/start`, undefined, keyed(started));
    expectEnvelope(await api.post(`/tasks/${id}/complete`, undefined, keyed(started)), refusals.inapplicable);
  });

  it('is compared before defaults: an explicit default is another request', async () => {
    const key = randomUUID();
    await api.post('/tasks', { name: 'x' }, keyed(key));
    expectEnvelope(await api.post('/tasks', { name: 'x', priority: 'normal' }, keyed(key)), refusals.inapplicable);
  });

  it('of another credential of the organization is another key', async () => {
    const key = randomUUID();
    const { api: colleague } = await keyWith(api);
    const [mine, theirs] = [
      await api.post('/tasks', { name: 'x' }, keyed(key)),
      await colleague.post('/tasks', { name: 'y' }, keyed(key)),
    ];
    expect([mine.status, theirs.status]).toEqual([201, 201]);
    expect(theirs.body.data.id).not.toBe(mine.body.data.id);
  });

  it('of another organization is another key', async () => {
    const key = randomUUID();
    const stranger = await anotherOrganization(service);
    await api.post('/tasks', { name: 'x' }, keyed(key));
    expect((await stranger.post('/tasks', { name: 'y' }, keyed(key))).status).toBe(201);
  });

  it('is the same with and without quotes', async () => {
    const key = randomUUID();
    const first = await api.post('/tasks', { name: 'x' }, keyed(`"${key}"`));
    expect((await api.post('/tasks', { name: 'x' }, keyed(key))).text).toBe(first.text);
  });

  it.each([' ', '""', '" "', 'naïve', 'x'.repeat(256), 'a\tb'])('%s is an invalid key: 400', async (key) => {
    const reply = await api.post('/tasks', { name: 'x' }, keyed(key));
    expectEnvelope(reply, refusals.invalid);
    expect(issuePaths(reply)).toEqual(['Idempotency-Key']);
  });

  it.each(['x', 'x'.repeat(255), 'a key; with \'odd\' \\ $1 -- "signs"'])('%s is a valid key', async (key) => {
    const first = await api.post('/tasks', { name: 'x' }, keyed(key));
    expect([first.status, (await api.post('/tasks', { name: 'x' }, keyed(key))).text]).toEqual([201, first.text]);
  });

  it('is forgotten after 24 hours, and not before', async () => {
    const key = randomUUID();
    clock.set('2030-05-05T12:00:00.000Z');
    const first = await api.post('/tasks', { name: 'Daily' }, keyed(key));
    clock.set('2030-05-06T11:59:59.999Z');
    expect((await api.post('/tasks', { name: 'Daily' }, keyed(key))).text).toBe(first.text);
    clock.set('2030-05-06T12:00:00.000Z');
    const next = await api.post('/tasks', { name: 'Another' }, keyed(key));
    expect([next.status, next.headers.has('idempotent-replayed')]).toEqual([201, false]);
    expect((await api.post('/tasks', { name: 'Another' }, keyed(key))).text).toBe(next.text);
  });
});

describe('in flight', () => {
  /** Locks the task's row, so that a change of it waits. */
  async function whileLocked(id: string, work: () => Promise<void>): Promise<void> {
    const holder = new pg.Client({ connectionString: service.database.url });
    await holder.connect();
    try {
      await holder.query('begin');
      await holder.query('select 1 from tasks where id = $1 for update', [id.replace('task_', '')]);
      await work();
    } finally {
      await holder.end();
    }
  }
  const waiting = async (): Promise<boolean> => (await database.query(waitingForLocks)).rows.length > 0;

  it('is 409 for the second, whatever it requests, and the first succeeds', async () => {
    const [key, id] = [randomUUID(), await taskOf(api)];
    let first: Promise<Awaited<ReturnType<Api['post']>>> | undefined;
    await whileLocked(id, async () => {
      first = api.post(`/tasks/${id}/complete`, undefined, keyed(key));
      while (!(await waiting())) await new Promise(setImmediate);
      const second = await api.post(`/tasks/${id}/complete`, undefined, keyed(key));
      expectEnvelope(second, refusals.conflict);
      expect(second.headers.get('retry-after')).toBe('1');
      expectEnvelope(await api.post('/tasks', { name: 'x' }, keyed(key)), refusals.conflict);
    });
    expect((await first)?.status).toBe(200);
    expect((await api.post(`/tasks/${id}/complete`, undefined, keyed(key))).text).toBe((await first)?.text);
  });

  it('of 30 parallel requests exactly one is applied, and the others are 409 or its replay', async () => {
    const key = randomUUID();
    const replies = await Promise.all(
      Array.from({ length: 30 }, () => api.post('/tasks', { name: 'Only one' }, keyed(key))),
    );
    const made = replies.filter(({ status }) => status === 201);
    expect(new Set(made.map(({ text }) => text)).size).toBe(1);
    expect(made.filter(({ headers }) => !headers.has('idempotent-replayed'))).toHaveLength(1);
    expect(replies.every(({ status }) => status === 201 || status === 409)).toBe(true);
    expect(await count('Only one')).toBe(1);
  });
});

describe("a credential's key", () => {
  it('of a caller without the scope does not bypass the scope', async () => {
    const key = randomUUID();
    const { id, api: worker } = await keyWith(api, { scopes: ['tasks:write'] });
    await worker.post('/tasks', { name: 'x' }, keyed(key));
    await database.query(`update api_keys set scopes = '{tasks:read}' where id = $1`, [id.replace('key_', '')]);
    expectEnvelope(await worker.post('/tasks', { name: 'x' }, keyed(key)), refusals.forbidden);
  });

  it('that sees fewer properties than before is not shown the earlier response, and one that sees more is', async () => {
    const [here, elsewhere] = [await propertyOf(api, 'Here'), await propertyOf(api, 'Elsewhere')];
    const { id, api: worker } = await keyWith(api);
    const limitTo = (ids: string[] | null) =>
      database.query('update api_keys set property_ids = $2 where id = $1', [
        id.replace('key_', ''),
        ids?.map((one) => one.replace('property_', '')) ?? null,
      ]);
    const ask = (propertyId: string, key: string) => worker.post('/tasks', { name: 'Limited', propertyId }, keyed(key));
    const [before, both, own] = [randomUUID(), randomUUID(), randomUUID()];
    await ask(elsewhere, before);
    await limitTo([elsewhere, here]);
    await ask(elsewhere, both);
    await limitTo([here]);
    const first = await ask(here, own);
    for (const key of [before, both]) {
      const reply = await ask(elsewhere, key);
      expect([reply.status, reply.body.error.code]).toEqual([403, 'ORGANIZATION_WIDE']);
    }
    expect((await ask(here, own)).text).toBe(first.text);
    for (const limit of [[here, elsewhere], null]) {
      await limitTo(limit);
      expect((await ask(here, own)).text).toBe(first.text);
    }
    expect((await ask(elsewhere, before)).status).toBe(201);
    expect(await count('Limited')).toBe(3);
  });

  it('that was revoked replays nothing', async () => {
    const key = randomUUID();
    const { id, api: worker } = await keyWith(api);
    await worker.post('/tasks', { name: 'x' }, keyed(key));
    await api.post(`/api-keys/${id}/revoke`);
    expectEnvelope(await worker.post('/tasks', { name: 'x' }, keyed(key)), refusals.unauthorized);
  });
});

describe('a response that shows a secret', () => {
  it('is kept encrypted, and replayed in full', async () => {
    const key = randomUUID();
    const wish = { name: 'Secret', scopes: ['tasks:read'], propertyIds: [await propertyOf(api)] };
    const first = await api.post('/api-keys', wish, keyed(key));
    const secret = first.body.data.key as string;
    const { rows } = await database.query('select encrypted, body, headers from idempotency_records where key = $1', [
      key,
    ]);
    expect(rows[0].encrypted).toBe(true);
    expect((rows[0].body as Buffer).includes(secret.slice(-20))).toBe(false);
    expect((rows[0].body as Buffer).toString('utf8')).not.toContain('data');
    expect((await api.post('/api-keys', wish, keyed(key))).text).toBe(first.text);
  });

  it('appears in no table in plain text', async () => {
    const { key } = await keyWith(api, { name: 'Nowhere to be read' });
    expect(await tablesWith(service.database.url, key.slice(-30))).toEqual([]);
  });
});
