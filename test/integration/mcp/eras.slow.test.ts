import { Client as ModernClient, StreamableHTTPClientTransport as ModernTransport } from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { Api, Json } from '../../support/api.js';
import { keyWith } from '../../support/factories.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
beforeAll(async () => {
  service = await startApp();
  ({ api } = await keyWith(service.api));
});
afterAll(() => service.close());

const meta = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** A message of 2026-07-28, with the headers that mirror it unless others are given. */
const modern = (
  method: string,
  params: Record<string, unknown> = {},
  headers: Record<string, string | undefined> = {},
) => {
  const mirrored: Record<string, string | undefined> = {
    accept: 'application/json, text/event-stream',
    'mcp-protocol-version': '2026-07-28',
    'mcp-method': method,
    ...(typeof params.name === 'string' && { 'mcp-name': params.name }),
    ...headers,
  };
  const sent = Object.fromEntries(Object.entries(mirrored).filter(([, value]) => value !== undefined));
  const body = { jsonrpc: '2.0', id: 'a"1', method, params: { _meta: meta, ...params } };
  return api.post('/mcp', body, sent as Record<string, string>);
};

const legacy = (method: string, params: object = {}, headers: Record<string, string> = {}) =>
  api.post('/mcp', { jsonrpc: '2.0', id: 7, method, params }, headers);

type Progress = ({ progress }: { progress: number }) => void;
interface AnyClient {
  list(): Promise<{ tools: Json[] }>;
  call(call: { name: string; arguments: Record<string, unknown> }, onprogress?: Progress): Promise<unknown>;
  prompts(): Promise<{ prompts: { name: string }[] }>;
  prompt(name: string, given: Record<string, string>): Promise<Json>;
  templates(): Promise<{ resourceTemplates: { uriTemplate: string }[] }>;
  read(uri: string): Promise<Json>;
  close(): Promise<void>;
}

/** What the official clients of both eras request in the same way. */
const offersOf = (client: Client | ModernClient) => ({
  prompts: () => client.listPrompts(),
  prompt: (name: string, given: Record<string, string>) => client.getPrompt({ name, arguments: given }),
  templates: () => client.listResourceTemplates(),
  read: (uri: string) => client.readResource({ uri }),
});

/** The official clients; each checks results against the output schemas of the tools that it has listed. */
const clients: [era: string, connect: (url: URL, headers: Record<string, string>) => Promise<AnyClient>][] = [
  [
    'the 2025 era',
    async (url, headers) => {
      const client = new Client({ name: 'test', version: '1' });
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      expect(client.getServerVersion()?.name).toBe('property-operations');
      expect(client.getInstructions()).toContain('getMe');
      await client.ping();
      return {
        list: () => client.listTools(),
        call: (params, onprogress) => client.callTool(params, undefined, onprogress && { onprogress }),
        ...offersOf(client),
        close: () => client.close(),
      };
    },
  ],
  [
    '2026-07-28',
    async (url, headers) => {
      const versionNegotiation = { mode: { pin: '2026-07-28' } } as const;
      const client = new ModernClient({ name: 'test', version: '1' }, { versionNegotiation });
      await client.connect(new ModernTransport(url, { requestInit: { headers } }));
      return {
        list: () => client.listTools(),
        call: (params, onprogress) => client.callTool(params, onprogress && { onprogress }),
        ...offersOf(client),
        close: () => client.close(),
      };
    },
  ],
];

describe.each(clients)('the client of %s', (_, connect) => {
  let client: AnyClient;
  let tools: Json[];
  const call = async (name: string, given = {}, onprogress?: Progress): Promise<Json> =>
    client.call({ name, arguments: given }, onprogress);
  beforeAll(async () => {
    client = await connect(new URL(`${service.url}/mcp?outputs=true`), { authorization: `Bearer ${api.key}` });
    ({ tools } = await client.list());
  });
  afterAll(() => client.close());

  it('connects, lists and calls', async () => {
    expect(tools.map(({ name }) => name)).toContain('createTask');
    const result = await call('createTask', { name: 'By a client' });
    expect(result.structuredContent.data.name).toBe('By a client');
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
  });

  it('treats an envelope as structured content, and an unknown tool as an error', async () => {
    expect(await call('createTask')).toMatchObject({
      isError: true,
      structuredContent: { error: { type: 'validation_error' } },
    });
    await expect(call('nothing')).rejects.toMatchObject({ code: -32602 });
  });

  it('confirms that results of reads match their output schemas', async () => {
    const reads = tools.filter(({ annotations, inputSchema }) => annotations?.readOnlyHint && !inputSchema.required);
    expect(reads.length).toBeGreaterThan(3);
    for (const { name } of reads) expect([name, (await call(name)).isError]).toEqual([name, undefined]);
  });

  it('gets prompts that name existing tools', async () => {
    const names = new Set(tools.map(({ name }) => name as string));
    const { prompts } = await client.prompts();
    expect(prompts.map(({ name }) => name)).toEqual([
      'morning_briefing',
      'turnover_plan',
      'guest_arrival_check',
      'maintenance_report',
    ]);
    for (const { name } of prompts) {
      const { messages } = await client.prompt(name, { guest: 'Ben Dubois', property: 'Lake House' });
      const { text } = messages[0].content;
      expect(text).toMatch(name === 'guest_arrival_check' ? /the stay of Ben Dubois/ : /at Lake House/);
      const called = (text as string).match(/\b(get|list|create|assign|change)[A-Z]\w+/g) ?? [];
      expect([name, called.length > 2, called.filter((one) => !names.has(one))]).toEqual([name, true, []]);
    }
    await expect(client.prompt('guest_arrival_check', {})).rejects.toMatchObject({ code: -32602 });
    await expect(client.prompt('evening_briefing', {})).rejects.toMatchObject({ code: -32602 });
  });

  it('links results to records, and reads them as their operations do', async () => {
    const { id: propertyId } = (await api.post('/properties', { name: 'Lake House', timezone: 'UTC' })).body.data;
    const guide = (await api.post('/guides', { name: 'Welcome', sourceLocale: 'en' })).body.data;
    const stay = (
      await api.post('/reservations', { propertyId, checkInDate: '2030-07-01', checkOutDate: '2030-07-03' })
    ).body.data;
    const made = await call('createTask', { name: 'Air the rooms', reservationId: stay.id });
    const task = made.structuredContent.data;
    const link = { type: 'resource_link', mimeType: 'application/json' };
    expect(made.content.slice(1)).toEqual([
      { ...link, uri: `reservation://${stay.id}`, name: 'reservation' },
      { ...link, uri: `task://${task.id}`, name: 'Air the rooms' },
    ]);
    expect((await call('getGuide', { guideId: guide.id })).content.slice(1)).toEqual([
      { ...link, uri: `guide://${guide.slug}`, name: 'Welcome' },
    ]);
    expect((await call('listTasks')).content).toHaveLength(1);
    const templates = (await client.templates()).resourceTemplates.map(({ uriTemplate }) => uriTemplate);
    expect(templates.sort()).toEqual(['guide://{slug}', 'reservation://{reservationId}', 'task://{taskId}']);
    for (const [uri, id] of [
      [`task://${task.id}`, task.id],
      [`reservation://${stay.id}`, stay.id],
      [`guide://${guide.slug}`, guide.id],
    ]) {
      const { contents } = await client.read(uri);
      expect(contents).toEqual([{ uri, mimeType: 'application/json', text: expect.any(String) }]);
      expect(JSON.parse(contents[0].text).id).toBe(id);
    }
    const absent = ['task://task_1', 'guide://nothing', 'cottage://x', 'task:'];
    for (const uri of absent) await expect(client.read(uri)).rejects.toMatchObject({ code: expect.any(Number) });
  });

  it('receives the progress of a call that requests it', async () => {
    const seen: number[] = [];
    const result = await call('getMe', {}, ({ progress }) => seen.push(progress));
    expect(result.structuredContent.data.credential).toBe('api-key');
    expect(seen[0]).toBe(0);
  });

  it('confirms that the result of a bulk change matches, too', async () => {
    const made = await call('createTask', { name: 'One of many' });
    const taskIds = [made.structuredContent.data.id];
    const changed = await call('changeTasksInBulk', { taskIds, action: 'start' });
    expect(changed.structuredContent.data).toMatchObject([{ taskId: taskIds[0], task: { status: 'in_progress' } }]);
  });
});

describe('revision 2026-07-28', () => {
  it('supports discovery', async () => {
    const { status, body } = await modern('server/discover');
    expect(status).toBe(200);
    expect(body.result).toMatchObject({ supportedVersions: ['2026-07-28'], capabilities: { tools: {} } });
  });

  it('marks lists as private, with the time for which they are fresh', async () => {
    const { body } = await modern('tools/list');
    expect(body.id).toBe('a"1');
    expect(body.result).toMatchObject({ resultType: 'complete', ttlMs: 60_000, cacheScope: 'private' });
  });

  it('marks the result of a call as complete', async () => {
    const { status, body } = await modern('tools/call', { name: 'getMe' });
    expect(status).toBe(200);
    expect(body.result).toMatchObject({
      resultType: 'complete',
      structuredContent: { data: { credential: 'api-key' } },
    });
  });

  it('reads a name that comes in Base64', async () => {
    const name = `=?base64?${Buffer.from('getMe').toString('base64')}?=`;
    expect((await modern('tools/call', { name: 'getMe' }, { 'mcp-name': name })).body.result.isError).toBeUndefined();
  });

  it.each([
    ['another name', { 'mcp-name': 'createTask' }],
    ['no name', { 'mcp-name': undefined }],
    ['another method', { 'mcp-method': 'tools/list' }],
    ['no method', { 'mcp-method': undefined }],
    ['no version', { 'mcp-protocol-version': undefined }],
  ])('rejects headers with %s', async (_, headers) => {
    const { status, body } = await modern('tools/call', { name: 'getMe' }, headers);
    expect({ status, code: body.error.code, id: body.id }).toEqual({ status: 400, code: -32020, id: 'a"1' });
  });

  it('rejects a message without its _meta, and a revision that is not served', async () => {
    expect(await modern('tools/list', { _meta: undefined })).toMatchObject({
      status: 400,
      body: { error: { code: -32602 } },
    });
    const later = { ...meta, 'io.modelcontextprotocol/protocolVersion': '2027-01-01' };
    const { status, body } = await modern('tools/list', { _meta: later }, { 'mcp-protocol-version': '2027-01-01' });
    expect({ status, supported: body.error.data.supported }).toEqual({ status: 400, supported: ['2026-07-28'] });
  });
});

describe('the revisions of 2025', () => {
  it.each(['2025-03-26', '2025-06-18', '2025-11-25'])('%s is negotiated, and then served', async (protocolVersion) => {
    const hello = { protocolVersion, capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    const { status, headers, body } = await legacy('initialize', hello);
    expect(status).toBe(200);
    expect(headers.get('content-type')).toContain('application/json');
    expect(headers.get('mcp-session-id')).toBeNull();
    expect(body.result.protocolVersion).toBe(protocolVersion);
    const version = { 'mcp-protocol-version': protocolVersion };
    expect((await legacy('tools/list', {}, version)).body.result.tools.length).toBeGreaterThan(5);
    expect((await legacy('ping', {}, version)).body).toEqual({ jsonrpc: '2.0', id: 7, result: {} });
  });

  it('offers the newest of them to a client with an unknown one', async () => {
    const hello = { protocolVersion: '2024-01-01', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
    expect((await legacy('initialize', hello)).body.result.protocolVersion).toBe('2025-11-25');
  });

  it('rejects a version in the header that is not served', async () => {
    expect((await legacy('tools/call', { name: 'getMe' }, { 'mcp-protocol-version': '2020-01-01' })).status).toBe(400);
  });
});
