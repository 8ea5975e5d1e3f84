import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { ApprovalRulesKnown1700000000298 } from '../../../src/platform/migrations/1700000000298-approval-rules-known.js';
import { ApprovalRulesRepository } from '../../../src/auth/approval-rules/approval-rules.repository.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { until } from '../../support/feed.js';
import { addPerson } from '../../support/people.js';
import { owner } from '../../support/start-app.js';
import { clock } from '../../support/clock.js';
import { slowPost } from '../../support/slow-request.js';
import { keyWith } from '../../support/factories.js';
import type { Json } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { ApprovalWorld, pathOf } from './approval-world.js';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await ApprovalWorld.start();
});
afterAll(() => world.tenant.close());

it('applies the rules of a key to what the key creates, also after it replaces another', async () => {
  const { api } = await world.asking('archiveTask', 'forbid');
  const { id: another } = await world.asking('archiveTask');
  const made = (await api.post('/api-keys', { name: 'Its own', scopes: ['*'] })).body.data;
  const takenOver = (await api.post(`/api-keys/${another}/rotate`)).body.data;
  for (const { key } of [made, takenOver]) {
    const { status, body } = await world.tenant.service.api
      .as(key as string)
      .post(`/tasks/${await world.newTask()}/archive`);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN_BY_RULE']);
  }
});

it('are read before the writes that they could concern, and before no others', async () => {
  const { api } = await world.asking('archiveTask');
  const read = jest.spyOn(world.tenant.service.app.get(ApprovalRulesRepository), 'of');
  const made = await api.post('/tasks', { name: 'Water the plants' });
  expect([made.status, read.mock.calls.length]).toEqual([201, 0]);
  const archived = await api.post(`/tasks/${made.body.data.id}/archive`);
  expect([archived.status, read.mock.calls.length]).toEqual([202, 1]);
  read.mockRestore();
});

it('applies the same rules to a key that replaces another', async () => {
  const { id } = await world.asking('archiveTask');
  const { body } = await world.tenant.api.post(`/api-keys/${id}/rotate`);
  const successor = world.tenant.service.api.as(body.data.key as string);
  expect((await successor.post(`/tasks/${await world.newTask()}/archive`)).status).toBe(202);
});

describe('a person who is limited to a property', () => {
  let limited: Browser;
  beforeAll(async () => {
    const { email } = await addPerson(world.tenant.service, { role: 'manager', propertyIds: [world.tenant.here] });
    limited = new Browser(world.tenant.service.url);
    await limited.signIn(email as string, 'some long words');
  });
  const seenBy = async ({ data }: Json): Promise<number> =>
    (await limited.get(new URL(data.url as string).pathname)).status;

  it('decides neither about a reveal at another property nor about the organization', async () => {
    await world.tenant.api.patch(`/properties/${world.tenant.elsewhere}`, {
      wifi: { networkName: 'Lake', password: 'a secret' },
    });
    const { api } = await world.asking('everything');
    const revealed = await api.post(`/properties/${world.tenant.elsewhere}/wifi/reveal`);
    const { data: roles } = (await world.tenant.api.get('/roles?limit=100')).body;
    const { id: roleId } = roles.find(({ name }: Json) => name === 'owner') as Json;
    const invited = await api.post('/members', { email: 'friend@tests.example', roleId });
    const made = await api.post('/tasks', { name: 'Of the organization' });
    expect([revealed, invited, made].map(({ status }) => status)).toEqual([202, 202, 202]);
    for (const { body } of [revealed, invited, made]) expect(await seenBy(body)).toBe(404);
    expect((await limited.get('/account/approvals')).text).not.toContain('Reveal');
    const atHome = await api.post('/tasks', { name: 'Here', propertyId: world.tenant.here });
    expect(await seenBy(atHome.body)).toBe(200);
  });

  it('decides about everything that a credential with the same limit requests', async () => {
    await world.tenant.api.patch(`/properties/${world.tenant.here}`, {
      wifi: { networkName: 'Lake', password: 'a secret' },
    });
    const { api, id } = await keyWith(world.tenant.api, { propertyIds: [world.tenant.here] });
    await world.addRule(id, 'secrets', 'ask');
    expect(await seenBy((await api.post(`/properties/${world.tenant.here}/wifi/reveal`)).body)).toBe(200);
  });
});

it('cannot decide about keys that they created, if the organization requires another person', async () => {
  const { app } = world.tenant.service;
  const { api, id } = await world.asking('archiveTask');
  const { id: madeWith, api: maker } = await keyWith(world.tenant.api);
  const [{ id: memberId } = {}] = await app
    .get(SystemDatabase)
    .rows(`select id from members where email = $1`, [owner.email]);
  await app.get(SystemDatabase).rows('update api_keys set created_by = $2 where id = $1', [uuidIn(madeWith), memberId]);
  await app
    .get(SystemDatabase)
    .rows('update api_keys set made_with = $2, created_by = null where id = $1', [uuidIn(id), uuidIn(madeWith)]);
  await app.get(SystemDatabase).rows('update organizations set approval_by_others = true');
  const { body } = await api.post(`/tasks/${await world.newTask()}/archive`);
  const { email } = await addPerson(world.tenant.service, { role: 'manager' });
  const other = new Browser(world.tenant.service.url);
  await other.signIn(email as string, 'some long words');
  expect((await world.browser.get(pathOf(body))).status).toBe(404);
  expect((await other.get(pathOf(body))).status).toBe(200);
  await app.get(SystemDatabase).rows('update organizations set approval_by_others = false');
  expect((await world.browser.get(pathOf(body))).status).toBe(200);
  expect(maker.key).toBeDefined();
});

it('are changed on their page only after a password confirmation within the last ten minutes', async () => {
  const path = '/account/approval-rules';
  const page = await world.browser.get(path);
  clock.advance(11 * 60_000);
  for (const [action, fields] of [
    ['add', { who: 'all', what: 'archiveTask', mode: 'forbid' }],
    ['settings', { minutes: '60' }],
  ] as const)
    expect((await world.browser.submit(page, `${path}/${action}`, fields)).url.pathname).toBe(
      '/account/confirm-password',
    );
  clock.restore();
  expect((await world.tenant.api.post(`/tasks/${await world.newTask()}/archive`)).status).toBe(200);
});

it('are set and removed after the password confirmation that the page asks for, once the person sends the form again', async () => {
  const path = '/account/approval-rules';
  const sent = async (action: string, fields: Record<string, string>) => {
    const page = await world.browser.get(path);
    clock.advance(11 * 60_000);
    const asked = await world.browser.submit(page, `${path}/${action}`, fields);
    const kept = await world.browser.submit(asked, '/account/confirm-password', { password: owner.password });
    expect(kept.path).toBe('/resume');
    expect(kept.text).toContain(`nothing was changed yet. Form Approval rules: ${action}`);
    const done = await world.browser.submit(kept, `${path}/${action}`);
    return { kept, done };
  };
  const added = await sent('add', { who: 'all', what: 'archiveTask', mode: 'forbid' });
  expect(added.kept.text).toContain('What archiveTask Mode forbid');
  const [, id = ''] = /name="rule_id" value="([^"]+)"/.exec(added.done.html) ?? [];
  const { body } = await (await keyWith(world.tenant.api)).api.post(`/tasks/${await world.newTask()}/archive`);
  expect(body.error.code).toBe('FORBIDDEN_BY_RULE');
  const removed = await sent('remove', { rule_id: id });
  expect(removed.done.html).not.toContain(id);
  clock.restore();
});

it('are listed on their page by the name of the key, also after it was revoked', async () => {
  const { api, id } = await keyWith(world.tenant.api, { name: 'Night audit' });
  await world.addRule(id, 'archiveTask', 'ask');
  const listed = async () =>
    (await world.browser.get('/account/approval-rules')).html.match(/<small>[^<]*(?:Night audit|key_)[^<]*/g);
  expect(await listed()).toEqual(['<small>Night audit (API key) · Ask a person first']);
  await world.tenant.api.post(`/api-keys/${id}/revoke`);
  expect((await api.get('/me')).status).toBe(401);
  expect(await listed()).toEqual(['<small>Night audit (API key), no longer valid · Ask a person first']);
});

describe('a rule about one operation', () => {
  it('applies to a bulk operation that does the same to many tasks', async () => {
    const [asks, mayNot] = [await world.asking('destructive'), await world.asking('archiveTask', 'forbid')];
    const taskIds = [await world.newTask()];
    const held = await asks.api.post('/tasks/bulk', { taskIds, action: 'archive' });
    expect([held.status, held.body.data.operation]).toEqual([202, 'changeTasksInBulk']);
    const forbidden = await mayNot.api.post('/tasks/bulk', { taskIds, action: 'archive' });
    expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'FORBIDDEN_BY_RULE']);
    expect(await world.archived(taskIds[0] as string)).toBe(false);
    for (const { api } of [asks, mayNot])
      expect((await api.post('/tasks/bulk', { taskIds, action: 'start' })).status).toBe(200);
  });

  it('applies to saves by reference that cancel a stay', async () => {
    const { body } = await world.tenant.api.post('/connections', { name: 'PMS', provider: 'push', kind: 'pms' });
    const [asks, mayNot] = [await world.asking('destructive'), await world.asking('cancelReservation', 'forbid')];
    const at = `/connections/${body.data.id}/reservations`;
    const dates = { checkInDate: '2032-05-01', checkOutDate: '2032-05-04' };
    const stay = { propertyId: world.tenant.here, ...dates };
    expect((await world.tenant.api.put(`${at}/1`, stay)).status).toBe(201);
    for (const [{ api }, status] of [
      [asks, 202],
      [mayNot, 403],
    ] as const) {
      for (const ended of ['cancelled', 'declined', 'expired'])
        expect((await api.put(`${at}/1`, { ...stay, status: ended })).status).toBe(status);
      const items = [
        { externalId: '2', ...stay },
        { externalId: '1', status: 'declined' },
      ];
      expect((await api.post(`${at}/bulk`, { items })).status).toBe(status);
      expect((await api.delete(`${at}/1`)).status).toBe(status);
    }
    expect((await world.tenant.api.get(`${at}/1`)).body.data.status).toBe('confirmed');
  });
});

it('apply from the first one of an organization on, also to a request that has been arriving for a second', async () => {
  const { service } = world.tenant;
  const api = await anotherOrganization(service);
  const orgId = (await api.get('/organization')).body.data.id as string;
  const finish = await slowPost(service, '/api/v1/tasks', api.key as string, '{"name": ');
  const arrivingSince = performance.now();
  await world.addRule('all', 'createTask', 'forbid', orgId);
  await until(
    () => Promise.resolve(performance.now() - arrivingSince),
    (ms) => ms > 1_000,
  );
  expect(await finish('"New"}')).toBe(403);
});

it('apply to workflows, which could do the same, before they start', async () => {
  const { api } = await world.asking('archiveTask', 'forbid');
  const step = { kind: 'operation', operation: 'completeTask', input: { taskId: await world.newTask() } };
  const saved = await api.post('/workflows', { name: 'Close', trigger: { kind: 'manual' }, steps: [step] });
  const at = `/workflows/${saved.body.data.id}`;
  expect([saved.status, (await api.post(`${at}/activate`)).status]).toEqual([201, 202]);
  expect((await world.tenant.api.post(`${at}/activate`)).status).toBe(200);
  expect((await api.post(`${at}/run`)).status).toBe(202);
  expect((await world.tenant.api.get(`/workflow-runs?workflowId=${saved.body.data.id}`)).body.data).toEqual([]);
});

it('still apply after the migration that lets requests of organizations without rules skip them', async () => {
  const { api } = await world.asking('archiveTask');
  const owner = new pg.Client({ connectionString: world.tenant.service.database.url });
  await owner.connect();
  const runner = { query: (text: string) => owner.query(text) } as unknown as QueryRunner;
  const migration = new ApprovalRulesKnown1700000000298();
  await migration.down(runner);
  await migration.up(runner);
  const { rows } = await owner.query('select count(*)::int as without from organizations where not has_approval_rules');
  await owner.end();
  expect((await api.post(`/tasks/${await world.newTask()}/archive`)).status).toBe(202);
  expect(rows[0].without).toBeGreaterThan(0);
});

it('hides secrets from every program of the organization, and undoes no rule', async () => {
  await world.addRule('all', 'secrets', 'forbid');
  for (const door of ['rest', 'mcp'] as const) {
    const { status, body } = await world.tenant.doors[door].ask('revealWifi', { propertyId: world.tenant.here });
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN_BY_RULE']);
  }
  const [entry] = (await world.tenant.api.get('/audit-entries?action=addApprovalRule')).body.data;
  const { status, body } = await world.tenant.api.post('/changes/undo', { auditEntryIds: [entry.id] });
  expect([status, JSON.stringify(body.error)]).toEqual([409, expect.stringContaining('does not change a record')]);
});
