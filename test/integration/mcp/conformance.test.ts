import type { Api, Reply } from '../../support/api.js';
import { keyWith } from '../../support/factories.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  ({ api } = await keyWith(service.api));
});
afterAll(() => service.close());

interface Message {
  id?: unknown;
  method?: string;
  params?: Record<string, unknown>;
  [other: string]: unknown;
}
type Headers = Record<string, string>;

const handshake = ['2025-03-26', '2025-06-18', '2025-11-25'] as const;
const stateless = '2026-07-28';
type Revision = (typeof handshake)[number] | typeof stateless;

/** The `_meta` of each request without a handshake. */
const introduced = {
  'io.modelcontextprotocol/protocolVersion': stateless,
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** Sends a message as a client of the revision writes it. */
function send(revision: Revision, message: Message, headers: Headers = {}): Promise<Reply> {
  const { method, params = {} } = message;
  const common = { accept: 'application/json, text/event-stream', 'mcp-protocol-version': revision };
  if (revision !== stateless) return api.post('/mcp', { jsonrpc: '2.0', ...message }, { ...common, ...headers });
  const mirrored = {
    ...(method !== undefined && { 'mcp-method': method }),
    ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
  };
  const written = { jsonrpc: '2.0', ...message, ...(method && { params: { _meta: introduced, ...params } }) };
  return api.post('/mcp', written, { ...common, ...mirrored, ...headers });
}

const hello = (protocolVersion: string) => ({
  protocolVersion,
  capabilities: {},
  clientInfo: { name: 'test', version: '1' },
});

/** The response to a request: an error of JSON-RPC, with nothing but what one may contain, or a result. */
function outcomeOf({ status, body }: Reply): unknown[] {
  if (!body?.error) return [status, 'result'];
  expect(body).toEqual({ jsonrpc: '2.0', id: body.id, error: expect.any(Object) });
  const { code, message, data: _, ...others } = body.error;
  expect({ message, others }).toEqual({ message: expect.stringMatching(/\S/), others: {} });
  return [status, code];
}

const call = (name: unknown, given?: unknown): Message => ({
  id: 1,
  method: 'tools/call',
  params: { name, ...(given !== undefined && { arguments: given }) },
});
const ask = (method: string, params?: Record<string, unknown>): Message => ({
  id: 1,
  method,
  ...(params && { params }),
});

/** Messages, and the responses of the revisions with a handshake, and of the one without. */
const messages: [what: string, message: Message, withHandshake: unknown[], stateless?: unknown[]][] = [
  ['a list of the tools', ask('tools/list'), [200, 'result']],
  ['an unknown cursor', ask('tools/list', { cursor: 'x' }), [200, -32602]],
  ['a call', call('getMe', {}), [200, 'result']],
  ['a call without arguments', call('getMe'), [200, 'result']],
  ['a call with invalid input', call('createTask', {}), [200, 'result']],
  ['a call of an unknown tool', call('nothing'), [200, -32602]],
  ['a call without a name', ask('tools/call'), [200, -32602]],
  ['a call with a number as the name', call(5), [200, -32602]],
  ['arguments that are a list', call('getMe', []), [200, -32602]],
  ['arguments that are text', call('getMe', 'x'), [200, -32602]],
  ['a ping, which was removed with the handshake', ask('ping'), [200, 'result'], [404, -32601]],
  ['a handshake', ask('initialize', hello('2025-11-25')), [200, 'result'], [404, -32601]],
  ['an empty handshake', ask('initialize', {}), [200, -32602], [404, -32601]],
  ['discovery, which replaced the handshake', ask('server/discover'), [200, -32601], [200, 'result']],
  ['a list of the resources', ask('resources/list'), [200, 'result']],
  ['a subscription, which is not offered', ask('resources/subscribe', { uri: 'x' }), [200, -32601], [404, -32601]],
  ['a list of the prompts', ask('prompts/list'), [200, 'result']],
  ['an unknown prompt', ask('prompts/get', { name: 'x' }), [200, -32602]],
  ['completion, which is not offered', ask('completion/complete'), [200, -32601], [404, -32601]],
  ['log levels, which are not offered', ask('logging/setLevel', { level: 'info' }), [200, -32601], [404, -32601]],
  ['tasks, which are not offered', ask('tasks/list'), [200, -32601], [404, -32601]],
  ['an unknown method', ask('nothing/at-all'), [200, -32601], [404, -32601]],
  ['another version of JSON-RPC', { ...ask('tools/list'), jsonrpc: '1.0' }, [400, -32600]],
  ['a fraction as the id', { ...ask('tools/list'), id: 1.5 }, [400, -32600]],
  ['an object as the id', { ...ask('tools/list'), id: {} }, [400, -32600]],
];

describe.each([...handshake, stateless] as const)('revision %s', (revision) => {
  const isStateless = revision === stateless;

  it.each(messages)('%s', async (_, message, withHandshake, without = withHandshake) => {
    expect(outcomeOf(await send(revision, message))).toEqual(isStateless ? without : withHandshake);
  });

  it('returns the id of the request, a text or a number', async () => {
    for (const id of ['a"\u{1f600}', '', 0, -7, Number.MAX_SAFE_INTEGER]) {
      expect((await send(revision, { ...ask('tools/list'), id })).body.id).toBe(id);
      expect((await send(revision, { ...ask('nothing'), id })).body.id).toBe(id);
    }
  });

  it("returns a tool's errors as its result, and an invalid call as an error", async () => {
    const { result } = (await send(revision, call('createTask', {}))).body;
    expect(result).toMatchObject({ isError: true, structuredContent: { error: { code: 'VALIDATION_ERROR' } } });
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    const { error } = (await send(revision, call('nothing'))).body;
    expect(error).toEqual({
      code: -32602,
      message: 'Unknown tool nothing. tools/list returns the tools that you can use.',
    });
  });

  it.each(['notifications/initialized', 'notifications/cancelled', 'notifications/of-no-kind'])(
    'accepts %s with 202 and no body',
    async (method) => {
      const { status, text, headers } = await send(revision, { method, params: { requestId: 1 } });
      expect([status, text, headers.get('content-type')]).toEqual([202, '', null]);
    },
  );

  it('accepts responses to requests that it never sent with 202, too', async () => {
    const { status, text } = await send(revision, { id: 1, result: {} });
    expect([status, text]).toEqual([202, '']);
  });

  it('has no session: sends no session id, and ignores one that is sent', async () => {
    const { status, headers } = await send(revision, ask('tools/list'), { 'mcp-session-id': 'of-another-server' });
    expect([status, headers.get('mcp-session-id')]).toEqual([200, null]);
    for (const method of ['GET', 'DELETE']) {
      const reply = await api.send(method, '/mcp', undefined, { 'mcp-protocol-version': revision });
      expect([reply.status, reply.headers.get('allow')]).toEqual([405, 'POST']);
    }
  });

  it('reads and writes JSON', async () => {
    const asking = (headers: Headers): Promise<Reply> => send(revision, call('getMe'), headers);
    expect((await asking({ accept: 'application/json' })).headers.get('content-type')).toMatch(/^application\/json/);
    expect((await asking({ accept: 'text/html' })).status).toBe(406);
    expect(outcomeOf(await asking({ 'content-type': 'text/plain' }))).toEqual([400, -32700]);
    const { status, body } = await api.post('/mcp', '{"jsonrpc":"2.0",', { 'mcp-protocol-version': revision });
    expect([status, body.error.code, body.id]).toEqual([400, -32700, null]);
  });

  it('rejects batches, unknown revisions, and pages of other sites', async () => {
    const version = { 'mcp-protocol-version': revision };
    expect(outcomeOf(await api.post('/mcp', [{ jsonrpc: '2.0', ...ask('tools/list') }], version))).toEqual([
      400, -32600,
    ]);
    const unknown = await send(revision, call('getMe'), { 'mcp-protocol-version': '1999-12-31' });
    expect([unknown.status, unknown.body.jsonrpc]).toEqual([400, '2.0']);
    const elsewhere = await send(revision, call('getMe'), { origin: 'https://evil.example' });
    expect([elsewhere.status, elsewhere.body.error.type]).toEqual([403, 'authorization_error']);
  });
});
