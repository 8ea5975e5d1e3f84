import { readFileSync } from 'node:fs';
import { Client, fromJsonSchema, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { Json } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { propertyOf, stayOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { Mailbox } from '../../support/mailbox.js';
import { type Person, revoke } from '../../support/oauth.js';
import { type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { differences, jsonIn, parsed } from '../../support/recording.js';
import { slowPost } from '../../support/slow-request.js';

let world: OAuthWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const scopes = ['tasks:read', 'tasks:write', 'api-keys:manage', 'api-keys:read', 'members:read'];

async function signedIn({ email, password }: Person): Promise<Browser> {
  const browser = new Browser(world.service.url);
  await browser.signIn(email, password);
  return browser;
}

/** An application that a person told to ask for approval. */
async function asking(askBefore: string) {
  const person = await world.person();
  const { access_token: token, client } = await world.tokensOf(person, { scopes, askBefore });
  const api = world.rest(token);
  const newTask = async () => (await world.rest(ownersToken).post('/tasks', { name: 'Old' })).body.data.id as string;
  return { person, token, client, api, newTask };
}

let ownersToken: string;
beforeAll(async () => {
  ownersToken = (await world.tokensOf(await world.person('owner'), { scopes })).access_token;
});

const pathOf = ({ data }: Json): string => new URL(data.url as string).pathname;

async function approve(browser: Browser, pending: Json): Promise<string> {
  const page = await browser.get(pathOf(pending));
  return (await browser.submit(page, pathOf(pending), { decision: 'approve' })).text;
}

describe('what a person chooses at consent', () => {
  it('holds destructive actions, and actions that would bypass them, until the person approves', async () => {
    const { person, api, newTask } = await asking('destructive');
    const taskId = await newTask();
    expect((await api.post('/tasks', { name: 'New' })).status).toBe(201);
    expect((await api.post('/api-keys', { name: 'Its own', scopes: ['tasks:write'] })).status).toBe(202);
    const { status, body } = await api.post(`/tasks/${taskId}/archive`);
    expect(status).toBe(202);
    expect(await approve(await signedIn(person), body)).toContain('Approved');
    const { data } = (
      await until(
        () => api.get(`/approvals/${body.data.id}`),
        (reply) => reply.body.data.status === 'done',
      )
    ).body;
    expect(data.response.body.data).toMatchObject({ id: taskId });
  });

  it('also applies to keys that the application creates, and remains when it is approved again', async () => {
    const { person, client, api } = await asking('nothing');
    const { body } = await api.post('/api-keys', { name: 'Its own', scopes: ['tasks:write', 'tasks:read'] });
    const key = world.rest(body.data.key as string);
    expect((await key.post('/tasks', { name: 'New' })).status).toBe(201);
    await world.tokensOf(person, { scopes, client, askBefore: 'write' });
    expect((await key.post('/tasks', { name: 'New' })).status).toBe(202);
  });

  it('still applies if the approval ends while a request arrives', async () => {
    const { client, token } = await asking('write');
    const finish = await slowPost(world.service, '/api/v1/tasks', token, '{"name": ');
    expect((await revoke(world.service, client, token)).status).toBe(200);
    expect(await finish('"New"}')).toBe(202);
  });

  it('cannot be decided by the application itself, neither on the page nor by an operation', async () => {
    const { token, api, newTask } = await asking('write');
    const { body } = await api.post(`/tasks/${await newTask()}/archive`);
    const at = `${world.service.url}${pathOf(body)}`;
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await fetch(at, { method: 'POST', headers, body: 'decision=approve', redirect: 'manual' });
    expect([sent.status, sent.headers.get('location')]).toEqual([303, '/sign-in']);
    const tools = (await world.mcp(token).tools()).map(({ name }) => name as string);
    expect(tools.filter((name) => /approval/i.test(name)).sort()).toEqual([
      'getApproval',
      'listApprovals',
      'withdrawApproval',
    ]);
    expect((await api.get(`/approvals/${body.data.id}`)).body.data.status).toBe('pending');
  });
});

describe("an organization's rules", () => {
  it('are set by operators, also for one application, and only the owners see them', async () => {
    const { api, client, newTask } = await asking('nothing');
    const add = `approval-rule add --org ${world.lakeside} --who ${client.client_id} --what archiveTask --mode`;
    const { id } = await world.ops(`${add} forbid`);
    expect((await api.post(`/tasks/${await newTask()}/archive`)).body.error.code).toBe('FORBIDDEN_BY_RULE');
    const about = await world.ops(`approval-rule add --org ${world.lakeside} --who all --what publishGuide --mode ask`);
    await world.ops(`approval-rule remove --id ${about.id}`);
    await expect(world.ops(`${add} ask`)).rejects.toThrow('already');
    await expect(
      world.ops(`approval-rule add --org ${world.lakeside} --who all --what archiveTsk --mode ask`),
    ).rejects.toThrow('name of an operation');
    const rules = await (await signedIn(await world.person('manager'))).get('/account/approval-rules');
    expect(rules.text).toContain('Only owners');
    await world.ops(`approval-rule remove --id ${id}`);
    expect((await api.post(`/tasks/${await newTask()}/archive`)).status).toBe(200);
  });

  it('are set on a page, with who may decide and how long a request waits', async () => {
    const { person, api, newTask, client } = await asking('nothing');
    const browser = await signedIn(await world.person('owner'));
    const path = '/account/approval-rules';
    const page = await browser.get(path);
    const added = await browser.submit(page, `${path}/add`, {
      who: client.client_id,
      what: 'archiveTask',
      mode: 'ask',
    });
    expect(added.text).toContain('archiveTask');
    await browser.submit(added, `${path}/settings`, { minutes: '60', by_others: 'on' });
    const { body } = await api.post(`/tasks/${await newTask()}/archive`);
    expect(Date.parse(body.data.expiresAt as string) - Date.now()).toBeGreaterThan(59 * 60_000);
    expect((await (await signedIn(person)).get(pathOf(body))).status).toBe(404);
    expect((await browser.get('/account/approvals')).html).toContain(pathOf(body));
    expect(await approve(browser, body)).toContain('Approved');
    const removed = await browser.submit(await browser.get(path), `${path}/settings`, { minutes: '30' });
    expect((await browser.submit(removed, `${path}/remove`)).text).not.toContain('archiveTask · ');
  });
});

it('send one letter about all pending requests, without those that a member may not decide', async () => {
  const { person, api } = await asking('write');
  const other = await world.person('coordinator');
  const { body } = await api.post('/tasks', { name: 'Told' });
  const mailbox = new Mailbox(world.service.config.dataDir);
  const letter = await mailbox.latest(person.email, /wait.* for your approval/);
  expect(letter.replaceAll('=\r\n', '')).toContain(pathOf(body));
  await api.post('/tasks', { name: 'Told later' });
  expect(mailbox.all(person.email).filter((text) => text.includes('approval'))).toHaveLength(1);
  expect(mailbox.all(other.email).filter((text) => text.includes('approval'))).toEqual([]);
});

const opensPages = { elicitation: { url: {} } };
const followsTasks = { extensions: { 'io.modelcontextprotocol/tasks': {} } };

/** A message of 2026-07-28 from a client with these capabilities. */
const modern = (
  token: string,
  method: string,
  params: Json,
  capabilities: object,
  { query = '', prefer = '' } = {},
) => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': capabilities,
  };
  return world.rest(token).post(
    `/mcp${query}`,
    { jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } },
    {
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(prefer && { prefer }),
      ...((params.name ?? params.taskId) && { 'mcp-name': (params.name ?? params.taskId) as string }),
    },
  );
};

describe('clients that support tasks', () => {
  const call = async (token: string, name: string, capabilities: object = followsTasks) =>
    (await modern(token, 'tools/call', { name: 'createTask', arguments: { name } }, capabilities)).body.result;
  const about = async (token: string, method: string, taskId: unknown, query = '') =>
    (
      await modern(token, method, { taskId, ...(method === 'tasks/update' && { inputResponses: {} }) }, followsTasks, {
        query,
      })
    ).body;
  const get = async (token: string, taskId: string): Promise<Json> => (await about(token, 'tasks/get', taskId)).result;

  it('get a task that represents the approval, and from it the result of the call', async () => {
    const { person, token, api } = await asking('write');
    const { _meta, ...task } = await call(token, 'As a task');
    expect(task).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^approval_/),
      status: 'working',
      statusMessage: expect.stringContaining(`${world.service.url}/approvals/${task.taskId}`),
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttlMs: 24.5 * 3_600_000,
      pollIntervalMs: 5_000,
    });
    expect(await get(token, task.taskId as string)).toEqual({ ...task, resultType: 'complete' });
    expect((await about(token, 'tasks/update', task.taskId)).result).toEqual({ resultType: 'complete' });
    await approve(await signedIn(person), (await api.get(`/approvals/${task.taskId}`)).body);
    const { result, ...done } = await until(
      () => get(token, task.taskId as string),
      ({ status }) => status === 'completed',
    );
    expect(done).toMatchObject({ resultType: 'complete', taskId: task.taskId });
    expect(result.isError).toBeUndefined();
    expect(result.structuredContent.data).toMatchObject({ name: 'As a task', version: 1 });
    expect(JSON.parse(result.content[0].text)).toEqual(result.structuredContent);
    expect(result.content[1]).toMatchObject({ type: 'resource_link', name: 'As a task' });
  });

  it('get a rejection as the result, and can cancel a pending request', async () => {
    const { person, token, api } = await asking('write');
    const refused = await call(token, 'Refused');
    const browser = await signedIn(person);
    const { body } = await api.get(`/approvals/${refused.taskId}`);
    const page = await browser.get(pathOf(body));
    await browser.submit(page, pathOf(body), { decision: 'refuse', note: 'Not now' });
    const { status, result } = await get(token, refused.taskId as string);
    expect([status, result.isError, result.structuredContent.error]).toMatchObject([
      'completed',
      true,
      { code: 'APPROVAL_REFUSED', details: { note: 'Not now' } },
    ]);
    expect((await about(token, 'tasks/cancel', refused.taskId)).result).toEqual({ resultType: 'complete' });
    const { taskId } = await call(token, 'Cancelled');
    expect((await about(token, 'tasks/cancel', taskId, '?readonly=true')).error.code).toBe(-32_602);
    expect((await get(token, taskId as string)).status).toBe('working');
    expect((await about(token, 'tasks/cancel', taskId)).result).toEqual({ resultType: 'complete' });
    expect((await get(token, taskId as string)).status).toBe('cancelled');
  });

  it('see no tasks of others, and get none unless they declare support for tasks', async () => {
    const [{ token }, other] = [await asking('write'), await asking('write')];
    const { taskId } = await call(token, 'Mine');
    for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel'])
      for (const id of [taskId, 'task_1', 7])
        expect([method, (await about(other.token, method, id)).error.code]).toEqual([method, -32_602]);
    expect((await get(token, taskId as string)).status).toBe('working');
    expect((await call(token, 'Mine', {})).structuredContent.data.id).toBe(taskId);
    expect((await about(token, 'tasks/list', undefined)).error.code).toBe(-32_601);
    const undeclared = await modern(token, 'tasks/get', { taskId }, opensPages);
    expect([undeclared.status, undeclared.body.error.code]).toEqual([400, -32_021]);
    const legacy = { jsonrpc: '2.0', id: 1, method: 'tasks/get', params: { taskId } };
    expect((await world.rest(token).post('/mcp', legacy)).body.error.code).toBe(-32_601);
    const { capabilities } = (await modern(token, 'server/discover', {}, {})).body.result;
    expect(capabilities.extensions).toEqual({ 'io.modelcontextprotocol/tasks': {} });
  });

  it('are sent to the page first if they can open pages, and get the task after their retry has waited too long', async () => {
    const { token } = await asking('write');
    const both = { ...opensPages, ...followsTasks };
    const first = await call(token, 'Both', both);
    expect([first.resultType, first.inputRequests.approval.params.mode]).toEqual(['input_required', 'url']);
    const { requestState } = first;
    const params = { name: 'createTask', arguments: { name: 'Both' }, requestState };
    const { body } = await modern(token, 'tools/call', params, both, { prefer: 'wait=1' });
    expect(body.result).toMatchObject({ resultType: 'task', status: 'working' });
  });
});

/**
 * The official client does not accept a task as a result, so its `fetch` converts the task, as docs/approvals.md shows.
 */
const withTasks: typeof fetch = async (...asked) => {
  const response = await fetch(...asked);
  if (!response.headers.get('content-type')?.startsWith('application/json')) return response;
  const message = (await response.json()) as Json;
  const { resultType, ...task } = message.result ?? {};
  if (resultType === 'task') message.result = { resultType: 'complete', content: [], structuredContent: { task } };
  return Response.json(message, { status: response.status });
};

it('the official client follows and cancels a task if its fetch converts the task to a result', async () => {
  const { person, token, api } = await asking('write');
  const connected = async (options: object) => {
    const client = new Client(
      { name: 'follows tasks', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: followsTasks },
    );
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    const address = new URL(`${world.service.url}/mcp`);
    await client.connect(new StreamableHTTPClientTransport(address, { requestInit, ...options }));
    return client;
  };
  const asked = (name: string) => ({ name: 'createTask', arguments: { name } });
  const plain = await connected({});
  // When it no longer rejects it, docs/approvals.md does not need the `fetch` any more.
  await expect(plain.callTool(asked('Refused by the client'))).rejects.toThrow("Unsupported result type 'task'");
  await plain.close();

  const client = await connected({ fetch: withTasks });
  const anything = fromJsonSchema<Json>({ type: 'object' });
  const about = (method: string, taskId: unknown) => client.request({ method, params: { taskId } }, anything);
  const taskOf = async (name: string) => ((await client.callTool(asked(name))) as Json).structuredContent.task as Json;
  const task = await taskOf('Followed');
  expect(task.status).toBe('working');
  await approve(await signedIn(person), (await api.get(`/approvals/${task.taskId}`)).body);
  const done = await until(
    () => about('tasks/get', task.taskId),
    ({ status }) => status === 'completed',
  );
  expect(done.result.structuredContent.data).toMatchObject({ name: 'Followed', version: 1 });
  const other = await taskOf('Cancelled');
  await about('tasks/cancel', other.taskId);
  expect((await about('tasks/get', other.taskId)).status).toBe('cancelled');
  await client.close();
});

it('each form of response is as docs/approvals.md shows it', async () => {
  const { key } = await world.ops(`api-key create --org ${world.lakeside} --name k --scopes *`);
  const maker = world.rest(key as string);
  const { id: reservationId } = await stayOf(maker, { propertyId: await propertyOf(maker) });
  const mayCancel = ['reservations:read', 'reservations:write'];
  const { access_token: token } = await world.tokensOf(await world.person(), {
    scopes: mayCancel,
    askBefore: 'destructive',
  });
  const params = { name: 'cancelReservation', arguments: { reservationId } };
  const of = async (capabilities: object) => (await modern(token, 'tools/call', params, capabilities)).body.result;
  const page = readFileSync('docs/approvals.md', 'utf8');
  const [, status, Location, body = ''] = /^HTTP\/1.1 (\d+)[^\n]*\nLocation: (\S+)\n\n(.*?)^```/ms.exec(page) ?? [];
  const overRest = await world.rest(token).post(`/reservations/${reservationId}/cancel`);
  const answer = { status: `${overRest.status}`, Location: overRest.headers.get('location'), body: overRest.body };
  expect(differences({ status, Location, body: parsed(body) }, answer)).toEqual([]);
  const legacy = await world.mcp(token).at('?elicitation=url').call('cancelReservation', { reservationId });
  const answers = [await of({}), await of(opensPages), legacy.body, await of(followsTasks)];
  expect(differences(jsonIn(page), answers)).toEqual([]);
});

describe('clients that can open pages', () => {
  it('of 2026-07-28 are sent to the page, wait for the decision, and get the result', async () => {
    const { person, token } = await asking('write');
    const browser = await signedIn(person);
    const opened: string[] = [];
    const client = new Client(
      { name: 'opens pages', version: '1' },
      { versionNegotiation: { mode: { pin: '2026-07-28' } }, capabilities: { elicitation: { url: {} } } },
    );
    client.setRequestHandler('elicitation/create', async ({ params }) => {
      const { url } = params as { url: string };
      opened.push(url);
      await approve(browser, { data: { url } });
      return { action: 'accept' };
    });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${world.service.url}/mcp`), { requestInit }));
    const result = (await client.callTool({ name: 'createTask', arguments: { name: 'With a page' } })) as Json;
    expect(result.structuredContent.data).toMatchObject({ name: 'With a page', status: 'pending' });
    expect(opened).toHaveLength(1);
    await client.close();
  });

  it('wait for the decision if they requested progress', async () => {
    const { person, token, api } = await asking('write');
    const browser = await signedIn(person);
    const params = { name: 'createTask', arguments: { name: 'With progress' }, _meta: { progressToken: 7 } };
    const calling = fetch(`${world.service.url}/mcp`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
    });
    const { body } = await until(
      () => api.get('/approvals'),
      (reply) => reply.body.data.length > 0,
    );
    await approve(browser, { data: body.data[0] });
    const lines = (await (await calling).text()).split('\n').filter((line) => line.startsWith('data: '));
    const { result } = JSON.parse((lines.at(-1) as string).slice('data: '.length)) as Json;
    expect(result.structuredContent.data).toMatchObject({ name: 'With progress', status: 'pending', version: 1 });
  });

  it("of 2025 get the error with the page's URL if their address requests it", async () => {
    const { token } = await asking('write');
    const { body } = await world.mcp(token).at('?elicitation=url').call('createTask', { name: 'With a page' });
    expect(body.error).toMatchObject({
      code: -32_042,
      data: { elicitations: [{ mode: 'url', url: expect.stringContaining('/approvals/approval_') }] },
    });
    expect((await world.mcp(token).at('?elicitation=form').call('createTask', { name: 'X' })).status).toBe(400);
  });

  it('cannot use the state of another caller, or a forged one', async () => {
    const [one, other] = [await asking('write'), await asking('write')];
    const call = (token: string, requestState?: string) =>
      modern(token, 'tools/call', { name: 'createTask', arguments: { name: 'X' }, requestState }, opensPages);
    const { result } = (await call(one.token)).body;
    expect(result).toMatchObject({ resultType: 'input_required', requestState: expect.any(String) });
    for (const state of [result.requestState as string, 'bWFkZSB1cA'])
      expect((await call(other.token, state)).body.error.code).toBe(-32_602);
  });
});
