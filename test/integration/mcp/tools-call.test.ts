import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames, doors } from '../../support/doors.js';
import { keyWith as madeKey, propertyOf, unitOf } from '../../support/factories.js';
import { type Mcp, mcpOf } from '../../support/mcp.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let mcp: Mcp;
beforeAll(async () => {
  service = await startApp();
  mcp = mcpOf(service.url, service.key);
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const keyWith = async (scopes: string[]): Promise<string> =>
  (await service.api.post('/api-keys', { name: 'limited', scopes })).body.data.key;

describe('tools/call', () => {
  it('returns the body that REST returns, as structured content and as text', async () => {
    const { status, headers, isError, body } = await mcp.call('createTask', { name: 'Change the linen' });
    expect({ status, isError }).toEqual({ status: 200, isError: false });
    const rest = await service.api.get(`/tasks/${body.data.id}`);
    expect(body.data).toEqual(rest.body.data);
    expect(body.meta.requestId).toBe(headers.get('x-request-id'));
    expect(headers.get('x-ratelimit-limit')).toBe('1000');
  });

  it('returns the envelope for a rejected input, and names every field', async () => {
    const { status, isError, body } = await mcp.call('createTask', { priority: 'soon', colour: 'red' });
    expect({ status, isError }).toEqual({ status: 200, isError: true });
    expect(body.error).toMatchObject({ type: 'validation_error', details: { service: 'tasks', method: 'createTask' } });
    expect(body.error.details.issues.map(({ path }: { path: string[] }) => path[0]).sort()).toEqual([
      'colour',
      'name',
      'priority',
    ]);
  });

  it('takes arguments as typed JSON: text is not a number', async () => {
    expect((await mcp.call('listTasks', { limit: '5' })).body.error.type).toBe('validation_error');
    expect((await mcp.call('listTasks', { limit: 5 })).body.meta.pagination.limit).toBe(5);
  });

  it("returns a key's missing scope as the result of the tool", async () => {
    const limited = mcp.as(await keyWith(['tasks:read']));
    const { status, isError, body } = await limited.call('createTask', { name: 'No' });
    expect({ status, isError }).toEqual({ status: 200, isError: true });
    expect(body.error).toMatchObject({ type: 'authorization_error', code: 'FORBIDDEN' });
  });

  it('reports an unknown tool and invalid arguments with JSON-RPC errors', async () => {
    expect((await mcp.call('dropTables')).body.error.code).toBe(-32602);
    expect((await mcp.call('getMe', [] as object)).body.error.code).toBe(-32602);
  });

  it('counts once against the budget that REST counts against', async () => {
    const first = await mcp.call('getMe');
    const second = await service.api.get('/me');
    const used =
      Number(first.headers.get('x-ratelimit-remaining')) - Number(second.headers.get('x-ratelimit-remaining'));
    expect(used).toBe(1);
  });

  it('returns 429 with the envelope once the burst is used up', async () => {
    const key = await keyWith(['tasks:read']);
    clock.set(Date.now());
    const replies = await Promise.all(Array.from({ length: 60 }, () => mcp.as(key).call('getMe')));
    const refused = replies.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(10);
    expect(refused[0]?.body.error.type).toBe('rate_limit_error');
    expect(refused[0]?.headers.get('retry-after')).toBe('1');
  });

  it('detects a stale version in _meta', async () => {
    const { body } = await mcp.call('createTask', { name: 'Air the rooms' });
    const change = (ifMatch: unknown) =>
      mcp.call(
        'updateTask',
        { taskId: body.data.id, name: 'Air all' },
        { meta: { 'property-operations/ifMatch': ifMatch } },
      );
    expect((await change('"7"')).body.error.code).toBe('VERSION_MISMATCH');
    expect((await change(7)).body.error.type).toBe('validation_error');
    expect((await change('"1"')).body.data.version).toBe(2);
  });
});

describe('a list that is too long for an assistant', () => {
  it('is cut at a record and continues from there, and is complete over REST', async () => {
    const { api } = await madeKey(service.api);
    const propertyId = await propertyOf(api, 'The archive');
    for (let index = 0; index < 12; index += 1) {
      await api.post('/tasks', { name: `Ünïcode ${index}`, propertyId, description: 'ü'.repeat(5_000) });
    }
    const whole = (await api.get(`/tasks?propertyId=${propertyId}&sort=createdAt`)).body.data;
    const seen: Json[] = [];
    const sizes: number[] = [];
    let cursor: string | undefined;
    do {
      const { body } = await mcp
        .as(api.key)
        .call('listTasks', { propertyId, sort: 'createdAt', ...(cursor && { cursor }) });
      seen.push(...body.data);
      sizes.push(Buffer.byteLength(JSON.stringify(body)));
      cursor = body.meta.pagination.nextCursor;
      const told = `Only ${body.data.length} of ${12 - seen.length + body.data.length} records, because more would be too long for an assistant. Pass nextCursor as cursor to get more.`;
      expect(body.meta.truncated).toBe(cursor ? told : undefined);
    } while (cursor);
    expect(seen).toEqual(whole);
    expect(sizes.length).toBe(3);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(60_000);
  });

  it('contains at least one record', async () => {
    const { api } = await madeKey(service.api);
    const checklist = Array.from({ length: 200 }, () => ({ title: 'ü'.repeat(200) }));
    const propertyId = await propertyOf(api, 'The attic');
    for (const name of ['First', 'Second']) await api.post('/tasks', { name, propertyId, checklist });
    const { body } = await mcp.as(api.key).call('listTasks', { propertyId });
    expect(body.data.map(({ name }: Json) => name)).toEqual(['Second']);
    expect(body.meta.truncated).toContain('Only 1 of 2 records');
  });
});

describe('an idempotency key', () => {
  const meta = (key: unknown) => ({ meta: { 'property-operations/idempotencyKey': key } });

  it('is read from _meta, and a replay is the first response', async () => {
    const first = await mcp.call('createTask', { name: 'Once' }, meta('once-1'));
    const again = await mcp.call('createTask', { name: 'Once' }, meta('once-1'));
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    expect(again.headers.get('x-request-id')).toBe(first.headers.get('x-request-id'));
  });

  it('can be sent in the header', async () => {
    const headers = { 'idempotency-key': 'header-1' };
    const first = await mcp.call('createTask', { name: 'H' }, { headers, ...meta('ignored-1') });
    const again = await mcp.call('createTask', { name: 'H' }, { headers, ...meta('ignored-2') });
    expect(again.body).toEqual(first.body);
  });

  it('is the same key over REST', async () => {
    const first = await mcp.call('createTask', { name: 'Either door' }, meta('doors-1'));
    const again = await service.api.post('/tasks', { name: 'Either door' }, { 'idempotency-key': 'doors-1' });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
  });

  it('is rejected if it is invalid', async () => {
    expect((await mcp.call('createTask', { name: 'X' }, meta(5))).body.error.type).toBe('validation_error');
  });
});

describe.each(doorNames)('over %s', (name) => {
  it('creates, lists, gets and completes a task', async () => {
    const { ask } = doors(service)[name];
    const made = await ask('createTask', { name: `By ${name}` }, { idempotencyKey: `by-${name}` });
    expect(made.status).toBe(201);
    const { id } = made.body.data;
    expect((await ask('listTasks', { limit: 2, status: 'pending' })).body.data[0].id).toBe(id);
    expect((await ask('completeTask', { taskId: id })).body.data.status).toBe('completed');
    expect(await ask('completeTask', { taskId: id })).toMatchObject({
      status: 409,
      body: { error: { type: 'conflict_error' } },
    });
    expect((await ask('getTask', { taskId: 'task_nothing' })).status).toBe(404);
  });

  it('rejects a name as an id, but suggests whose name it is', async () => {
    const { api, key } = await madeKey(service.api);
    const { ask } = doors(service)[name].as(key);
    const propertyId = await propertyOf(api, `Villa ${name}`);
    const unitId = await unitOf(api, propertyId, `Lavender ${name}`);
    const messageOf = async (operation: string, input: object): Promise<unknown[]> => {
      const { status, body } = await ask(operation, input);
      return [status, body.error.message];
    };
    const unit = 'Unit not found. Pass a unit id (unit_…) from listUnits';
    const task = { name: 'Heating', propertyId };
    expect(await messageOf('createTask', { ...task, unitId: `lavender ${name}` })).toEqual([
      404,
      `${unit}; 'lavender ${name}' is ${unitId}.`,
    ]);
    expect(await messageOf('getProperty', { propertyId: `Villa ${name}` })).toEqual([
      404,
      `Property not found. Pass a property id (property_…) from listProperties; 'Villa ${name}' is ${propertyId}.`,
    ]);
    // Neither if two match, and none that the caller cannot see.
    const { key: limited } = await madeKey(api, { propertyIds: [await propertyOf(api, 'Elsewhere')] });
    const hidden = await doors(service)
      [name].as(limited)
      .ask('createTask', { name: 'x', unitId: `Lavender ${name}` });
    expect(hidden.body.error.message).toBe(`${unit}.`);
    await unitOf(api, await propertyOf(api, 'Annex'), `LAVENDER ${name}`);
    for (const unitId of [`Lavender ${name}`, 'Lav', 'x', 'é'.repeat(300)]) {
      expect(await messageOf('createTask', { ...task, unitId })).toEqual([404, `${unit}.`]);
    }
    const { key: blind } = await madeKey(api, { scopes: ['tasks:write'] });
    const unseen = await doors(service)
      [name].as(blind)
      .ask('createTask', { ...task, propertyId: `Villa ${name}` });
    expect(unseen.body.error.message).toMatch(/from listProperties\.$/);
  });

  it('rejects an unknown credential', async () => {
    const reply = await doors(service)[name].as('sk_live_no_such_key_at_all_0123456789').ask('getMe');
    expect(reply).toMatchObject({ status: 401, body: { error: { type: 'authentication_error' } } });
  });
});
