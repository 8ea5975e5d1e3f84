import { jest } from '@jest/globals';
import { LongOperations } from '../../../src/edge/overload/long-operations.js';
import type { Api, Json } from '../../support/api.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import { absentId, keyWith, propertyOf, stayOf, taskOf } from '../../support/factories.js';
import { type Mcp, mcpOf } from '../../support/mcp.js';
import { simulatorOf } from '../../support/simulator.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let api: Api;
let mcp: Mcp;
beforeAll(async () => {
  service = await startApp();
  const made = await keyWith(service.api);
  [api, mcp] = [made.api, mcpOf(service.url, made.key)];
});
afterAll(() => service.close());

const dryRun = { 'property-operations/dryRun': true };
const tasks = async (): Promise<number> => (await api.get('/tasks?limit=100')).body.data.length as number;

it('is performed as a long operation of its organization, as everything is, over REST and MCP', async () => {
  const taskId = await taskOf(api);
  const long = jest.spyOn(service.app.get(LongOperations), 'during');
  await api.post(`/tasks/${taskId}/start?dryRun=true`);
  await mcp.call('startTask', { taskId }, { meta: dryRun });
  await api.get(`/tasks/${taskId}`);
  const orgId = (await api.get('/me')).body.data.organization.id;
  const expected = ['startTask', 'startTask', 'getTask', 'getMe'].map((name) => [orgId, name]);
  expect(long.mock.calls.map(([owner, name]) => [owner, name])).toEqual(expected);
});

describe('a rehearsal', () => {
  it('returns what the write would, with its effects, and does not change the record, over REST and MCP', async () => {
    const taskId = await taskOf(api);
    const overRest = await api.post(`/tasks/${taskId}/start?dryRun=true`);
    const overMcp = await mcp.call('startTask', { taskId }, { meta: dryRun });
    for (const body of [overRest.body, overMcp.body] as Json[]) {
      expect(body.data).toMatchObject({ id: taskId, status: 'in_progress' });
      expect(body.meta).toMatchObject({ dryRun: true, effectsTotal: 1, warnings: [] });
      const [effect] = body.meta.effects;
      expect(effect).toMatchObject({ type: 'task.started', subject: { type: 'task', id: taskId } });
      expect([effect.name, effect.before.status, effect.after.status]).toEqual([
        'Change the linen',
        'pending',
        'in_progress',
      ]);
    }
    expect([overRest.status, overMcp.isError]).toEqual([200, false]);
    expect([overRest.body.meta.undoable, overRest.body.meta.effects[0].undoable]).toEqual([true, true]);
    expect((await api.get(`/tasks/${taskId}`)).body.data).toMatchObject({ status: 'pending', version: 1 });
    expect(overRest.headers.get('etag')).toBeNull();
  });

  it('returns 200 if the write would return 201 or 202, and neither Location nor the id of work elsewhere', async () => {
    const before = await tasks();
    const created = await api.post('/tasks?dryRun=true', { name: 'Sweep' });
    expect([created.status, created.body.data.name]).toEqual([200, 'Sweep']);
    expect(await tasks()).toBe(before);
    const { devices, contacts } = await lockOf();
    const { status, headers, body } = await api.post(`/devices/${devices['sim-lock-1']}/unlock?dryRun=true`);
    expect([status, headers.get('location'), body.data.id, body.data.status]).toEqual([200, null, null, 'queued']);
    expect(body.meta.effects.map(({ type }: Json) => type)).toEqual(['device_command.requested']);
    expect([body.meta.undoable, body.meta.effects[0].undoable]).toEqual([false, false]);
    expect(body.meta.warnings[0]).toContain('does not include');
    expect((await lockOf()).contacts).toEqual(contacts);
  });

  it('shows what follows from a change, in the order of the events', async () => {
    const propertyId = await propertyOf(api);
    const { id } = await stayOf(api, { propertyId });
    const { body } = await api.patch(`/properties/${propertyId}?dryRun=true`, { checkInTime: '18:00' });
    expect(body.meta.effects.map(({ type, subject }: Json) => [type, subject.id])).toEqual([
      ['property.updated', propertyId],
      ['reservation.updated', id],
      ['property.times_changed', propertyId],
    ]);
  });

  it('shows free text too, which the audit trail does not store', async () => {
    const taskId = await taskOf(api);
    await api.patch(`/tasks/${taskId}`, { description: 'Sheets' });
    const { body } = await api.patch(`/tasks/${taskId}?dryRun=true`, { description: 'Sheets and towels' });
    const [{ before, after }] = body.meta.effects;
    expect([before.description, after.description]).toEqual(['Sheets', 'Sheets and towels']);
    const created = await api.post(`/tasks/${taskId}/comments?dryRun=true`, { text: 'Done by noon' });
    expect(created.body.meta.effects[0].after.text).toBe('Done by noon');
  });

  it('is rejected if the write would be', async () => {
    const taskId = await taskOf(api);
    await api.post(`/tasks/${taskId}/complete`);
    expect((await api.post(`/tasks/${taskId}/start?dryRun=true`)).status).toBe(409);
    expectEnvelope(await api.post(`/tasks/${absentId('task')}/start?dryRun=true`), refusals.absent);
    const { api: reader } = await keyWith(api, { scopes: ['tasks:read'] });
    expectEnvelope(await reader.post(`/tasks/${taskId}/start?dryRun=true`), refusals.forbidden);
  });

  it('shows no secret, and creates none', async () => {
    const { body } = await api.post('/api-keys?dryRun=true', { name: 'k', scopes: ['tasks:read'] });
    expect([body.data.name, body.data.key]).toEqual(['k', null]);
  });

  it('ignores an Idempotency-Key, which the write may use afterwards', async () => {
    const key = { 'idempotency-key': 'rehearsed-first' };
    const before = await tasks();
    await api.post('/tasks?dryRun=true', { name: 'Sweep' }, key);
    const written = await api.post('/tasks?dryRun=false', { name: 'Sweep' }, key);
    expect([written.status, written.headers.get('idempotent-replayed')]).toEqual([201, null]);
    const repeated = await api.post('/tasks', { name: 'Sweep' }, key);
    expect(repeated.headers.get('idempotent-replayed')).toBe('true');
    expect(await tasks()).toBe(before + 1);
    expect((await api.post('/tasks?dryRun=true', { name: 'Mop' }, key)).body.data.name).toBe('Mop');
  });

  it('shows only the count of effects that the caller may not read', async () => {
    const propertyId = await propertyOf(api);
    await stayOf(api, { propertyId });
    const { api: manager } = await keyWith(api, { scopes: ['properties:read', 'properties:write'] });
    const { body } = await manager.patch(`/properties/${propertyId}?dryRun=true`, { checkInTime: '19:00' });
    expect(body.meta.effectsTotal).toBe(3);
    expect(body.meta.effects[0].type).toBe('property.updated');
    expect(body.meta.effects.at(-1)).toEqual({ type: 'reservation.updated', count: 1 });
  });

  it('is a validation error for a read, and for a value that is neither true nor false', async () => {
    for (const path of ['/tasks?dryRun=true', `/tasks/${await taskOf(api)}?dryRun=true`])
      expectEnvelope(await api.get(path), refusals.invalid);
    const { status, body } = await api.post('/tasks?dryRun=maybe', { name: 'Sweep' });
    expect([status, body.error.details.issues[0].path]).toEqual([400, ['dryRun']]);
    const overMcp = await mcp.call('listTasks', {}, { meta: dryRun });
    expect([overMcp.isError, overMcp.body.error.type]).toEqual([true, 'validation_error']);
  });
});

describe('a dryRun in another place or spelling, which would perform the write if it was just removed,', () => {
  const issuesIn = ({ error: { type, details } }: Json): unknown => [type, details.issues];

  it.each(['dryRun', 'dryrun', 'dry_run', 'DRY-RUN'])(
    'is refused over MCP with the way to rehearse: %s',
    async (name) => {
      const message = 'Send _meta: {"property-operations/dryRun": true} beside the arguments to rehearse the write.';
      const expected = ['validation_error', [{ path: [name], message }]];
      const [before, byName] = [await tasks(), mcp.at('?toolsets=core')];
      const written = { name: 'Sweep', [name]: true };
      const replies = [
        await mcp.call('createTask', written),
        await byName.call('changeByName', { operation: 'createTask', arguments: written }),
        await byName.call('changeByName', { operation: 'createTask', arguments: { name: 'Sweep' }, [name]: true }),
      ];
      for (const { isError, body } of replies) expect([isError, issuesIn(body)]).toEqual([true, expected]);
      expect(await tasks()).toBe(before);
      const read = await mcp.call('listTasks', { [name]: true });
      expect(read.body.error.message).toBe(`Field ${name}: Unknown field. Remove it.`);
    },
  );

  it('is refused in _meta without its prefix, for a write', async () => {
    const message = 'Send _meta: {"property-operations/dryRun": true} beside the arguments to rehearse the write.';
    const before = await tasks();
    for (const name of ['dryRun', 'dry_run']) {
      const { body } = await mcp.call('createTask', { name: 'Sweep' }, { meta: { [name]: true } });
      expect(body.error).toEqual({ code: -32602, message });
      expect((await mcp.call('listTasks', {}, { meta: { [name]: true } })).isError).toBe(false);
    }
    expect(await tasks()).toBe(before);
  });

  it('is refused over REST with the name of the parameter, beside what else is wrong', async () => {
    const message = 'Send dryRun=true in the query, spelled like this, to rehearse the write.';
    const before = await tasks();
    for (const name of ['dryrun', 'dry_run', 'DryRun']) {
      const { status, body } = await api.post(`/tasks?${name}=true`, { name: 'Sweep' });
      expect([status, issuesIn(body)]).toEqual([400, ['validation_error', [{ path: [name], message }]]]);
    }
    for (const query of ['', '?dryRun=true']) {
      const { status, body } = await api.post(`/tasks${query}`, { dryRun: true, color: 'red', name: 'Sweep' });
      const issues = [
        { path: ['dryRun'], message },
        { path: ['color'], message: 'Unknown field. Remove it.' },
      ];
      expect([status, issuesIn(body)]).toEqual([400, ['validation_error', issues]]);
    }
    expect(await tasks()).toBe(before);
  });
});

let simulated: Awaited<ReturnType<typeof simulatorOf>> | undefined;
async function lockOf(): Promise<{ devices: Json; contacts: Json }> {
  simulated ??= await simulatorOf(api);
  const { data } = (await api.get(`/connections/${simulated.connectionId}`)).body;
  return { devices: simulated.devices, contacts: data.simulator };
}
