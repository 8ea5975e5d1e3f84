import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { keyWith, propertyOf, stayOf, taskOf } from '../../support/factories.js';
import { mcpOf } from '../../support/mcp.js';
import { startOps } from '../../support/ops.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => clock.restore());

const logId = /^request_[0-9a-f]{32}$/;
const entriesOf = async (targetId: string): Promise<Json[]> =>
  (await tenant.api.get(`/audit-entries?limit=100&targetId=${targetId}`)).body.data as Json[];
const actionsOf = async (targetId: string): Promise<string[]> =>
  (await entriesOf(targetId)).map(({ action }) => action as string);
const idsIn = (entries: Json[]): string[] => entries.map(({ id }) => id as string);
const exported = async (from = tenant.api, query = ''): Promise<Json[]> => {
  const { text } = await from.get(`/audit-entries/export${query}`);
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line) as Json);
};

describe('a request id chosen by a client', () => {
  it('is kept beside an id of our own, which differs if the client repeats its own', async () => {
    const id = await taskOf(tenant.api);
    const chosen = { 'x-request-id': 'order 66' };
    const started = await tenant.api.post(`/tasks/${id}/start`, undefined, chosen);
    expect(started.body.meta).toEqual({ requestId: 'order 66', undoable: true });
    await mcpOf(tenant.service.url, tenant.api.key).call('completeTask', { taskId: id }, { headers: chosen });
    const [completed, begun] = await entriesOf(id);
    expect([completed.action, begun.action]).toEqual(['completeTask', 'startTask']);
    for (const entry of [completed, begun])
      expect(entry).toMatchObject({ requestId: 'order 66', logId: expect.stringMatching(logId) });
    expect(completed.logId).not.toBe(begun.logId);
  });

  it('keeps the entry of the first request when a write is replayed', async () => {
    const send = (id: string) =>
      tenant.api.post('/tasks', { name: 'Once' }, { 'idempotency-key': 'once-1', 'x-request-id': id });
    const { body } = await send('first');
    const [entry] = await entriesOf(body.data.id as string);
    expect((await send('second')).body).toEqual(body);
    const kept = (await entriesOf(body.data.id as string)).map((found) => ({ ...found, seal: null }) as Json);
    expect(kept).toEqual([{ ...entry, seal: null }]);
  });
});

describe.each(doorNames)('audit entries over %s', (door) => {
  const ask = (operation: string, input?: object) => tenant.doors[door].ask(operation, input);
  const list = async (input: object): Promise<Json[]> => (await ask('listAuditEntries', input)).body.data as Json[];

  it('show who changed what, through what, and the values before and after', async () => {
    const id = await taskOf(tenant.api, { propertyId: tenant.here });
    const { body } = await ask('updateTask', { taskId: id, priority: 'high' });
    const [updated, created] = await list({ targetId: id });
    const { data: me } = (await ask('getMe')).body;
    const [key] = (await ask('listApiKeys', { limit: 100 })).body.data.filter(
      ({ memberId }: Json) => memberId === me.member.id,
    );
    expect({ ...updated, seal: null }).toEqual({
      id: expect.stringMatching(/^audit_[0-9a-f]{32}$/),
      actor: { type: 'member', id: me.member.id },
      credential: { kind: 'api-key', id: key.id },
      onBehalfOf: null,
      action: 'updateTask',
      target: { type: 'task', id },
      propertyId: tenant.here,
      before: { priority: 'normal', version: 1, updatedAt: created.after.updatedAt },
      after: { priority: 'high', version: 2, updatedAt: body.data.updatedAt },
      requestId: body.meta.requestId,
      logId: expect.stringMatching(logId),
      createdAt: expect.any(String),
      seal: null,
    });
    expect(created).toMatchObject({ action: 'createTask', before: null, after: { id, name: 'Change the linen' } });
  });

  it('are found by actor, action, target, request and time, in pages', async () => {
    const started = new Date().toISOString();
    const other = (await keyWith(tenant.api)).api;
    const taskId = await taskOf(other);
    const { body } = await other.post(`/tasks/${taskId}/start`);
    const { id: member } = (await other.get('/me')).body.data.member;
    clock.advance(1);
    const ended = new Date().toISOString();
    await other.post(`/tasks/${taskId}/complete`);
    const [complete, start, create] = idsIn(await list({ actor: member }));
    expect(await list({ actor: member, action: 'startTask' })).toMatchObject([{ id: start }]);
    expect(idsIn(await list({ targetId: taskId, targetType: 'task' }))).toEqual([complete, start, create]);
    expect(await list({ targetId: taskId, targetType: 'property' })).toEqual([]);
    expect(idsIn(await list({ requestId: body.meta.requestId }))).toEqual([start]);
    expect(idsIn(await list({ actor: member, from: started, to: ended }))).toEqual([start, create]);
    expect(idsIn(await list({ actor: member, from: ended }))).toEqual([complete]);
    const first = await ask('listAuditEntries', { actor: member, limit: 2 });
    const cursor = first.body.meta.pagination.nextCursor as string;
    expect(idsIn(await list({ actor: member, limit: 2, cursor }))).toEqual([create]);
    expect(await ask('listAuditEntries', { limit: 2, cursor })).toMatchObject({ status: 400 });
  });

  it('need only audit:read, and show a limited credential those of its properties', async () => {
    const [here, elsewhere] = [
      await taskOf(tenant.api, { propertyId: tenant.here }),
      await taskOf(tenant.api, { propertyId: tenant.elsewhere }),
    ];
    const nowhere = await taskOf(tenant.api);
    const as = (key: string | undefined) => tenant.doors[door].as(key);
    for (const operation of ['listAuditEntries', 'exportAuditEntries']) {
      expect(await as(tenant.reader.key).ask(operation)).toMatchObject({ status: 403 });
    }
    const seen = (await as(tenant.limited.key).ask('listAuditEntries', { limit: 100 })).body.data as Json[];
    expect(new Set(seen.map(({ propertyId }) => propertyId as string))).toEqual(new Set([tenant.here]));
    const targets = seen.map(({ target }) => target.id as string);
    expect([here, elsewhere, nowhere].map((id) => targets.includes(id))).toEqual([true, false, false]);
    expect(await exported(tenant.limited)).toHaveLength(seen.length);
    expect((await as(tenant.stranger.key).ask('listAuditEntries', { targetId: here })).body.data).toEqual([]);
  });
});

describe('exportAuditEntries', () => {
  it('returns all over REST, one value per line, and page by page as a tool', async () => {
    const [one, two] = [await taskOf(tenant.api), await taskOf(tenant.api)];
    const { text, headers } = await tenant.api.get('/audit-entries/export?action=createTask');
    expect(headers.get('content-type')).toBe('application/x-ndjson');
    expect(text.endsWith('\n')).toBe(true);
    const all = await exported(tenant.api, '?action=createTask');
    expect(all.slice(-2).map(({ target }) => target.id as string)).toEqual([one, two]);
    const paged: Json[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const { body } = await tenant.doors.mcp.ask('exportAuditEntries', { action: 'createTask', limit: 3, cursor });
      expect(body.data.length).toBeLessThanOrEqual(3);
      paged.push(...(body.data as Json[]));
      cursor = body.meta.pagination.nextCursor as string | null;
    }
    expect(idsIn(paged)).toEqual(idsIn(all));
    expect(await exported(tenant.api, '?action=createTask&limit=1')).toMatchObject([{ id: all[0].id }]);
  });
});

describe('the entries', () => {
  it('are one for each record that a bulk operation changed', async () => {
    const [one, two] = [await taskOf(tenant.api), await taskOf(tenant.api)];
    await tenant.api.post(`/tasks/${two}/complete`);
    await tenant.api.post('/tasks/bulk', { taskIds: [one, two], action: 'cancel' });
    expect(await entriesOf(one)).toMatchObject([
      { action: 'changeTasksInBulk', before: { status: 'pending' }, after: { status: 'cancelled' } },
      { action: 'createTask' },
    ]);
    expect(await actionsOf(two)).toEqual(['completeTask', 'createTask']);
  });

  it('are one for a request however often it is sent, and none for a rejected one', async () => {
    const id = await taskOf(tenant.api);
    const start = () => tenant.api.send('POST', `/tasks/${id}/start`, undefined, { 'idempotency-key': `once ${id}` });
    expect([(await start()).status, (await start()).headers.get('idempotent-replayed')]).toEqual([200, 'true']);
    expect((await tenant.api.post(`/tasks/${id}/start`)).status).toBe(409);
    expect((await tenant.api.send('POST', `/tasks/${id}/reopen`, undefined, { 'idempotency-key': id })).status).toBe(
      409,
    );
    expect(await actionsOf(id)).toEqual(['startTask', 'createTask']);
  });

  it('include shown secrets and replayed deliveries, but not requests that changed nothing', async () => {
    const wifi = { networkName: 'Lake', password: 'only-for-guests' };
    const { id } = (await tenant.api.post('/properties', { name: 'Cabin', timezone: 'UTC', wifi })).body.data;
    expect((await tenant.api.post(`/properties/${id}/wifi/reveal`)).text).toContain(wifi.password);
    await tenant.api.post(`/properties/${id}/archive`);
    expect((await tenant.api.post(`/properties/${id}/archive`)).status).toBe(200);
    expect(await actionsOf(id)).toEqual(['archiveProperty', 'revealWifi', 'createProperty']);
    expect((await entriesOf(id))[1]).toMatchObject({ propertyId: id, before: null, after: null });

    const endpoint = { url: 'https://93.184.215.14/', eventTypes: ['task.created'] };
    const { id: endpointId } = (await tenant.api.post('/webhook-endpoints', endpoint)).body.data;
    const from = new Date().toISOString();
    await tenant.api.post('/webhook-deliveries/replay', { endpointId, from });
    expect(await entriesOf(endpointId)).toMatchObject([
      { action: 'replayWebhookDeliveries', target: { type: 'webhook_endpoint' }, after: { from, replayed: 0 } },
      { action: 'createWebhookEndpoint' },
    ]);
    await tenant.api.delete(`/webhook-endpoints/${endpointId}`);
    expect((await entriesOf(endpointId))[0]).toMatchObject({ before: { id: endpointId }, after: null });
    expect(JSON.stringify(await exported())).not.toMatch(/only-for-guests|whsec_/);
  });

  it('contain only the id of a guest, before and after the guest is erased', async () => {
    const propertyId = await propertyOf(tenant.api);
    const guest = { name: 'Ottoline Harcourt', email: 'ottoline@guests.example', phone: '+44 20 7946 0991' };
    const stay = await stayOf(tenant.api, { propertyId, primaryGuest: guest, notes: 'Ottoline is allergic to nuts' });
    const guestId = stay.primaryGuest.id as string;
    await tenant.api.patch(`/guests/${guestId}`, { phone: '+44 20 7946 0992', notes: 'Ottoline called' });
    await tenant.api.post(`/reservations/${stay.id}/cancel`, { reason: 'Ottoline fell ill' });
    const taskId = await taskOf(tenant.api, { description: 'Flowers for Ottoline' });
    await tenant.api.patch(`/tasks/${taskId}`, { description: 'Roses for Ottoline' });
    await tenant.api.post(`/tasks/${taskId}/comments`, { text: 'Ottoline likes them red' });
    expect((await entriesOf(taskId))[1]).toMatchObject({
      before: { description: '[not kept]' },
      after: { description: '[not kept]' },
    });
    await tenant.api.delete(`/guests/${guestId}`);
    expect(await actionsOf(guestId)).toEqual(['eraseGuest', 'updateGuest', 'createReservation']);
    expect(JSON.stringify(await exported())).not.toMatch(/Ottoline|Harcourt|guests\.example|7946 ?099/);
  });

  it('record the first start, operators at the command line, and the service itself', async () => {
    const { id: orgId, slug } = (await tenant.api.get('/organization')).body.data;
    const ops = await startOps(tenant.service);
    try {
      await ops(`org update --org ${slug} --name Renamed`);
      await ops(`org create --name "Next Door" --slug next-door`);
    } finally {
      await ops.close();
    }
    expect(await entriesOf(orgId as string)).toMatchObject([
      { action: 'ops org update', actor: { type: 'operator' }, credential: null, after: { name: 'Renamed' } },
      { action: 'first start', actor: { type: 'service' }, before: null, after: { name: 'My Organization' } },
    ]);
  });
});
