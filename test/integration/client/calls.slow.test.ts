import { execFileSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { Webhook } from 'standardwebhooks';
import type * as TheCalls from '../../../clients/typescript/src/calls.js';
import type * as TheClient from '../../../clients/typescript/src/index.js';
import type * as TheTransport from '../../../clients/typescript/src/transport.js';

type Client = typeof TheClient;

interface Request {
  method: string;
  url: string;
  key: string | undefined;
  body: { items?: unknown[]; name?: string } | undefined;
  at: number;
}
type Answer = (request: Request, response: ServerResponse) => void;

let client: Client;
let internals: typeof TheCalls & typeof TheTransport;
let server: Server;
let baseUrl: string;
/** The requests that arrived, and how to answer each; the last response is for all that follow. */
let requests: Request[];
let answers: Answer[];

beforeAll(async () => {
  execFileSync(process.execPath, ['clients/typescript/build.mjs', '--generate']);
  client = await import('../../../clients/typescript/src/index.js');
  const [calls, transport] = await Promise.all([
    import('../../../clients/typescript/src/calls.js'),
    import('../../../clients/typescript/src/transport.js'),
  ]);
  internals = { ...calls, ...transport };
  server = createServer((request, response) => void take(request, response)).listen(0, '127.0.0.1');
  await new Promise((listening) => server.once('listening', listening));
  baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
beforeEach(() => {
  [requests, answers] = [[], []];
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const text = (await request.toArray()).join('');
  const { method = '', url = '', headers } = request;
  const taken = {
    method,
    url,
    key: headers['idempotency-key'] as string,
    body: text && JSON.parse(text),
    at: Date.now(),
  };
  requests.push(taken);
  (answers.length > 1 ? answers.shift() : answers[0])?.(taken, response);
}

const json =
  (status: number, body: object, headers: Record<string, string | number> = {}): Answer =>
  (_, response) =>
    response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
const done = json(201, { data: { id: 'task_1' }, meta: { requestId: 'r' } });
const failure = (status: number, headers = {}): Answer =>
  json(
    status,
    { error: { type: 't', code: 'CODE', message: 'No.', details: { a: 1 } }, meta: { requestId: 'r' } },
    headers,
  );
const dropped: Answer = (_, response) => void response.destroy();
const pos = (options = {}) => new client.PropertyOperations({ baseUrl, apiKey: 'sk_test_us_key', ...options });
const errorOf = async (call: Promise<unknown>): Promise<Error> =>
  await call.then(
    () => Promise.reject(new Error('It succeeded')),
    (error: Error) => error,
  );

async function entriesOf<T>(entries: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const entry of entries) all.push(entry);
  return all;
}

describe('a write', () => {
  it('is repeated under one key until it is answered, after temporary failures', async () => {
    answers = [
      failure(503, { 'Retry-After': 0 }),
      failure(429, { 'Retry-After': 0 }),
      failure(409, { 'Retry-After': 0 }),
      dropped,
      done,
    ];
    expect(await pos().createTask({ name: 'Linen' })).toEqual({ data: { id: 'task_1' }, meta: { requestId: 'r' } });
    expect(requests).toHaveLength(5);
    expect(new Set(requests.map(({ key }) => key)).size).toBe(1);
    await pos().createTask({ name: 'Linen' });
    expect(requests[5]?.key).not.toBe(requests[4]?.key);
  });

  it.each([
    ['rejected', 404, {}, 'NotFoundError'],
    ['a permanent conflict', 409, {}, 'ConflictError'],
    ['the replay of a failure', 502, { 'Idempotent-Replayed': 'true' }, 'ProviderError'],
    ['to be retried only after more than two minutes', 429, { 'Retry-After': 121 }, 'RateLimitError'],
  ])('is not repeated when it is %s', async (_, status, headers, name) => {
    answers = [failure(status, headers)];
    const error = await errorOf(pos().createTask({ name: 'Linen' }, { idempotencyKey: 'mine' }));
    expect(requests.map(({ key }) => key)).toEqual(['mine']);
    expect(error).toBeInstanceOf(client.ApiError);
    expect(error).toMatchObject({ name, status, code: 'CODE', message: 'No.', details: { a: 1 }, requestId: 'r' });
    expect((error as InstanceType<Client['ApiError']>).retryAfterSeconds).toBe((headers as never)['Retry-After']);
  });

  it('fails with the last error when the retries are used up, or when it is aborted', async () => {
    answers = [dropped];
    expect(await errorOf(pos({ maxRetries: 1 }).createTask({ name: 'Linen' }))).toBeInstanceOf(client.ConnectionError);
    expect(requests).toHaveLength(2);
    answers = [failure(503, { 'Retry-After': 100 })];
    const stop = new AbortController();
    const call = pos().createTask({ name: 'Linen' }, { signal: stop.signal });
    while (requests.length < 3) await new Promise(setImmediate);
    stop.abort();
    expect((await errorOf(call)).name).toBe('AbortError');
  });
});

it('an invalid address or header is not repeated', async () => {
  await expect(pos().createTask({ name: 'Linen' }, { idempotencyKey: 'Schlüssel ✓' })).rejects.toThrow(TypeError);
  await expect(pos({ baseUrl: 'localhost' }).getMe()).rejects.toThrow(TypeError);
  expect(requests).toEqual([]);
});

it('waits for the next rate limit window when the current one is used up', async () => {
  const reset = Math.ceil(Date.now() / 1_000) + 1;
  answers = [
    json(200, { data: {} }, { 'X-RateLimit-Limit': 2, 'X-RateLimit-Remaining': 0, 'X-RateLimit-Reset': reset }),
    json(200, { data: {} }),
  ];
  const one = pos();
  await one.getMe();
  await Promise.all([one.getMe(), one.getMe()]);
  // The service returns its time in whole seconds.
  expect(requests.slice(1).map(({ at }) => at >= reset * 1_000 - 999)).toEqual([true, true]);
});

describe('the fields of an operation', () => {
  it('go into the path, the query and the body', async () => {
    answers = [done];
    await pos().updateTask({ taskId: 'a/b?', name: 'Linen' }, { dryRun: true });
    await pos().listTasks({ statuses: ['pending', 'started'], limit: 5 } as never);
    await pos().completeTask({ taskId: 'task_1' });
    expect(requests.map(({ method, url, body }) => [method, url, body])).toEqual([
      ['PATCH', '/api/v1/tasks/a%2Fb%3F?dryRun=true', { name: 'Linen' }],
      ['GET', '/api/v1/tasks?statuses=pending,started&limit=5', ''],
      ['POST', '/api/v1/tasks/task_1/complete', ''],
    ]);
  });

  it.each([undefined, '', '.', '..'])('never lead to another address: %p', async (taskId) => {
    await expect((async () => await pos().getTask({ taskId: taskId as string }))()).rejects.toThrow('Pass taskId');
    expect(requests).toEqual([]);
  });
});

describe('lists', () => {
  const page = (ids: number[], nextCursor: string | null): Answer =>
    json(200, { data: ids, meta: { pagination: { limit: 2, nextCursor } } });

  it('are read page by page, the event feed up to now', async () => {
    answers = [page([1, 2], 'two'), page([3], null)];
    expect(await entriesOf(pos().listTasks.all({ status: 'pending' }))).toEqual([1, 2, 3]);
    expect(requests[1]?.url).toBe('/api/v1/tasks?limit=100&status=pending&cursor=two');
    answers = [page([1], 'two'), page([], 'two')];
    expect(await entriesOf(pos().listEvents.all())).toEqual([1]);
  });

  it('of events are followed through outages, from the last page, until they are stopped', async () => {
    const stop = new AbortController();
    answers = [page([1, 2], 'two'), failure(503), dropped, page([3], 'three'), page([4], 'four')];
    const feed = pos({ maxRetries: 0 }).followEvents(
      { from: '2030-01-01T00:00:00Z' },
      { signal: stop.signal, pollSeconds: 0.001 },
    );
    const events: unknown[] = [];
    for await (const event of feed) {
      events.push(event);
      if (events.length === 4) stop.abort();
    }
    expect([events, feed.cursor]).toEqual([[1, 2, 3, 4], 'four']);
    expect(requests.map(({ url }) => new URL(url, baseUrl).search)).toEqual([
      '?limit=100&from=2030-01-01T00%3A00%3A00Z',
      ...Array.from({ length: 3 }, () => '?limit=100&cursor=two'),
      '?limit=100&cursor=three',
    ]);
    answers = [failure(400)];
    await expect(entriesOf(pos().followEvents())).rejects.toThrow(client.ValidationError);
  });
});

describe('streams', () => {
  /** What fetch references only weakly is collected by then. */
  async function garbageCollected(): Promise<void> {
    setFlagsFromString('--expose-gc');
    for (let round = 0; round < 5; round += 1) {
      (runInNewContext('gc') as () => void)();
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }

  it.each([
    ['lines', '{"a":1}\n{"a":2}'],
    ['server-sent events', ': hello\n\nid: 1\nevent: task.created\ndata: {"a":1}\n\nid: 2\ndata: {"a":2}\n\n'],
  ])('of %s are read value by value, however they are split into chunks', async (_, text) => {
    answers = [
      (_request, response) => {
        for (const letter of text) response.write(letter);
        response.end();
      },
    ];
    expect(await entriesOf(pos().streamEvents())).toEqual([{ a: 1 }, { a: 2 }]);
  });

  it('end with their signal, even long after the request', async () => {
    answers = [(_request, response) => void response.write('data: {"a":1}\n\n')];
    const stopping = new AbortController();
    const stream = pos().streamEvents({}, { signal: stopping.signal });
    await stream.next();
    const next = stream.next();
    await garbageCollected();
    stopping.abort(new Error('Enough'));
    await expect(next).rejects.toThrow('Enough');
  });
});

describe('an operation in bulk', () => {
  const save = (input: object, options = {}): Promise<{ data: unknown[] }> => {
    const transport = new internals.Transport({ baseUrl, apiKey: 'key' });
    const call = internals.callOf(
      transport,
      'bulk post /connections/{connectionId}/reservations/bulk',
    ) as never as typeof save;
    return call({ connectionId: 'connection_1', ...input }, options);
  };
  const echo: Answer = (request, response) => json(200, { data: request.body?.items ?? [] })(request, response);
  const items = Array.from({ length: 450 }, (_, index) => ({ externalId: String(index) }));

  it('is sent in batches of 200, with the results in order', async () => {
    answers = [echo];
    expect((await save({ items }, { idempotencyKey: 'load' })).data).toEqual(items);
    expect(requests.map(({ key, body }) => [key, body?.items?.length])).toEqual([
      ['load-1', 200],
      ['load-2', 200],
      ['load-3', 50],
    ]);
  });

  it('is sent in smaller batches if the items are long, and whole if it is atomic', async () => {
    answers = [echo];
    const long = items.slice(0, 100).map((item) => ({ ...item, notes: 'x'.repeat(30_000) }));
    expect((await save({ items: long })).data).toEqual(long);
    expect(requests.map(({ body }) => body?.items?.length)).toEqual([33, 33, 33, 1]);
    await save({ items, atomic: true });
    expect(requests[4]?.body?.items).toHaveLength(450);
  });

  it('ends at the first batch that fails, and the error contains the results before it', async () => {
    answers = [echo, failure(400)];
    const error = await errorOf(save({ items }));
    expect((error as InstanceType<Client['ApiError']>).results).toEqual(items.slice(0, 200));
    expect(requests).toHaveLength(2);
  });
});

describe('verifyWebhook', () => {
  const secret = `whsec_${Buffer.from('a secret of the tests, of 24').toString('base64')}`;
  const body = JSON.stringify({ type: 'task.created', timestamp: '', data: { id: 'event_1', type: 'task.created' } });
  const signed = (at = new Date()): Record<string, string> => ({
    'webhook-id': 'event_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1_000)),
    'webhook-signature': `v1,AAAA ${new Webhook(secret).sign('event_1', at, body)}`,
  });

  const forged = {
    'webhook-signature': `v1,${createHmac('sha256', '').update(`event_1.${signed()['webhook-timestamp']}.${body}`).digest('base64')}`,
  };

  it('returns the event of a delivery that was signed with the secret', () => {
    for (const headers of [signed(), new Headers(signed())])
      for (const one of [body, Buffer.from(body)])
        expect(client.verifyWebhook({ headers, body: one, secret })).toEqual({ id: 'event_1', type: 'task.created' });
  });

  it.each<[string, object]>([
    ['an empty secret', { secret: '', headers: { ...signed(), ...forged } }],
    ['another secret', { secret: 'whsec_AAAA' }],
    ['another body', { body: body.replace('event_1', 'event_2') }],
    ['another id', { headers: { ...signed(), 'webhook-id': 'event_2' } }],
    ['another time', { headers: { ...signed(), 'webhook-timestamp': String(Math.floor(Date.now() / 1_000) - 9) } }],
    ['an old signature', { headers: signed(new Date(Date.now() - 301_000)) }],
    ['no signature', { headers: { ...signed(), 'webhook-signature': '' } }],
    ['no headers', { headers: {} }],
    ['a parsed body', { body: JSON.parse(body) }],
  ])('rejects %s', (_, changed) => {
    expect(() => client.verifyWebhook({ headers: signed(), body, secret, ...changed } as never)).toThrow(
      client.WebhookVerificationError,
    );
  });
});
