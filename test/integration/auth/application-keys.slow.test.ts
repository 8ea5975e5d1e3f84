import pg from 'pg';
import type { QueryRunner } from 'typeorm';
import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { AccessEndings } from '../../../src/auth/accounts/access-endings.service.js';
import { ApplicationKeys } from '../../../src/auth/api-keys/application-keys.service.js';
import { GrantsService } from '../../../src/auth/oauth/grants.service.js';
import { KeysAndMakers1700000000102 } from '../../../src/platform/migrations/1700000000102-keys-and-makers.js';
import type { Json } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { doorNames, doors } from '../../support/doors.js';
import { feedSettled, until } from '../../support/feed.js';
import { waitingForLocks } from '../../support/locks.js';
import { refresh, revoke, type Tokens } from '../../support/oauth.js';
import { type Member, type OAuthWorld, openWorld } from '../../support/oauth-world.js';

let world: OAuthWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const scopes = ['tasks:read', 'api-keys:read', 'api-keys:manage', 'applications:read', 'applications:write'];
const offline = [...scopes, 'offline_access'];

interface Made {
  id: string;
  key: string;
}

async function keyThrough(token: string, wishes: object = {}): Promise<Made> {
  const granted = ['tasks:read', 'api-keys:read', 'api-keys:manage'];
  const { status, body } = await world.rest(token).post('/api-keys', { name: 'k', scopes: granted, ...wishes });
  expect(status).toBe(201);
  return body.data as Made;
}

const worksStill = async ({ key }: Made): Promise<boolean> => (await world.rest(key).get('/tasks')).status === 200;
const approvalOf = async (token: string): Promise<Json> =>
  (await world.rest(token).get('/applications')).body.data[0] as Json;

/** A person, an application of theirs, a key that it created, and a key that was created with that key. */
async function connected(orgId = world.lakeside) {
  const person = await world.person('manager', orgId);
  const tokens = await world.tokensOf(person, { scopes: offline, orgId });
  const key = await keyThrough(tokens.access_token);
  const below = await keyThrough(key.key);
  const { id } = await approvalOf(tokens.access_token);
  return { person, tokens, key, below, applicationId: id as string, made: [key, below] };
}

describe.each(doorNames)('an API key over %s', (door) => {
  const ask = (token: string, operation: string, input: object) =>
    doors(world.service)[door].as(token).ask(operation, input);

  it('shows who created it and through which application, also if it was created with another key', async () => {
    const { person, tokens, applicationId } = await connected();
    const input = { name: 'Sync', scopes: ['api-keys:read', 'api-keys:manage'] };
    const { data: made } = (await ask(tokens.access_token, 'createApiKey', input)).body;
    expect(made).toMatchObject({ createdBy: person.memberId, applicationId });
    const { data: below } = (await ask(made.key as string, 'createApiKey', input)).body;
    expect(below).toMatchObject({ createdBy: made.memberId, applicationId });
    const { data: shown } = (await ask(tokens.access_token, 'getApiKey', { keyId: below.id })).body;
    expect(shown).toMatchObject({ createdBy: made.memberId, applicationId });
  });

  it('created by an operator names nobody', async () => {
    const { id } = await world.ops(`api-key create --org ${world.lakeside} --name Operator --scopes tasks:read`);
    const { tokens } = await connected();
    const { data } = (await ask(tokens.access_token, 'getApiKey', { keyId: id })).body;
    expect(data).toMatchObject({ createdBy: null, applicationId: null });
  });
});

it('a customer is onboarded as docs/api-keys.md describes, and leaves with one call', async () => {
  const administrator = await world.person('owner');
  const wanted = ['reservations:read', 'reservations:write', 'api-keys:manage', 'offline_access'];
  const { access_token: token } = await world.tokensOf(administrator, { scopes: wanted, orgId: world.lakeside });
  const input = { name: 'Lakeside sync', scopes: ['reservations:read', 'reservations:write'] };
  const once = { 'idempotency-key': 'onboard-lakeside' };
  const { status, body } = await world.rest(token).post('/api-keys', input, once);
  const again = await world.rest(token).post('/api-keys', input, once);
  expect([status, again.body.data.id]).toEqual([201, body.data.id]);
  const daily = world.rest(body.data.key as string);
  expect((await daily.get('/reservations')).status).toBe(200);
  expect((await daily.get('/tasks')).status).toBe(403);
  const other = await world.person('owner');
  const { access_token: theirs } = await world.tokensOf(other, { scopes: [...scopes, 'applications:manage'] });
  const { applicationId } = body.data as { applicationId: string };
  expect((await world.rest(theirs).post(`/applications/${applicationId}/revoke`)).status).toBe(200);
  expect([(await daily.get('/reservations')).status, (await world.rest(token).get('/me')).status]).toEqual([401, 401]);
});

it('an application shows from where it last acted', async () => {
  const { person, tokens } = await connected();
  const shown = () => approvalOf(tokens.access_token);
  const { lastUsedFrom } = await until(shown, ({ lastUsedAt }) => lastUsedAt !== null);
  expect(lastUsedFrom).toBe('127.0.0.1');
  const browser = new Browser(world.service.url);
  const page = await browser.signIn(person.email, person.password, '/account/applications');
  expect(page.text).toMatch(/Last used .* from 127\.0\.0\.1/);
});

describe('the API keys of an application', () => {
  type Connected = Awaited<ReturnType<typeof connected>>;
  const onPage = async ({ email, password }: Member): Promise<void> => {
    const browser = new Browser(world.service.url);
    await browser.submit(
      await browser.signIn(email, password, '/account/applications'),
      '/account/applications/revoke',
    );
  };
  const reuse = async ({ client, refresh_token: first = '' }: Tokens & Pick<Connected['tokens'], 'client'>) => {
    const { body } = await refresh(world.service, client, first);
    await refresh(world.service, client, body.refresh_token as string);
    await refresh(world.service, client, first);
  };

  it.each<[string, (given: Connected) => Promise<unknown>]>([
    ['it is revoked', ({ tokens, applicationId }) => revokeOver('rest', tokens.access_token, applicationId)],
    ['it is revoked over MCP', ({ tokens, applicationId }) => revokeOver('mcp', tokens.access_token, applicationId)],
    ['its person revokes it on their page', ({ person }) => onPage(person)],
    ['it revokes its token', ({ tokens }) => revoke(world.service, tokens.client, tokens.refresh_token as string)],
    ['its refresh token is reused', ({ tokens }) => reuse(tokens)],
  ])('end when %s, with one event each', async (_, end) => {
    const [given, another] = [await connected(), await connected()];
    expect(await Promise.all(given.made.map(worksStill))).toEqual([true, true]);
    await end(given);
    expect(await Promise.all(given.made.map(worksStill))).toEqual([false, false]);
    expect(await worksStill(another.below)).toBe(true);
    await feedSettled(world.service);
    const manager = world.rest(
      (await world.tokensOf(another.person, { scopes: ['events:read', 'api-keys:read'] })).access_token,
    );
    for (const { id } of given.made) {
      const { data } = (await manager.get(`/events?types=api_key.revoked&subject=${id}`)).body;
      expect(data).toMatchObject([{ data: { status: 'revoked', revokedBecause: 'application-ended' } }]);
    }
  });

  const revokeOver = async (door: (typeof doorNames)[number], token: string, applicationId: string) => {
    const { status } = await doors(world.service)[door].as(token).ask('revokeApplication', { applicationId });
    expect(status).toBe(200);
  };

  it('end when the organization forbids applications that registered themselves', async () => {
    const org = (await world.ops('org create --name Strict')).id as string;
    const owner = await world.ops(`api-key create --org ${org} --name k --scopes *`);
    const { made } = await connected(org);
    await world.rest(owner.key as string).patch('/organization', { selfRegisteredApplications: 'forbidden' });
    expect(await Promise.all(made.map(worksStill))).toEqual([false, false]);
  });

  it('remain if its person approves it again, and end with the new approval', async () => {
    const { person, tokens, applicationId, key, made } = await connected();
    const again = await world.tokensOf(person, { scopes, client: tokens.client });
    const { id: replacement } = await approvalOf(again.access_token);
    expect(replacement).not.toBe(applicationId);
    expect(await Promise.all(made.map(worksStill))).toEqual([true, true]);
    const shown = await world.rest(again.access_token).get(`/api-keys/${key.id}`);
    expect(shown.body.data.applicationId).toBe(replacement);
    await revokeOver('rest', again.access_token, replacement as string);
    expect(await Promise.all(made.map(worksStill))).toEqual([false, false]);
  });

  it("remain if its approval lapses, and end with its person's password anyway", async () => {
    const [given, another] = [await connected(), await connected()];
    await world.join(given.person, world.alpine);
    const abroad = await world.tokensOf(given.person, { scopes, orgId: world.alpine });
    const made = [...given.made, await keyThrough(abroad.access_token)];
    const byService = { action: 'application.revoked', actor: { type: 'service' as const } };
    await world.service.app.get(GrantsService).end(given.applicationId, 'unused', () => byService);
    expect(await Promise.all(made.map(worksStill))).toEqual([true, true, true]);
    const act = { action: 'changePassword', actor: { type: 'user' as const, id: given.person.userId } };
    await world.service.app.get(ApplicationKeys).revokeOfPerson(given.person.userId, act);
    expect(await Promise.all(made.map(worksStill))).toEqual([false, false, false]);
    expect(await worksStill(another.key)).toBe(true);
    const manager = world.rest((await world.tokensOf(another.person, { scopes: ['audit:read'] })).access_token);
    const { data } = (await manager.get(`/audit-entries?targetId=${given.key.id}&action=changePassword`)).body;
    expect(data).toMatchObject([{ actor: act.actor, after: { revokedBecause: 'application-ended' } }]);
  });
});

it("an application is revoked while its person's password ends it, and neither waits for the other", async () => {
  const { person, tokens, applicationId, key, made } = await connected();
  const system = world.service.app.get(SystemDatabase);
  const blocker = new pg.Client({ connectionString: world.service.database.url });
  await blocker.connect();
  const waiting = (count: number) =>
    until(
      () => blocker.query(waitingForLocks),
      ({ rowCount }) => (rowCount ?? 0) >= count,
    );
  await blocker.query('begin');
  await blocker.query('select 1 from api_keys where id = $1 for no key update', [uuidIn(key.id)]);
  const ended = system.transaction(() =>
    world.service.app.get(AccessEndings).endAll({ userId: person.userId, trace: {} }),
  );
  await waiting(1);
  const revoked = world.rest(tokens.access_token).post(`/applications/${applicationId}/revoke`);
  await waiting(2);
  await blocker.query('commit');
  await blocker.end();
  expect([(await ended).applications.length, (await revoked).status]).toEqual([1, 200]);
  expect(await Promise.all(made.map(worksStill))).toEqual([false, false]);
});

describe('the API keys that a person created', () => {
  const removed = (member: string, how = '') => world.ops(`member remove --id ${member}${how}`);

  it('end with the member, as do the keys that were created with them', async () => {
    const { person, made } = await connected();
    const another = await connected();
    const { revokedKeyIds, ...rest } = await removed(person.memberId);
    expect(rest).toEqual({ id: person.memberId, deleted: true });
    expect([...(revokedKeyIds as string[])].sort()).toEqual(made.map(({ id }) => id).sort());
    expect(await Promise.all(made.map(worksStill))).toEqual([false, false]);
    expect(await worksStill(another.key)).toBe(true);
  });

  it('remain if that is requested, or if the member is only suspended', async () => {
    const [suspended, kept] = [await connected(), await connected()];
    await world.ops(`member update --id ${suspended.person.memberId} --status suspended`);
    expect((await removed(kept.person.memberId, ' --keep-keys true')).revokedKeyIds).toEqual([]);
    expect(await Promise.all([...suspended.made, ...kept.made].map(worksStill))).toEqual([true, true, true, true]);
  });
});

it('the migration finds the creators of existing keys in the audit trail', async () => {
  const given = await connected();
  const again = await world.tokensOf(given.person, { scopes, client: given.tokens.client });
  await keyThrough(again.access_token);
  const operators = await world.ops(`api-key create --org ${world.lakeside} --name Operator --scopes *`);
  await keyThrough(operators.key as string);
  const system = world.service.app.get(SystemDatabase);
  // Keys that ended with a replaced approval cannot be distinguished from those that ended with the one before.
  const makers = () =>
    system.rows('select id, created_by, application_id, made_with from api_keys where revoked_at is null order by id');
  const before = await makers();
  expect(before.filter((row) => row.made_with && row.application_id).length).toBeGreaterThan(0);
  expect(before.filter((row) => row.made_with && !row.application_id).length).toBeGreaterThan(0);
  expect(before.filter((row) => !row.created_by).length).toBeGreaterThan(0);

  const owner = new pg.Client({ connectionString: world.service.database.url });
  await owner.connect();
  const runner = { query: (text: string) => owner.query(text) } as unknown as QueryRunner;
  await new KeysAndMakers1700000000102().down(runner);
  // As it was then: an operator's keys named the machine that acted for them.
  await system.transaction(() => system.rows('update api_keys set created_by = member_id where created_by is null'));
  await owner.query('begin');
  await new KeysAndMakers1700000000102().up(runner);
  await owner.query('commit');
  await owner.end();
  expect(await makers()).toEqual(before);
});
