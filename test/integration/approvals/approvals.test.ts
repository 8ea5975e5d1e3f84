import { Catalogue } from '#operations';
import { TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { ApprovalMode } from '#access';
import { waysAround } from '../../../src/auth/approval-rules/mode-for.js';
import { ApprovalRulesService } from '../../../src/auth/approval-rules/approval-rules.service.js';
import type { Approval } from '../../../src/auth/approvals/approval.entity.js';
import { ApprovalRunner } from '../../../src/auth/approvals/approval-runner.service.js';
import { ApprovalsRepository } from '../../../src/auth/approvals/approvals.repository.js';
import { HeldRequests } from '../../../src/auth/approvals/held-requests.service.js';
import { SealedContent } from '../../../src/auth/approvals/sealed-content.js';
import { Decisions } from '../../../src/auth/approvals/decisions.service.js';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { operatorFor } from '../../../src/platform/callers/operator.js';
import type { Api, Json } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { doorNames } from '../../support/doors.js';
import { absentId, keyWith, stayOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { mcpOf } from '../../support/mcp.js';
import { addPerson } from '../../support/people.js';
import { simulatorOf } from '../../support/simulator.js';
import { owner } from '../../support/start-app.js';
import { startTenant, type Tenant } from '../../support/tenant.js';

let tenant: Tenant;
let browser: Browser;
beforeAll(async () => {
  tenant = await startTenant();
  browser = new Browser(tenant.service.url);
  await browser.signIn(owner.email, owner.password);
});
afterEach(() => clock.restore());
afterAll(() => tenant.close());

/** A credential that needs approval. */
async function asking(what: string, mode: ApprovalMode = 'ask'): Promise<{ api: Api; key: string; id: string }> {
  const { api, key, id } = await keyWith(tenant.api);
  await addRule(id, what, mode);
  return { api, key, id };
}

async function addRule(who: string, what: string, mode: ApprovalMode): Promise<void> {
  const { app } = tenant.service;
  const caller = operatorFor(tenant.orgId, `member_${'0'.repeat(32)}`);
  await app
    .get(TenantDatabase)
    .transaction(tenant.orgId, () => app.get(ApprovalRulesService).add(caller, { who, what, mode }));
}

const newTask = async (): Promise<string> =>
  (await tenant.api.post('/tasks', { name: 'Clean the pool', propertyId: tenant.here })).body.data.id as string;

const pathOf = (pending: Json): string => new URL(pending.data.url as string).pathname;

async function decide(pending: Json, decision: 'approve' | 'refuse', fields = {}): Promise<string> {
  const page = await browser.get(pathOf(pending));
  return (await browser.submit(page, pathOf(pending), { decision, ...fields })).text;
}

/**
 * Approves effects other than the current ones, as if they changed between the decision and the execution: approval is
 * needed again.
 */
async function approveOtherEffects(api: Api, { data: { id } }: Json): Promise<void> {
  const { app } = tenant.service;
  const approval = (await app.get(ApprovalsRepository).find(tenant.orgId, id as string)) as Approval;
  const nothing = { happened: [], startedAt: 0 };
  await app.get(Decisions).approve(operatorFor(tenant.orgId, approval.requestedBy), approval, nothing);
  const { body } = await until(
    () => api.get(`/approvals/${approval.id}`),
    ({ body: { data } }) => data.status !== 'approved' && data.decidedAt !== null,
  );
  expect(body.data.status).toBe('pending');
}

/** Waits until the request is carried out or has ended in another way. */
const outcomeOf = async (id: string, key: string): Promise<Json> =>
  (
    await until(
      () => tenant.service.api.as(key).get(`/approvals/${id}`),
      ({ body }) => !['pending', 'approved'].includes(body.data.status as string),
    )
  ).body.data as Json;

const archived = async (taskId: string): Promise<boolean> =>
  (await tenant.api.get(`/tasks/${taskId}`)).body.data.archivedAt !== null;

describe.each(doorNames)('over %s, a request', (door) => {
  it('waits until a person approves it, and its retry gets the result', async () => {
    const { key } = await asking('destructive');
    const [taskId, idempotencyKey] = [await newTask(), `k-${door}`];
    const ask = () => tenant.doors[door].as(key).ask('archiveTask', { taskId }, { idempotencyKey });
    const held = await ask();
    expect(held.body.data).toEqual({
      id: expect.stringMatching(/^approval_[0-9a-f]{32}$/),
      status: 'pending',
      operation: 'archiveTask',
      summary: 'Archive a task',
      url: `${tenant.service.url}/approvals/${held.body.data.id}`,
      expiresAt: expect.any(String),
      next: expect.stringContaining('url'),
    });
    expect((await ask()).body.data.id).toBe(held.body.data.id);
    expect(await archived(taskId)).toBe(false);
    expect(await decide(held.body, 'approve')).toContain('Approved');
    expect(await outcomeOf(held.body.data.id as string, key)).toMatchObject({ status: 'done' });
    const retried = await ask();
    expect(retried.body).toMatchObject({ data: { id: taskId }, meta: { requestId: held.body.meta.requestId } });
    expect(await archived(taskId)).toBe(true);
  });

  it('is rejected without an approval if it would be rejected anyway or a rule forbids it', async () => {
    const [asks, mayNot] = [await asking('destructive'), await asking('archiveTask', 'forbid')];
    const absent = await tenant.doors[door].as(asks.key).ask('archiveTask', { taskId: absentId('task') });
    expect(absent.status).toBe(404);
    const forbidden = await tenant.doors[door].as(mayNot.key).ask('archiveTask', { taskId: await newTask() });
    expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'FORBIDDEN_BY_RULE']);
    for (const { api } of [asks, mayNot]) expect((await api.get('/approvals')).body.data).toEqual([]);
  });

  it('of another credential returns the same response as an absent one', async () => {
    const { key } = await asking('destructive');
    const held = await tenant.doors[door].as(key).ask('archiveTask', { taskId: await newTask() });
    const approvalId = held.body.data.id as string;
    for (const other of [tenant.doors[door], tenant.doors[door].as(tenant.stranger.key as string)]) {
      expect((await other.ask('getApproval', { approvalId })).status).toBe(404);
      expect((await other.ask('withdrawApproval', { approvalId })).status).toBe(404);
    }
  });
});

describe('the outcome', () => {
  const held = async (wishes: object = {}) => {
    const asker = await asking('destructive');
    const taskId = await newTask();
    const send = () =>
      asker.api.send('POST', `/tasks/${taskId}/archive`, undefined, { 'idempotency-key': 'k', ...wishes });
    const reply = await send();
    expect([reply.status, reply.headers.get('location')]).toEqual([202, `/api/v1/approvals/${reply.body.data.id}`]);
    return { ...asker, taskId, send, pending: reply.body, approvalId: reply.body.data.id as string };
  };

  it('includes the note of the person who rejected it, and the retry is 403', async () => {
    const { send, pending, taskId, api, approvalId } = await held();
    await decide(pending, 'refuse', { note: 'Not this one' });
    const { status, body } = await send();
    expect([status, body.error.code, body.error.details]).toEqual([
      403,
      'APPROVAL_REFUSED',
      { approvalId, note: 'Not this one' },
    ]);
    expect((await api.get(`/approvals/${approvalId}`)).body.data).toMatchObject({
      status: 'refused',
      note: 'Not this one',
      response: null,
    });
    expect(await archived(taskId)).toBe(false);
  });

  it('is 403 after it expires, also on the page', async () => {
    const { send, pending, api, approvalId, taskId } = await held();
    const page = await browser.get(pathOf(pending));
    clock.advance(30 * 60_000 + 1);
    expect((await send()).body.error.code).toBe('APPROVAL_EXPIRED');
    expect((await api.get(`/approvals/${approvalId}`)).body.data.status).toBe('expired');
    await browser.submit(page, pathOf(pending), { decision: 'approve' });
    clock.restore();
    expect(await archived(taskId)).toBe(false);
  });

  it('is 403 after it was withdrawn, and nobody can approve it', async () => {
    const { send, pending, api, approvalId, taskId } = await held();
    const page = await browser.get(pathOf(pending));
    expect((await api.post(`/approvals/${approvalId}/withdraw`)).body.data.status).toBe('withdrawn');
    expect((await send()).body.error.code).toBe('APPROVAL_WITHDRAWN');
    expect((await browser.submit(page, pathOf(pending), { decision: 'approve' })).text).toContain('withdrew');
    expect(await archived(taskId)).toBe(false);
  });

  it('is 422 for another request with its key', async () => {
    const { api } = await held();
    const other = await api.send('POST', `/tasks/${await newTask()}/archive`, undefined, { 'idempotency-key': 'k' });
    expect(other.status).toBe(422);
  });

  it('is the same for other keys that repeated it while it waited, without another approval', async () => {
    const { api, taskId, approvalId, pending } = await held();
    const repeat = (key: string, id = taskId) =>
      api.send('POST', `/tasks/${id}/archive`, undefined, { 'idempotency-key': key });
    for (const key of ['k2', 'k3', 'k2']) expect((await repeat(key)).body.data.id).toBe(approvalId);
    expect((await repeat('k2', await newTask())).status).toBe(422);
    await decide(pending, 'approve');
    await outcomeOf(approvalId, api.key as string);
    const answers = await Promise.all(['k', 'k2', 'k3'].map((key) => repeat(key)));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await api.get('/approvals')).body.data).toHaveLength(1);
  });

  it('is awaited for as long as the request prefers', async () => {
    const { pending, taskId, api } = await held();
    const waiting = api.send('POST', `/tasks/${taskId}/archive`, undefined, {
      'idempotency-key': 'k',
      prefer: 'wait=20',
    });
    await decide(pending, 'approve');
    const { status, body, headers } = await waiting;
    expect([status, body.data.id, headers.get('preference-applied')]).toEqual([200, taskId, 'wait=20']);
  });

  it('is the response for 24 hours, also for a request without a key', async () => {
    const { api, key } = await asking('destructive');
    const taskId = await newTask();
    const { body } = await api.post(`/tasks/${taskId}/archive`);
    expect((await api.post(`/tasks/${taskId}/archive`)).body.data.id).toBe(body.data.id);
    await decide(body, 'approve');
    const { response } = await outcomeOf(body.data.id as string, key);
    expect(response).toMatchObject({ status: 200, body: { data: { id: taskId }, meta: body.meta } });
    // A clock that is a day ahead would end the browser's session.
    await tenant.service.app
      .get(SystemDatabase)
      .rows(`update approvals set due_at = due_at - interval '24 hours' where id = $1`, [
        uuidIn(body.data.id as string),
      ]);
    await performDue(tenant.service.app.get(ApprovalRunner));
    expect((await api.get(`/approvals/${body.data.id}`)).body.data.response).toBeNull();
  });
});

describe('the page', () => {
  it('shows who asks, names instead of ids, the reason as a quotation, and what would change', async () => {
    const { key } = await asking('write');
    const propertyId = tenant.here;
    const meta = { 'property-operations/reason': 'The owner <b>asked</b> for it' };
    const { body } = await mcpOf(tenant.service.url, key).call(
      'createTask',
      { name: 'Rake the leaves', propertyId },
      { meta },
    );
    const page = await browser.get(pathOf(body));
    expect(page.text).toContain('API key A key of the tests');
    expect(page.html).toContain('<blockquote>The owner &lt;b>asked&lt;/b> for it</blockquote>');
    expect(page.text).toContain('Property Here');
    expect(page.text).toContain('A task was created. ');
    expect(page.text).toContain('Rake the leaves');
    expect(page.html).not.toContain(propertyId);
  });

  it('names a stay by its guest, its place and its dates', async () => {
    const { api } = await asking('write');
    const dates = { checkInDate: '2031-05-01', checkOutDate: '2031-05-04' };
    const primaryGuest = { name: 'Hugo Anders' };
    const id = (await stayOf(tenant.api, { propertyId: tenant.here, ...dates, primaryGuest })).id as string;
    const { body } = await api.post(`/reservations/${id}/cancel`);
    const page = await browser.get(pathOf(body));
    expect(page.text).toContain('Hugo Anders, Here, 2031-05-01 to 2031-05-04');
    expect(page.html).not.toContain(id);
  });

  it('asks again if the effects have changed since it was shown or before they are carried out', async () => {
    const { api, key } = await asking('write');
    const taskId = await newTask();
    const { body } = await api.post(`/tasks/${taskId}/complete`);
    const page = await browser.get(pathOf(body));
    await tenant.api.post(`/tasks/${taskId}/start`);
    const again = await browser.submit(page, pathOf(body), { decision: 'approve' });
    expect([again.status, again.text.includes('different now')]).toEqual([409, true]);
    expect((await tenant.api.get(`/tasks/${taskId}`)).body.data.status).toBe('in_progress');
    await approveOtherEffects(api, body);
    expect((await browser.get(pathOf(body))).text).toContain('Decide again');
    expect((await tenant.api.get(`/tasks/${taskId}`)).body.data.status).toBe('in_progress');
    await decide(body, 'approve');
    expect(await outcomeOf(body.data.id as string, key)).toMatchObject({ status: 'done' });
  });

  it('asks again before it calls another system, which cannot be undone', async () => {
    const { devices, counts } = await simulatorOf(tenant.api);
    const before = await counts();
    const { api } = await asking('unlockDevice');
    await approveOtherEffects(api, (await api.post(`/devices/${devices['sim-lock-1']}/unlock`)).body);
    expect(await counts()).toEqual(before);
  });

  it('shows what a request sets before and after, also for a guest, whose data events omit', async () => {
    const { api } = await asking('write');
    const { data: guest } = (await tenant.api.post('/guests', { name: 'Hugo Anders', phone: '+351 555 0100' })).body;
    const { body } = await api.patch(`/guests/${guest.id}`, { phone: '+351 555 0199' });
    expect((await browser.get(pathOf(body))).html).toContain('<del>+351 555 0100</del> <ins>+351 555 0199</ins>');
    const taskId = await newTask();
    await tenant.api.patch(`/tasks/${taskId}`, { description: 'Sheets' });
    const described = await api.patch(`/tasks/${taskId}`, { description: 'Sheets and towels' });
    const page = await browser.get(pathOf(described.body));
    expect(page.html).toContain('<del>Sheets</del> <ins>Sheets and towels</ins>');
  });

  it.each([
    [
      'another field of the record',
      (guideId: string) => tenant.api.patch(`/guides/${guideId}`, { name: 'Other words' }),
    ],
    [
      'a translation that would be published',
      async (guideId: string) => {
        const [{ id }] = (await tenant.api.get(`/guides/${guideId}/translations`)).body.data;
        return await tenant.api.patch(`/guides/${guideId}/translations/${id}`, { text: 'Andere Worte' });
      },
    ],
  ])('asks again if %s was changed', async (_, change) => {
    const { api } = await asking('publishGuide');
    const guide = { name: 'Welcome', sourceLocale: 'en', locales: ['de'] };
    const { data } = (await api.post('/guides', guide)).body;
    const { body } = await api.post(`/guides/${data.id}/publish`, { force: true });
    const page = await browser.get(pathOf(body));
    expect((await change(data.id)).status).toBe(200);
    expect((await browser.submit(page, pathOf(body), { decision: 'approve' })).status).toBe(409);
    expect((await tenant.api.get(`/guides/${data.id}`)).body.data.status).toBe('draft');
  });

  it('does not exist for strangers, nor for members who lack the permission', async () => {
    const { api } = await asking('destructive');
    const { body } = await api.post(`/tasks/${await newTask()}/archive`);
    const people = await Promise.all(['viewer', 'coordinator'].map((role) => addPerson(tenant.service, { role })));
    const foreign = { email: 'nobody@tests.example', name: 'Nobody', password: 'some long words' };
    await tenant.service.app.get(UsersService).create(foreign);
    for (const { email } of [...people, foreign]) {
      const other = new Browser(tenant.service.url);
      await other.signIn(email as string, 'some long words');
      expect((await other.get(pathOf(body))).status).toBe(404);
    }
    expect((await browser.get(`/approvals/${absentId('approval')}`)).status).toBe(404);
    expect((await browser.get('/approvals/x')).status).toBe(404);
  });

  it('requires a password confirmation within the last ten minutes for destructive operations, also from a page opened before', async () => {
    const { api } = await asking('write');
    const [archiving, creating] = [
      (await api.post(`/tasks/${await newTask()}/archive`)).body,
      (await api.post('/tasks', { name: 'Sweep' })).body,
    ];
    const other = new Browser(tenant.service.url);
    await other.signIn(owner.email, owner.password);
    const page = await other.get(pathOf(archiving));
    clock.advance(11 * 60_000);
    const asked = '/account/confirm-password';
    expect((await other.get(pathOf(archiving))).url.pathname).toBe(asked);
    const sent = await other.submit(page, pathOf(archiving), { decision: 'approve' });
    expect([sent.url.pathname, sent.url.searchParams.get('return_to')]).toEqual([asked, pathOf(archiving)]);
    expect((await api.get(`/approvals/${archiving.data.id}`)).body.data.status).toBe('pending');
    expect((await other.get(pathOf(creating))).text).toContain('What would change');
  });

  it('counts one of two simultaneous decisions', async () => {
    const { api, key } = await asking('destructive');
    const { body } = await api.post(`/tasks/${await newTask()}/archive`);
    const page = await browser.get(pathOf(body));
    const pages = await Promise.all(
      (['approve', 'refuse'] as const).map((decision) => browser.submit(page, pathOf(body), { decision })),
    );
    expect(pages.map(({ status }) => status)).toEqual([200, 200]);
    const events = async (): Promise<string[]> => {
      const { data } = (await tenant.api.get(`/events?subject=${body.data.id}`)).body;
      return data.map(({ type }: Json) => type as string);
    };
    const told = await until(events, (types) => types.includes('approval.decided'));
    expect(told).toEqual(['approval.requested', 'approval.decided']);
    await outcomeOf(body.data.id as string, key);
  });

  it('shows the outcome if somebody else approves it at the same time', async () => {
    const { api, key } = await asking('destructive');
    const { body } = await api.post(`/tasks/${await newTask()}/archive`);
    const page = await browser.get(pathOf(body));
    const requests = tenant.service.app.get(HeldRequests);
    const { rehearse } = requests;
    const meanwhile = jest.spyOn(requests, 'rehearse').mockImplementationOnce(async (approval) => {
      await browser.submit(page, pathOf(body), { decision: 'approve' });
      await outcomeOf(body.data.id as string, key);
      return await rehearse.call(requests, approval);
    });
    const late = await browser.submit(page, pathOf(body), { decision: 'approve' });
    expect(meanwhile).toHaveBeenCalledTimes(2);
    meanwhile.mockRestore();
    expect(late).toMatchObject({ status: 200, text: expect.stringContaining('Approved and carried out.') });
  });
});

describe('an approved request is carried out', () => {
  it('with the permissions that the credential has at that moment, or fails', async () => {
    const { api, id } = await asking('destructive');
    const taskId = await newTask();
    const { body } = await api.post(`/tasks/${taskId}/archive`);
    const page = await browser.get(pathOf(body));
    await tenant.api.post(`/api-keys/${id}/revoke`);
    await browser.submit(page, pathOf(body), { decision: 'approve' });
    expect(await archived(taskId)).toBe(false);
  });

  it.each([
    ['the key was revoked', ({ id }: { id: string }) => tenant.api.post(`/api-keys/${id}/revoke`), 'FORBIDDEN'],
    ['a rule forbids it', ({ id }: { id: string }) => addRule(id, 'archiveTask', 'forbid'), 'FORBIDDEN_BY_RULE'],
  ])('not at all if %s after the decision', async (_, meanwhile, code) => {
    const asker = await asking('destructive');
    const taskId = await newTask();
    const { body } = await asker.api.post(`/tasks/${taskId}/archive`);
    const { app } = tenant.service;
    const repository = app.get(ApprovalsRepository);
    const find = async () => (await repository.find(tenant.orgId, body.data.id as string)) as Approval;
    const approval = await find();
    await meanwhile(asker);
    const person = operatorFor(tenant.orgId, approval.requestedBy);
    expect(await app.get(Decisions).approve(person, approval, { happened: [], startedAt: 0 })).toBe(true);
    const failed = await until(find, ({ status }) => status !== 'approved');
    expect([failed.status, app.get(SealedContent).answer(failed)?.code]).toEqual(['failed', code]);
    expect(await archived(taskId)).toBe(false);
  });

  it('with an audit entry that names the approval, as the request and the decision have', async () => {
    const { api, key, id } = await asking('destructive');
    const taskId = await newTask();
    const { body } = await api.post(`/tasks/${taskId}/archive`);
    await decide(body, 'approve');
    await outcomeOf(body.data.id as string, key);
    const entries = async (targetId: string) =>
      (await tenant.api.get(`/audit-entries?targetId=${targetId}&limit=10`)).body.data as Json[];
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
    const { devices, counts } = await simulatorOf(tenant.api);
    const { contacts } = await counts();
    const { api, key } = await asking('unlockDevice');
    const { body } = await api.post(`/devices/${devices['sim-lock-1']}/unlock`);
    await decide(body, 'approve');
    const { response } = await outcomeOf(body.data.id as string, key);
    expect([200, 202]).toContain(response.status);
    await until(counts, ({ effects }) => effects > 0);
    expect(await counts()).toEqual({ contacts: contacts + 1, effects: 1 });
  });

  it('and not again if the process ended after the call, or several processes carry it out', async () => {
    const { devices, counts } = await simulatorOf(tenant.api);
    const { api, key } = await asking('unlockDevice');
    const { body } = await api.post(`/devices/${devices['sim-lock-1']}/unlock`);
    const { app } = tenant.service;
    const approval = (await app.get(ApprovalsRepository).find(tenant.orgId, body.data.id as string)) as Approval;
    await app.get(HeldRequests).send(approval);
    await until(counts, ({ effects }) => effects > 0);
    const before = await counts();
    await decide(body, 'approve');
    await Promise.all([performDue(app.get(ApprovalRunner)), performDue(app.get(ApprovalRunner))]);
    expect(await outcomeOf(approval.id, key)).toMatchObject({ status: 'done' });
    expect(await counts()).toEqual(before);
  });

  it('and shows a secret only to its credential', async () => {
    await tenant.api.patch(`/properties/${tenant.here}`, { wifi: { networkName: 'Lake', password: 'a secret' } });
    const { api, key } = await asking('secrets');
    const { status, body } = await api.post(`/properties/${tenant.here}/wifi/reveal`);
    expect(status).toBe(202);
    expect((await browser.get(pathOf(body))).html).not.toContain('a secret');
    await decide(body, 'approve');
    const { response } = await outcomeOf(body.data.id as string, key);
    expect(response.body.data.password).toBe('a secret');
  });
});

it('keeps at most 20 requests of a credential', async () => {
  const { api } = await asking('createTask');
  const names = Array.from({ length: 20 }, (_, index) => `Task ${index}`);
  for (const name of names) expect((await api.post('/tasks', { name })).status).toBe(202);
  const { status, body } = await api.post('/tasks', { name: 'One more' });
  expect([status, body.error.code]).toEqual([409, 'TOO_MANY_APPROVALS']);
  expect((await api.post('/tasks', { name: 'Task 0' })).status).toBe(202);
});

it('rehearses what needs approval, and withdraws without it', async () => {
  const { api } = await asking('everything');
  const rehearsed = await api.post('/tasks?dryRun=true', { name: 'Sweep' });
  expect([rehearsed.status, rehearsed.body.meta.dryRun]).toEqual([200, true]);
  const { body } = await api.post('/tasks', { name: 'Sweep' });
  expect((await api.post(`/approvals/${body.data.id}/withdraw`)).status).toBe(200);
});

it('knows the operations that would bypass a rule', () => {
  const names = tenant.service.app
    .get(Catalogue)
    .all()
    .map(({ operation }) => operation.name);
  expect([...waysAround].filter((name) => !names.includes(name))).toEqual([]);
});

it('does not show a response to a credential that may no longer read it', async () => {
  await tenant.api.patch(`/properties/${tenant.here}`, { wifi: { networkName: 'Lake', password: 'a secret' } });
  const { api, id } = await asking('secrets');
  const { body } = await api.send('POST', `/properties/${tenant.here}/wifi/reveal`, undefined, {
    'idempotency-key': 'w',
  });
  await decide(body, 'approve');
  await outcomeOf(body.data.id as string, api.key as string);
  const retried = await api.send('POST', `/properties/${tenant.here}/wifi/reveal`, undefined, {
    'idempotency-key': 'w',
  });
  expect(retried.body.data.password).toBe('a secret');
  await tenant.service.app
    .get(SystemDatabase)
    .rows(`update api_keys set property_ids = array[$2::uuid] where id = $1`, [uuidIn(id), uuidIn(tenant.elsewhere)]);
  expect((await api.get(`/approvals/${body.data.id}`)).body.data.response).toBeNull();
});

it('applies the rules of a key to what the key creates, also after it replaces another', async () => {
  const { api } = await asking('archiveTask', 'forbid');
  const { id: another } = await asking('archiveTask');
  const made = (await api.post('/api-keys', { name: 'Its own', scopes: ['*'] })).body.data;
  const takenOver = (await api.post(`/api-keys/${another}/rotate`)).body.data;
  for (const { key } of [made, takenOver]) {
    const { status, body } = await tenant.service.api.as(key as string).post(`/tasks/${await newTask()}/archive`);
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN_BY_RULE']);
  }
});

it('applies the same rules to a key that replaces another', async () => {
  const { id } = await asking('archiveTask');
  const { body } = await tenant.api.post(`/api-keys/${id}/rotate`);
  const successor = tenant.service.api.as(body.data.key as string);
  expect((await successor.post(`/tasks/${await newTask()}/archive`)).status).toBe(202);
});

describe('a person who is limited to a property', () => {
  let limited: Browser;
  beforeAll(async () => {
    const { email } = await addPerson(tenant.service, { role: 'manager', propertyIds: [tenant.here] });
    limited = new Browser(tenant.service.url);
    await limited.signIn(email as string, 'some long words');
  });
  const seenBy = async ({ data }: Json): Promise<number> =>
    (await limited.get(new URL(data.url as string).pathname)).status;

  it('decides neither about a reveal at another property nor about the organization', async () => {
    await tenant.api.patch(`/properties/${tenant.elsewhere}`, { wifi: { networkName: 'Lake', password: 'a secret' } });
    const { api } = await asking('everything');
    const revealed = await api.post(`/properties/${tenant.elsewhere}/wifi/reveal`);
    const { data: roles } = (await tenant.api.get('/roles?limit=100')).body;
    const { id: roleId } = roles.find(({ name }: Json) => name === 'owner') as Json;
    const invited = await api.post('/members', { email: 'friend@tests.example', roleId });
    const made = await api.post('/tasks', { name: 'Of the organization' });
    expect([revealed, invited, made].map(({ status }) => status)).toEqual([202, 202, 202]);
    for (const { body } of [revealed, invited, made]) expect(await seenBy(body)).toBe(404);
    expect((await limited.get('/account/approvals')).text).not.toContain('Reveal');
    const atHome = await api.post('/tasks', { name: 'Here', propertyId: tenant.here });
    expect(await seenBy(atHome.body)).toBe(200);
  });

  it('decides about everything that a credential with the same limit requests', async () => {
    await tenant.api.patch(`/properties/${tenant.here}`, { wifi: { networkName: 'Lake', password: 'a secret' } });
    const { api, id } = await keyWith(tenant.api, { propertyIds: [tenant.here] });
    await addRule(id, 'secrets', 'ask');
    expect(await seenBy((await api.post(`/properties/${tenant.here}/wifi/reveal`)).body)).toBe(200);
  });
});

it('cannot decide about keys that they created, if the organization requires another person', async () => {
  const { app } = tenant.service;
  const { api, id } = await asking('archiveTask');
  const { id: madeWith, api: maker } = await keyWith(tenant.api);
  const [{ id: memberId } = {}] = await app
    .get(SystemDatabase)
    .rows(`select id from members where email = $1`, [owner.email]);
  await app.get(SystemDatabase).rows('update api_keys set created_by = $2 where id = $1', [uuidIn(madeWith), memberId]);
  await app
    .get(SystemDatabase)
    .rows('update api_keys set made_with = $2, created_by = null where id = $1', [uuidIn(id), uuidIn(madeWith)]);
  await app.get(SystemDatabase).rows('update organizations set approval_by_others = true');
  const { body } = await api.post(`/tasks/${await newTask()}/archive`);
  const { email } = await addPerson(tenant.service, { role: 'manager' });
  const other = new Browser(tenant.service.url);
  await other.signIn(email as string, 'some long words');
  expect((await browser.get(pathOf(body))).status).toBe(404);
  expect((await other.get(pathOf(body))).status).toBe(200);
  await app.get(SystemDatabase).rows('update organizations set approval_by_others = false');
  expect((await browser.get(pathOf(body))).status).toBe(200);
  expect(maker.key).toBeDefined();
});

describe('a rule about one operation', () => {
  it('applies to a bulk operation that does the same to many tasks', async () => {
    const [asks, mayNot] = [await asking('destructive'), await asking('archiveTask', 'forbid')];
    const taskIds = [await newTask()];
    const held = await asks.api.post('/tasks/bulk', { taskIds, action: 'archive' });
    expect([held.status, held.body.data.operation]).toEqual([202, 'changeTasksInBulk']);
    const forbidden = await mayNot.api.post('/tasks/bulk', { taskIds, action: 'archive' });
    expect([forbidden.status, forbidden.body.error.code]).toEqual([403, 'FORBIDDEN_BY_RULE']);
    expect(await archived(taskIds[0] as string)).toBe(false);
    for (const { api } of [asks, mayNot])
      expect((await api.post('/tasks/bulk', { taskIds, action: 'start' })).status).toBe(200);
  });

  it('applies to saves by reference that cancel a stay', async () => {
    const { body } = await tenant.api.post('/connections', { name: 'PMS', provider: 'push', kind: 'pms' });
    const [asks, mayNot] = [await asking('destructive'), await asking('cancelReservation', 'forbid')];
    const at = `/connections/${body.data.id}/reservations`;
    const dates = { checkInDate: '2032-05-01', checkOutDate: '2032-05-04' };
    const stay = { propertyId: tenant.here, ...dates };
    expect((await tenant.api.put(`${at}/1`, stay)).status).toBe(201);
    for (const [{ api }, status] of [
      [asks, 202],
      [mayNot, 403],
    ] as const) {
      expect((await api.put(`${at}/1`, { ...stay, status: 'cancelled' })).status).toBe(status);
      const items = [
        { externalId: '2', ...stay },
        { externalId: '1', status: 'cancelled' },
      ];
      expect((await api.post(`${at}/bulk`, { items })).status).toBe(status);
      expect((await api.delete(`${at}/1`)).status).toBe(status);
    }
    expect((await tenant.api.get(`${at}/1`)).body.data.status).toBe('confirmed');
  });
});

it('hides secrets from every program of the organization, and undoes no rule', async () => {
  await addRule('all', 'secrets', 'forbid');
  for (const door of ['rest', 'mcp'] as const) {
    const { status, body } = await tenant.doors[door].ask('revealWifi', { propertyId: tenant.here });
    expect([status, body.error.code]).toEqual([403, 'FORBIDDEN_BY_RULE']);
  }
  const [entry] = (await tenant.api.get('/audit-entries?action=addApprovalRule')).body.data;
  const { status, body } = await tenant.api.post('/changes/undo', { auditEntryIds: [entry.id] });
  expect([status, JSON.stringify(body.error)]).toEqual([409, expect.stringContaining('does not change a record')]);
});
