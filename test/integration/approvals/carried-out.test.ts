import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Approval } from '../../../src/auth/approvals/approval.entity.js';
import { ApprovalRunner } from '../../../src/auth/approvals/approval-runner.service.js';
import { ApprovalsRepository } from '../../../src/auth/approvals/approvals.repository.js';
import { HeldRequests } from '../../../src/auth/approvals/held-requests.service.js';
import { SealedContent } from '../../../src/auth/approvals/sealed-content.js';
import { Decisions } from '../../../src/auth/approvals/decisions.service.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import { propertyOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { simulatorOf } from '../../support/simulator.js';
import type { Json } from '../../support/api.js';
import { ApprovalWorld, pathOf } from './approval-world.js';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await ApprovalWorld.start();
});
afterAll(() => world.tenant.close());

/** How a request ends whose effects were other ones when a person approved it. */
async function approved({ data: { id } }: Json): Promise<{ status: string; code?: string }> {
  const { orgId, service } = world.tenant;
  const find = async () => (await service.app.get(ApprovalsRepository).find(orgId, id as string)) as Approval;
  const approval = await find();
  const person = operatorFor(orgId, approval.requestedBy);
  expect(await service.app.get(Decisions).approve(person, approval, { happened: [], startedAt: 0 })).toBe(true);
  const ended = await until(find, ({ status }) => status !== 'approved');
  return { status: ended.status, code: service.app.get(SealedContent).answer(ended)?.code };
}

describe('an approved request is carried out', () => {
  it('with the permissions that the credential has at that moment, or fails', async () => {
    const { api, id } = await world.asking('destructive');
    const taskId = await world.newTask();
    const { body } = await api.post(`/tasks/${taskId}/archive`);
    const page = await world.browser.get(pathOf(body));
    await world.tenant.api.post(`/api-keys/${id}/revoke`);
    await world.browser.submit(page, pathOf(body), { decision: 'approve' });
    expect(await world.archived(taskId)).toBe(false);
  });

  it.each([
    ['the key was revoked', ({ id }: { id: string }) => world.tenant.api.post(`/api-keys/${id}/revoke`), 'FORBIDDEN'],
    ['a rule forbids it', ({ id }: { id: string }) => world.addRule(id, 'archiveTask', 'forbid'), 'FORBIDDEN_BY_RULE'],
  ])('not at all if %s after the decision', async (_, meanwhile, code) => {
    const asker = await world.asking('destructive');
    const taskId = await world.newTask();
    const { body } = await asker.api.post(`/tasks/${taskId}/archive`);
    await meanwhile(asker);
    expect(await approved(body)).toEqual({ status: 'failed', code });
    expect(await world.archived(taskId)).toBe(false);
  });

  it('or nothing of it, if it fails in the middle', async () => {
    const { api } = world.tenant;
    const settings = { ownsOverlaps: true, fields: 'all' };
    const connection = await api.post('/connections', { provider: 'push', kind: 'pms', name: 'Pushed', settings });
    const propertyId = await propertyOf(api);
    const task = { name: 'T', externalRefs: [{ connectionId: connection.body.data.id, externalId: 'E1' }] };
    const asker = await world.asking('write');
    const { body } = await asker.api.post('/tasks', { ...task, propertyId });
    expect((await api.post(`/properties/${propertyId}/archive`)).status).toBe(200);
    expect(await approved(body)).toMatchObject({ status: 'failed', code: 'PROPERTY_ARCHIVED' });
    expect((await api.post('/tasks', task)).status).toBe(201);
  });

  it('with an audit entry that names the approval, as the request and the decision have', async () => {
    const { api, key, id } = await world.asking('destructive');
    const taskId = await world.newTask();
    const { body } = await api.post(`/tasks/${taskId}/archive`);
    await world.decide(body, 'approve');
    await world.outcomeOf(body.data.id as string, key);
    const entries = async (targetId: string) =>
      (await world.tenant.api.get(`/audit-entries?targetId=${targetId}&limit=10`)).body.data as Json[];
    const [done] = await entries(taskId);
    expect(done).toMatchObject({ action: 'archiveTask', approvalId: body.data.id, credential: { id } });
    expect(
      (await entries(body.data.id as string)).map(({ action, approvalId, credential }) => [
        action,
        approvalId,
        credential.kind,
      ]),
    ).toEqual([
      ['approval.decided', body.data.id, 'session'],
      ['approval.requested', body.data.id, 'api-key'],
    ]);
  });

  it('once, also if the operation calls another system', async () => {
    const { devices, counts } = await simulatorOf(world.tenant.api);
    const { contacts } = await counts();
    const { api, key } = await world.asking('unlockDevice');
    const { body } = await api.post(`/devices/${devices['sim-lock-1']}/unlock`);
    await world.decide(body, 'approve');
    const { response } = await world.outcomeOf(body.data.id as string, key);
    expect([200, 202]).toContain(response.status);
    await until(counts, ({ effects }) => effects > 0);
    expect(await counts()).toEqual({ contacts: contacts + 1, effects: 1 });
  });

  it('and not again if the process ended after the call, or several processes carry it out', async () => {
    const { devices, counts } = await simulatorOf(world.tenant.api);
    const { api, key } = await world.asking('unlockDevice');
    const { body } = await api.post(`/devices/${devices['sim-lock-1']}/unlock`);
    const { app } = world.tenant.service;
    const approval = (await app.get(ApprovalsRepository).find(world.tenant.orgId, body.data.id as string)) as Approval;
    await app.get(HeldRequests).send(approval);
    await until(counts, ({ effects }) => effects > 0);
    const before = await counts();
    await world.decide(body, 'approve');
    await Promise.all([performDue(app.get(ApprovalRunner)), performDue(app.get(ApprovalRunner))]);
    expect(await world.outcomeOf(approval.id, key)).toMatchObject({ status: 'done' });
    expect(await counts()).toEqual(before);
  });

  it('and shows a secret only to its credential', async () => {
    await world.tenant.api.patch(`/properties/${world.tenant.here}`, {
      wifi: { networkName: 'Lake', password: 'a secret' },
    });
    const { api, key } = await world.asking('secrets');
    const { status, body } = await api.post(`/properties/${world.tenant.here}/wifi/reveal`);
    expect(status).toBe(202);
    expect((await world.browser.get(pathOf(body))).html).not.toContain('a secret');
    await world.decide(body, 'approve');
    const { response } = await world.outcomeOf(body.data.id as string, key);
    expect(response.body.data.password).toBe('a secret');
  });
});

it('a request that still waits cannot be undone, and the reason does not call it decided', async () => {
  const { api } = await world.asking('destructive');
  const { body } = await api.post(`/tasks/${await world.newTask()}/archive`);
  const { status, body: refused } = await api.post('/changes/undo', { requestId: body.meta.requestId });
  const [{ reason }] = refused.error.details.entries;
  expect([status, refused.error.code]).toEqual([409, 'NOT_UNDOABLE']);
  expect(reason).toContain('While it waits, nothing has changed: withdraw it with withdrawApproval.');
});

it('does not show a response to a credential that may no longer read it', async () => {
  await world.tenant.api.patch(`/properties/${world.tenant.here}`, {
    wifi: { networkName: 'Lake', password: 'a secret' },
  });
  const { api, id } = await world.asking('secrets');
  const { body } = await api.send('POST', `/properties/${world.tenant.here}/wifi/reveal`, undefined, {
    'idempotency-key': 'w',
  });
  await world.decide(body, 'approve');
  await world.outcomeOf(body.data.id as string, api.key as string);
  const retried = await api.send('POST', `/properties/${world.tenant.here}/wifi/reveal`, undefined, {
    'idempotency-key': 'w',
  });
  expect(retried.body.data.password).toBe('a secret');
  await world.tenant.service.app
    .get(SystemDatabase)
    .rows(`update api_keys set property_ids = array[$2::uuid] where id = $1`, [
      uuidIn(id),
      uuidIn(world.tenant.elsewhere),
    ]);
  expect((await api.get(`/approvals/${body.data.id}`)).body.data.response).toBeNull();
});
