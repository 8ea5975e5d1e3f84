import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { Quotas1700000000107 } from '../../../src/platform/migrations/1700000000107-quotas.js';
import type { Json } from '../../support/api.js';
import { freshOrganization } from '../../support/behind-the-api.js';
import { clock } from '../../support/clock.js';
import { type Door, doorNames, doors } from '../../support/doors.js';
import { keyWith, taskOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { waitingForLocks } from '../../support/locks.js';
import { type Ops, refusalOf, startOps } from '../../support/ops.js';
import { addPerson, roleNamed } from '../../support/people.js';
import { type Service, startApp } from '../../support/start-app.js';

let started: Service;
let service: Service;
let ops: Ops;
let slug: string;
beforeAll(async () => {
  started = await startApp();
  ops = await startOps(started);
});
afterAll(async () => {
  await ops.close();
  await started.close();
});
afterEach(() => clock.restore());
beforeEach(async () => {
  service = await freshOrganization(started);
  slug = (await service.api.get('/organization')).body.data.slug;
});

let count = 0;
const steps = [{ id: 'make', kind: 'operation', operation: 'createTask', input: { name: 'Look' } }];

/** How each is added, and what frees it again: the operation, and the field that names what it ends. */
const additions: Record<string, { add: string; input: () => object | Promise<object>; end: [string, string] }> = {
  connections: {
    add: 'createConnection',
    input: () => ({ provider: 'simulator', kind: 'device', name: 'Locks', credentials: {}, settings: {} }),
    end: ['disconnectConnection', 'connectionId'],
  },
  webhookEndpoints: {
    add: 'createWebhookEndpoint',
    input: () => ({ url: 'https://93.184.215.14/', eventTypes: ['task.created'] }),
    end: ['deleteWebhookEndpoint', 'endpointId'],
  },
  apiKeys: {
    add: 'createApiKey',
    input: () => ({ name: 'A key', scopes: ['tasks:read'] }),
    end: ['revokeApiKey', 'keyId'],
  },
  templates: {
    add: 'saveEmailTemplate',
    input: () => ({ name: 'Welcome', subject: 'Hi', body: '<p>Hi</p>' }),
    end: ['archiveEmailTemplate', 'templateId'],
  },
  workflows: {
    add: 'saveWorkflow',
    input: () => ({ name: 'By hand', trigger: { kind: 'manual' }, steps }),
    end: ['archiveWorkflow', 'workflowId'],
  },
  members: {
    add: 'inviteMember',
    input: async () => ({ email: `new-${(count += 1)}@tests.example`, roleId: await roleNamed(service, 'viewer') }),
    end: ['removeMember', 'memberId'],
  },
  properties: {
    add: 'createProperty',
    input: () => ({ name: 'Lake House', timezone: 'Europe/Lisbon' }),
    end: ['archiveProperty', 'propertyId'],
  },
};

const quotasOf = async (door: Door): Promise<Json> => (await door.ask('getOrganization')).body.data.quotas;
const limit = (name: string, value: number): Promise<Json> => ops(`org update --org ${slug} --quota ${name}=${value}`);

describe.each(doorNames)('quotas over %s', (name) => {
  const door = () => doors(service)[name];

  it('are shown by getOrganization with their usage', async () => {
    const { workflows, ...others } = await quotasOf(door());
    expect(workflows).toEqual({ limit: 500, used: 0 });
    await limit('workflows', 7);
    expect(await quotasOf(door())).toEqual({ ...others, workflows: { limit: 7, used: 0 } });
    expect(others).toEqual({
      approvalRules: { limit: 200, used: 0 },
      attachmentBytes: { limit: 5_368_709_120, used: 0 },
      connections: { limit: 200, used: 0 },
      webhookEndpoints: { limit: 50, used: 0 },
      apiKeys: { limit: 200, used: 1 },
      keyRatePerMinute: { limit: 60_000, used: 60_000 },
      templates: { limit: 1_000, used: 0 },
      members: { limit: 2_000, used: 1 },
      invitationsPerDay: { limit: 100, used: 0 },
      properties: { limit: 5_000, used: 0 },
    });
  });

  it.each(Object.entries(additions))(
    '%s: of two simultaneous requests one takes the last place',
    async (quota, { add, input, end }) => {
      const { used } = (await quotasOf(door()))[quota];
      await limit(quota, used + 1);
      const inputs = [await input(), await input()];
      const both = await Promise.all(inputs.map((each) => door().ask(add, each)));
      expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
      const refused = both.find(({ status }) => status === 409)?.body.error;
      expect(refused).toMatchObject({
        type: 'conflict_error',
        code: 'QUOTA_EXCEEDED',
        message: expect.stringContaining(`quota ${quota} is used up`),
        details: { quota, limit: used + 1, used: used + 1 },
      });
      expect((await quotasOf(door()))[quota]).toEqual({ limit: used + 1, used: used + 1 });

      // A lower limit removes nothing, and only records that end make room.
      await limit(quota, used);
      const id = both.find(({ status }) => status === 201)?.body.data.id as string;
      expect((await door().ask(add, await input())).body.error.details).toEqual({ quota, limit: used, used: used + 1 });
      await limit(quota, used + 1);
      expect((await door().ask(end[0], { [end[1]]: id })).status).toBe(200);
      expect((await quotasOf(door()))[quota].used).toBe(used);
      expect((await door().ask(add, await input())).status).toBe(201);
    },
  );

  it('attachmentBytes: of two simultaneous files one takes the last bytes', async () => {
    await limit('attachmentBytes', 25);
    const file = { fileName: 'note.txt', contentType: 'text/plain', content: 'VGhlIGtleSBzdGlja3Mu' };
    const tasks = [await taskOf(service.api), await taskOf(service.api)];
    const both = await Promise.all(tasks.map((taskId) => door().ask('attachToTask', { taskId, ...file })));
    expect(both.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect(both.find(({ status }) => status === 409)?.body.error.details).toEqual({
      quota: 'attachmentBytes',
      limit: 25,
      used: 15,
    });
    expect((await quotasOf(door())).attachmentBytes.used).toBe(15);
  });

  it('keyRatePerMinute: no key gets a higher rate, and existing ones keep theirs', async () => {
    await limit('keyRatePerMinute', 1_500);
    const ask = (ratePerMinute: number) =>
      door().ask('createApiKey', { name: 'Fast', scopes: ['tasks:read'], ratePerMinute });
    const { status, body } = await ask(1_501);
    expect([status, body.error.code, body.error.details]).toEqual([
      409,
      'QUOTA_EXCEEDED',
      { quota: 'keyRatePerMinute', limit: 1_500, used: 60_000 },
    ]);
    expect((await ask(1_500)).status).toBe(201);
    expect((await door().ask('getMe')).status).toBe(200);
  });

  it('a property is not restored beyond the quota', async () => {
    const { id: propertyId } = (await door().ask('createProperty', { name: 'Old', timezone: 'UTC' })).body.data;
    await door().ask('archiveProperty', { propertyId });
    await limit('properties', 0);
    expect((await door().ask('restoreProperty', { propertyId })).body.error.code).toBe('QUOTA_EXCEEDED');
    await limit('properties', 1);
    expect((await door().ask('restoreProperty', { propertyId })).status).toBe(200);
    expect((await quotasOf(door())).properties.used).toBe(1);
  });

  it('a rotated key counts once, and a suspended member still counts', async () => {
    const { id } = await keyWith(service.api);
    await limit('apiKeys', 2);
    expect((await door().ask('rotateApiKey', { keyId: id })).status).toBe(200);
    expect((await quotasOf(door())).apiKeys).toEqual({ limit: 2, used: 2 });
    const { id: memberId } = await addPerson(service);
    expect((await door().ask('suspendMember', { memberId })).status).toBe(200);
    expect((await quotasOf(door())).members.used).toBe(2);
  });

  it('invitationsPerDay: letters of the last day count, and older ones do not', async () => {
    const invite = async (email: string) =>
      await door().ask('inviteMember', { email, roleId: await roleNamed(service, 'viewer') });
    await limit('invitationsPerDay', 1);
    expect((await invite(`first-${name}@tests.example`)).status).toBe(201);
    const second = await invite(`second-${name}@tests.example`);
    expect([second.status, second.body.error.details]).toEqual([
      409,
      { quota: 'invitationsPerDay', limit: 1, used: 1 },
    ]);
    clock.advance(24 * 3_600_000 - 60_000);
    expect((await invite(`second-${name}@tests.example`)).status).toBe(409);
    clock.advance(60_001);
    expect((await invite(`second-${name}@tests.example`)).status).toBe(201);
    expect((await quotasOf(door())).invitationsPerDay).toEqual({ limit: 1, used: 1 });
  });

  it('an expired key frees its place', async () => {
    await keyWith(service.api, { expiresAt: new Date(Date.now() + 60_000).toISOString() });
    await limit('apiKeys', 2);
    const ask = () => door().ask('createApiKey', { name: 'Next', scopes: ['tasks:read'] });
    expect((await ask()).status).toBe(409);
    clock.advance(61_000);
    expect((await ask()).status).toBe(201);
  });
});

describe('ops org update --quota', () => {
  it('sets the named quotas, and records the change', async () => {
    await ops(`org update --org ${slug} --quota connections=3,templates=4 --quota workflows=5`);
    const organization = await ops(`org update --org ${slug} --quota templates=6`);
    expect(organization.quotas).toMatchObject({
      connections: { limit: 3 },
      templates: { limit: 6 },
      workflows: { limit: 5 },
      members: { limit: 2_000 },
    });
    const [entry] = (await service.api.get('/audit-entries?action=ops%20org%20update')).body.data;
    expect(JSON.stringify(entry)).toContain('"templates":6');
  });

  it.each([
    ['beds=3', 'Pass name=value'],
    ['connections', 'Pass name=value'],
    ['connections=-1', 'Pass name=value'],
    ['keyRatePerMinute=60001', 'Set keyRatePerMinute from 1000 to 60000'],
    ['keyRatePerMinute=999', 'Set keyRatePerMinute from 1000 to 60000'],
  ])('rejects %s', async (quota, message) => {
    const { status, details } = await refusalOf(ops(`org update --org ${slug} --quota ${quota}`));
    expect([status, details]).toMatchObject([400, { issues: [{ path: ['--quota'], message: expect.any(String) }] }]);
    expect(JSON.stringify(details)).toContain(message);
  });

  it('does not apply to operators: what they add counts, but is never rejected', async () => {
    await limit('properties', 0);
    expect(await ops(`property create --org ${slug} --name "One more"`)).toMatchObject({ name: 'One more' });
    expect((await quotasOf(doors(service).rest)).properties).toEqual({ limit: 0, used: 1 });
  });
});

it('additions wait only for each other, even for one that commits between count and insert', async () => {
  await limit('properties', 1);
  const blocker = new pg.Client({ connectionString: started.database.url });
  await blocker.connect();
  await blocker.query('begin; lock table properties in share mode');
  const add = () => service.api.post('/properties', { name: 'Lake House', timezone: 'UTC' });
  const both = Promise.all([add(), add()]);
  const waiting = async () => (await blocker.query(waitingForLocks)).rowCount ?? 0;
  expect(await until(waiting, (count) => count >= 2)).toBe(2);
  expect((await service.api.post('/tasks', { name: 'Meanwhile' })).status).toBe(201);
  await blocker.query('commit');
  await blocker.end();
  expect((await both).map(({ status }) => status).sort()).toEqual([201, 409]);
});

it('the quota of one organization does not affect another’s', async () => {
  await limit('properties', 0);
  const other = await freshOrganization(started);
  expect((await other.api.post('/properties', { name: 'Lake House', timezone: 'UTC' })).status).toBe(201);
});

it('the migration counts existing files of tasks, and pending invitations', async () => {
  const taskId = await taskOf(service.api);
  const file = { fileName: 'note.txt', contentType: 'text/plain', content: 'VGhlIGtleSBzdGlja3Mu' };
  for (let n = 0; n < 2; n += 1) await service.api.post(`/tasks/${taskId}/attachments`, file);
  const roleId = await roleNamed(service, 'viewer');
  const { id: memberId } = (await service.api.post('/members', { email: 'open@tests.example', roleId })).body.data;
  const owner = new pg.Client({ connectionString: started.database.url });
  await owner.connect();
  const runner = { query: (text: string) => owner.query(text) } as unknown as QueryRunner;
  await new Quotas1700000000107().down(runner);
  await new Quotas1700000000107().up(runner);
  await owner.end();
  expect((await quotasOf(doors(service).rest)).attachmentBytes.used).toBe(30);
  const { createdAt, invitationSentAt } = (await service.api.get(`/members/${memberId}`)).body.data;
  expect(invitationSentAt).toBe(createdAt);
});
