import pg from 'pg';
import { Browser } from '../../../faults/page-client.js';
import { feedSettled, until } from '../../support/feed.js';
import {
  authorizeUrl,
  decide,
  newProof,
  openConsent,
  refresh,
  registerClient,
  type Tokens,
} from '../../support/oauth.js';
import { type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { refusalOf } from '../../support/ops.js';
import { waitingForLocks } from '../../support/locks.js';

let world: OAuthWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

const scopes = ['tasks:read', 'applications:read', 'applications:write', 'applications:manage'];

describe('listApplications and revokeApplication', () => {
  it.each(['rest', 'mcp'] as const)("list and end a person's own approvals over %s", async (door) => {
    const person = await world.person('coordinator');
    const connected = await world.tokensOf(person, { scopes: ['tasks:read', 'offline_access'] });
    const { access_token: token, client } = await world.tokensOf(person, { scopes });
    const ask = async (name: string, path: string, id?: string) =>
      door === 'mcp'
        ? (await world.mcp(token).call(name, id ? { applicationId: id } : {})).body
        : (await (id ? world.rest(token).post(path) : world.rest(token).get(path))).body;
    const { data } = await ask('listApplications', '/applications');
    expect(data).toHaveLength(2);
    const found = data.find(({ clientId }: { clientId: string }) => clientId === connected.client.client_id);
    expect(found).toMatchObject({
      clientName: 'Test Assistant',
      verified: false,
      userId: person.userId,
      memberId: person.memberId,
      scopes: ['tasks:read'],
      offline: true,
      revokedAt: null,
    });
    expect(data.map(({ clientId }: { clientId: string }) => clientId)).toContain(client.client_id);
    const revoked = await ask('revokeApplication', `/applications/${found.id}/revoke`, found.id);
    expect(revoked.data).toMatchObject({ revokedAt: expect.any(String) as string, memberId: person.memberId });
    expect((await world.rest(connected.access_token).get('/me')).status).toBe(401);
    expect((await ask('revokeApplication', `/applications/${found.id}/revoke`, found.id)).data.version).toBe(
      revoked.data.version,
    );
    expect((await ask('listApplications', '/applications')).data).toHaveLength(1);
  });

  it("reach other members’ approvals with the permission, but never another organization's", async () => {
    const org = (await world.ops('org create --name Reach')).id as string;
    const [manager, worker] = [await world.person('manager', org), await world.person('coordinator', org)];
    const theirs = await world.tokensOf(worker, { orgId: org, scopes });
    const foreign = await world.tokensOf(await world.person(), { scopes });
    const { access_token: token } = await world.tokensOf(manager, { orgId: org, scopes });
    const denied = await world.rest(theirs.access_token).get('/applications?of=organization');
    expect([denied.status, denied.body.error.message]).toEqual([403, expect.stringMatching(/^Missing permission/)]);
    const { data } = (await world.rest(token).get('/applications?of=organization')).body;
    expect(data.map(({ userId }: { userId: string }) => userId).sort()).toEqual([manager.userId, worker.userId].sort());
    expect(data.map(({ memberId }: { memberId: string }) => memberId)).toContain(worker.memberId);
    const page = await new Browser(world.service.url).signIn(
      manager.email,
      manager.password,
      '/console/reach/applications',
    );
    for (const whose of ['you', 'Eva']) expect(page.text).toContain(`Test Assistant (unverified) ${whose}`);
    expect(page.text).toContain('Assistants and programs that act as members');
    const own = (await world.rest(token).get('/applications')).body.data;
    expect(own).toHaveLength(1);
    expect((await world.rest(theirs.access_token).post(`/applications/${own[0].id}/revoke`)).status).toBe(404);
    const abroad = (await world.rest(foreign.access_token).get('/applications')).body.data[0].id as string;
    expect((await world.rest(token).post(`/applications/${abroad}/revoke`)).status).toBe(404);
    const workers = data.find(({ userId }: { userId: string }) => userId === worker.userId);
    expect((await world.rest(token).post(`/applications/${workers.id}/revoke`)).status).toBe(200);
    expect((await world.rest(theirs.access_token).get('/me')).status).toBe(401);
  });
});

describe('/account/applications', () => {
  it("lists a person's approvals, and ends them", async () => {
    const person = await world.person();
    const { access_token: token } = await world.tokensOf(person);
    const browser = new Browser(world.service.url);
    const page = await browser.signIn(person.email, person.password, '/account/applications');
    expect(page.text).toContain('Test Assistant');
    expect(page.text).toContain('in Lakeside Stays');
    expect(page.text).toContain('Create, assign and complete tasks');
    expect(page.text).not.toContain('tasks:write');
    const done = await browser.submit(page, '/account/applications/revoke');
    expect(done.text).toContain('The approval was ended');
    expect(done.text).toContain('No connected applications');
    expect((await world.rest(token).get('/me')).status).toBe(401);
  });

  it('ends nobody else’s', async () => {
    const [person, other] = [await world.person(), await world.person()];
    await world.tokensOf(person);
    const { access_token: token } = await world.tokensOf(other, { scopes: ['applications:read'] });
    const { id } = (await world.rest(token).get('/applications')).body.data[0];
    const browser = new Browser(world.service.url);
    const page = await browser.signIn(person.email, person.password, '/account/applications');
    const answer = await browser.submit(page, '/account/applications/revoke', { application_id: id });
    expect(answer.status).toBe(404);
    expect((await world.rest(token).get('/me')).status).toBe(200);
  });
});

describe('ops application create', () => {
  it('creates an application that people see as verified', async () => {
    const { clientId } = await world.ops(
      'application create --name "Front Desk" --redirect-uris https://desk.example/cb,http://localhost:1/cb',
    );
    const client = { client_id: clientId as string, redirectUri: 'https://desk.example/cb' };
    const url = authorizeUrl(world.service, client, newProof());
    const { html } = await openConsent(new Browser(world.service.url), await world.person(), url);
    expect(html).toContain('Front Desk requests access');
    expect(html).not.toContain('unverified');
  });

  it('applies the rules of registration to redirect URIs', async () => {
    const refusal = await refusalOf(world.ops('application create --name X --redirect-uris http://evil.example/cb'));
    expect(refusal.status).toBe(400);
    expect(JSON.stringify(refusal.details)).toContain('--redirect-uris');
  });
});

describe('applications that registered themselves', () => {
  it('end only where they are forbidden, except for the allowed ones', async () => {
    const org = (await world.ops('org create --name Strict')).id as string;
    const key = (await world.ops(`api-key create --org ${org} --name k --scopes *`)).key as string;
    const person = await world.person('manager', org);
    const connect = (orgId: string) => world.tokensOf(person, { orgId, scopes: ['tasks:read', 'offline_access'] });
    await world.join(person, world.alpine);
    const [ended, allowed, elsewhere] = [await connect(org), await connect(org), await connect(world.alpine)];
    const statusOf = async ({ access_token }: Tokens) => (await world.rest(access_token).get('/tasks')).status;
    const change = (input: object) => world.rest(key).patch('/organization', input);
    await change({ allowedClientIds: [] });
    expect(await statusOf(ended)).toBe(200);
    await change({
      selfRegisteredApplications: 'forbidden',
      allowedClientIds: [allowed.client.client_id],
    });
    expect([await statusOf(ended), await statusOf(allowed), await statusOf(elsewhere)]).toEqual([401, 200, 200]);
    expect(await refresh(world.service, ended.client, ended.refresh_token as string)).toMatchObject({
      status: 400,
      body: { error: 'invalid_grant' },
    });
    await feedSettled(world.service);
    const { data } = (await world.rest(key).get('/events?types=application.revoked')).body;
    expect(data).toHaveLength(1);
    expect(data[0]).toMatchObject({ data: { clientId: ended.client.client_id, revokedAt: expect.any(String) } });
    await change({ allowedClientIds: [] });
    expect([await statusOf(allowed), await statusOf(elsewhere)]).toEqual([401, 200]);
  });

  it('remain where they are forbidden if an operator verifies them', async () => {
    const org = (await world.ops('org create --name Vouched')).id as string;
    const key = (await world.ops(`api-key create --org ${org} --name k --scopes *`)).key as string;
    const redirectUri = 'https://desk.example/callback';
    const { clientId } = await world.ops(`application create --name Desk --redirect-uris ${redirectUri}`);
    const client = { client_id: clientId as string, redirectUri };
    const { access_token: token } = await world.tokensOf(await world.person('manager', org), { orgId: org, client });
    await world.rest(key).patch('/organization', { selfRegisteredApplications: 'forbidden' });
    expect((await world.rest(token).get('/tasks')).status).toBe(200);
  });

  it('cannot be approved while the organization is about to forbid them', async () => {
    const org = (await world.ops('org create --name Closing')).id as string;
    const person = await world.person('manager', org);
    const client = await registerClient(world.service);
    const browser = new Browser(world.service.url);
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    const operator = new pg.Client({ connectionString: world.service.database.url });
    await operator.connect();
    await operator.query('begin');
    await operator.query(`update organizations set self_registered_applications = 'forbidden' where name = 'Closing'`);
    const decided = decide(browser, page, 'authorize', org);
    await until(
      () => operator.query(waitingForLocks),
      ({ rows }) => rows.length > 0,
    );
    await operator.query('commit');
    await operator.end();
    expect((await decided).status).toBe(403);
  });
});
