import { jest } from '@jest/globals';
import type { Server } from 'node:http';
import pg from 'pg';
import { RateLimitStore } from '#limits';
import { type Service, startApp } from '../../support/start-app.js';
import { waitingForLocks } from '../../support/locks.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());
afterEach(() => jest.restoreAllMocks());

const call = (name: string, given: object, meta: object) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: given, _meta: meta },
});

const withProgress = (name: string, given: object = {}, headers: Record<string, string> = {}) =>
  service.api.post('/mcp', call(name, given, { progressToken: 'p-1' }), { accept: '*/*', ...headers });

describe('a call with a progress token', () => {
  it('gets an event stream: rising progress, then the result', async () => {
    const { status, headers, text } = await withProgress('getMe');
    expect({ status, type: headers.get('content-type') }).toEqual({ status: 200, type: 'text/event-stream' });
    const messages = text
      .trim()
      .split('\n\n')
      .map((event) => JSON.parse(event.replace('event: message\ndata: ', '')));
    expect(messages).toMatchObject([
      { method: 'notifications/progress', params: { progressToken: 'p-1', progress: 0 } },
      { method: 'notifications/progress', params: { progressToken: 'p-1', progress: 1 } },
      { id: 1, result: { structuredContent: { data: { credential: 'api-key' } } } },
    ]);
  });

  it('gets JSON if the client reads no streams, and if it is rejected before the handler', async () => {
    const plain = await withProgress('getMe', {}, { accept: 'application/json' });
    expect(plain.body.result.structuredContent.data.credential).toBe('api-key');
    expect((await withProgress('createTask')).body.result.isError).toBe(true);
  });

  it('keeps the status of a 401 and a 429', async () => {
    expect((await withProgress('getMe', {}, { authorization: 'Bearer no' })).status).toBe(401);
    jest.spyOn(service.app.get(RateLimitStore, { strict: false }), 'increment').mockRejectedValue(new Error('down'));
    expect((await withProgress('getMe')).status).toBe(429);
  });
});

describe('a client that disconnects', () => {
  // The key of a new guest is claimed before its handler starts; that of a new task would travel with its work.
  it('cancels its call, as long as the handler has not started', async () => {
    const meta = { 'property-operations/idempotencyKey': 'gone-1' };
    const owner = new pg.Client({ connectionString: service.database.url });
    await owner.connect();
    await owner.query('begin; lock table idempotency_records in access exclusive mode');
    const leaving = new AbortController();
    const left = fetch(`${service.url}/mcp`, {
      method: 'POST',
      headers: { authorization: `Bearer ${service.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(call('createGuest', { name: 'Gone' }, meta)),
      signal: leaving.signal,
    }).catch((error: Error) => error.name);
    await until(async () => (await waitingForLock(owner)) === 1);
    const open = await connections();
    leaving.abort();
    expect(await left).toBe('AbortError');
    await until(async () => (await connections()) < open);
    await owner.query('commit');
    await owner.end();
    await until(async () => (await again(meta)).status !== 'in flight');
    expect((await again(meta)).name).toBe('Came back');
  });

  const again = async (meta: object): Promise<{ status: string; name?: string }> => {
    const { body } = await service.api.post('/mcp', call('createGuest', { name: 'Came back' }, meta));
    const { data, error } = body.result.structuredContent;
    return { status: error?.type === 'conflict_error' ? 'in flight' : 'done', name: data?.name };
  };
});

const connections = (): Promise<number> =>
  new Promise((resolve) => (service.app.getHttpServer() as Server).getConnections((_, count) => resolve(count)));

async function waitingForLock(owner: pg.Client): Promise<number> {
  const { rows } = await owner.query(`${waitingForLocks} and relation = 'idempotency_records'::regclass`);
  return rows.length;
}

async function until(condition: () => Promise<boolean>): Promise<void> {
  while (!(await condition())) await new Promise((resolve) => setImmediate(resolve));
}
