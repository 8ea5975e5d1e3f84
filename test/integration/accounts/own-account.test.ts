import { uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { FoundingService } from '../../../src/tenancy/founding/founding.service.js';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { anotherOrganization } from '../../support/behind-the-api.js';
import { Browser, hidden } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { addPerson } from '../../support/people.js';
import { Mailbox } from '../../support/mailbox.js';
import { owner, type Service, startApp } from '../../support/start-app.js';
import { authorize, authorizeUrl, newProof, registerClient } from '../../support/oauth.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const password = 'some long words';
const hour = 3_600_000;

async function signedIn(email: string): Promise<Browser> {
  const browser = new Browser(service.url);
  await browser.signIn(email, password);
  return browser;
}

const memberships = (userId: string) =>
  service.app
    .get(SystemDatabase)
    .rows('select org_id, status, name, email from members where user_id = $1 order by created_at', [uuidIn(userId)]);

describe('a person’s own name', () => {
  it('becomes the name of their members, except where a member has another name', async () => {
    const member = await addPerson(service);
    const browser = await signedIn(member.email as string);
    const page = await browser.get('/account');
    expect((await browser.submit(page, '/account/name', { name: ' ' })).text).toContain('Enter your name.');
    const changed = await browser.submit(page, '/account/name', { name: 'Nadia Novak' });
    expect(changed.text).toContain('Your name was changed.');
    expect((await service.api.get(`/members/${member.id}`)).body.data.name).toBe('Nadia Novak');
    await service.api.patch(`/members/${member.id}`, { name: 'Night shift' });
    await browser.submit(changed, '/account/name', { name: 'Nadia Silva' });
    const sentAgain = await browser.submit(page, '/account/name', { name: 'Nadia Novak' });
    expect([sentAgain.text.includes('already sent'), (await browser.get('/account')).text]).toEqual([
      true,
      expect.stringContaining('Nadia Silva'),
    ]);
    expect((await service.api.get(`/members/${member.id}`)).body.data.name).toBe('Night shift');
  });
});

describe('the sign-in history', () => {
  it("lists the person's own sign-ins, including failed ones, and nobody else's", async () => {
    const [one, other] = [await addPerson(service), await addPerson(service)];
    await new Browser(service.url).signIn(one.email as string, 'not the password');
    await signedIn(other.email as string);
    const { html } = await (await signedIn(one.email as string)).get('/account/security');
    const [, history = ''] = html.split('Recent sign-ins');
    expect(history.match(/<strong>(Signed in|Wrong password)<\/strong>/g)).toEqual([
      '<strong>Signed in</strong>',
      '<strong>Wrong password</strong>',
    ]);
  });
});

describe('a sign-in for an application', () => {
  it('shows which application asks, where its response goes, and where the person signs in', async () => {
    const client = await registerClient(service);
    const page = await new Browser(service.url).get(authorizeUrl(service, client, newProof()));
    const text = page.text.replaceAll(' ,', ',');
    expect(text).toContain('Test Assistant (unverified), which receives the response at localhost:33418');
    expect(text).toContain(`You sign in at ${new URL(service.url).host}, United States.`);
    expect((await new Browser(service.url).get('/sign-in?return_to=/consent/nonsense')).status).toBe(200);
  });
});

describe('leaving an organization', () => {
  it("ends the person's access, applications and keys there, and nothing elsewhere", async () => {
    const member = await addPerson(service, { role: 'manager' });
    const { organization, roles } = await service.app.get(FoundingService).found({ name: 'Elsewhere' });
    const elsewhere = roles.find(({ builtIn }) => builtIn === 'manager') as { id: string };
    const { userId, email, name } = member as { userId: string; email: string; name: string };
    await service.app
      .get(FoundingService)
      .addMember({ orgId: organization.id, userId, email, name, roleId: elsewhere.id });
    const scopes = ['tasks:read', 'api-keys:manage'];
    const { access_token: token } = await authorize(service, { email, password, orgId: member.orgId, scopes });
    const own = service.api.as(token);
    const { key } = (await own.post('/api-keys', { name: 'mine', scopes: ['tasks:read'] })).body.data;
    const { key: byHand, id } = (await service.api.post('/api-keys', { name: 'by hand', scopes: ['tasks:read'] })).body
      .data;
    await service.app
      .get(SystemDatabase)
      .rows('update api_keys set created_by = $2 where id = $1', [uuidIn(id), uuidIn(member.id)]);
    for (const one of [key, byHand]) expect((await service.api.as(one).get('/tasks')).status).toBe(200);
    const browser = await signedIn(email);
    const page = await browser.get(`/account/leave?org=${member.orgId}`);
    const left = await browser.submit(page, '/account/leave');
    expect(left.text).toContain('You left the organization.');
    expect(left.text).toContain('Elsewhere');
    expect(left.text).not.toContain('My Organization');
    expect((await own.get('/me')).status).toBe(401);
    for (const one of [key, byHand]) expect((await service.api.as(one).get('/tasks')).status).toBe(401);
    expect((await memberships(userId)).map(({ status }) => status)).toEqual(['removed', 'active']);
    const trail = (await service.api.get('/audit-entries?action=leaveOrganization')).body.data as object[];
    expect(trail).toContainEqual(
      expect.objectContaining({ actor: { type: 'user', id: userId }, target: { type: 'member', id: member.id } }),
    );
  });

  it('is not possible for the last owner, nor for an organization of others', async () => {
    const browser = new Browser(service.url);
    await browser.signIn(owner.email, owner.password);
    const { id } = (await service.api.get('/organization')).body.data;
    const page = await browser.get(`/account/leave?org=${id}`);
    const refused = await browser.submit(page, '/account/leave');
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('last owner') as string });
    const { organization } = await service.app.get(FoundingService).found({ name: 'Others' });
    expect((await browser.submit(page, '/account/leave', { org: organization.id })).status).toBe(404);
  });

  it('requires a password confirmation within the last ten minutes', async () => {
    const member = await addPerson(service);
    const browser = await signedIn(member.email as string);
    const page = await browser.get(`/account/leave?org=${member.orgId}`);
    clock.advance(11 * 60_000);
    const asked = await browser.submit(page, '/account/leave');
    expect(asked.path).toBe('/account/confirm-password?return_to=%2Fresume');
    expect((await memberships(member.userId as string))[0]?.status).toBe('active');
    const kept = await browser.submit(asked, '/account/confirm-password', { password });
    expect((await browser.submit(kept, '/account/leave')).path).toBe('/account?done=left');
  });
});

describe('deleting an account', () => {
  it('erases it, and leaves organizations a name without an address', async () => {
    const member = await addPerson(service);
    const [email, userId] = [member.email as string, member.userId as string];
    const stranger = await anotherOrganization(service);
    const [{ id: roleId }] = (await stranger.get('/roles?limit=1')).body.data;
    expect((await stranger.post('/members', { email, roleId })).status).toBe(201);
    const browser = await signedIn(email);
    const page = await browser.get('/account/delete');
    const wrong = await browser.submit(page, '/account/delete', { email: 'no' });
    expect(wrong).toMatchObject({ status: 400, text: expect.stringContaining('Enter the address') as string });
    // A double click deletes it once.
    const pages = await Promise.all([0, 1].map(() => browser.submit(page, '/account/delete', { email })));
    expect(pages.map(({ text }) => text).join()).toContain('Your account was deleted.');
    const deletions = `select 1 from security_events where action = 'account-deleted' and actor->>'id' = $1`;
    expect(await service.app.get(SystemDatabase).rows(deletions, [userId])).toHaveLength(1);
    expect((await browser.get('/account')).path).toContain('/sign-in');
    expect((await new Browser(service.url).signIn(email, password)).status).toBe(403);
    const [left] = await memberships(userId);
    expect(left).toMatchObject({ status: 'removed', name: member.name });
    const dump = JSON.stringify(
      await Promise.all(
        ['users', 'members', 'sessions', 'sign_ins', 'mailed_links'].map((table) =>
          service.app.get(SystemDatabase).rows(`select * from ${table} t where t::text ilike $1`, [`%${email}%`]),
        ),
      ),
    );
    expect(dump).toBe('[[],[],[],[],[]]');
    await new Mailbox(service.config.dataDir).latest(email, /account was deleted/);
    await service.app.get(UsersService).create({ email, name: 'Again', password });
  });

  it('requires a password confirmation within the last ten minutes too', async () => {
    const { email } = await addPerson(service);
    const browser = await signedIn(email as string);
    const page = await browser.get('/account/delete');
    clock.advance(11 * 60_000);
    const asked = await browser.submit(page, '/account/delete', { email: email as string });
    expect(asked.path).toBe('/account/confirm-password?return_to=%2Fresume&with=factor');
    expect((await browser.get('/account')).path).toBe('/account');
  });

  it('is not possible for the last owner of an organization', async () => {
    const browser = new Browser(service.url);
    await browser.signIn(owner.email, owner.password);
    const page = await browser.get('/account/delete');
    const refused = await browser.submit(page, '/account/delete', { email: owner.email });
    expect(refused).toMatchObject({
      status: 400,
      text: expect.stringContaining('last owner of My Organization') as string,
    });
    expect((await browser.get('/account')).path).toBe('/account');
  });
});

describe('a form that is sent after the session has ended', () => {
  async function sendLate(browser: Browser, fields: Record<string, string>) {
    const page = await browser.get('/account');
    clock.advance(13 * hour);
    return await browser.submit(page, '/account/name', fields, { referer: `${service.url}/account` });
  }

  it('is shown again after the sign-in, to the same person', async () => {
    const { email } = await addPerson(service);
    const browser = await signedIn(email as string);
    const asked = await sendLate(browser, { name: 'Kept <Name>' });
    expect(asked.path).toBe('/sign-in?return_to=%2Fresume');
    const back = await browser.submit(asked, '/sign-in', { email: email as string, password });
    expect(back.path).toBe('/resume');
    expect(back.html).toContain('Kept &lt;Name>');
    const done = await browser.submit(back, '/account/name', { name: 'Kept <Name>' });
    expect(done.text).toContain('Your name was changed.');
    expect((await browser.get('/resume')).path).toBe('/account');
  });

  it('is kept by the browser for half an hour', async () => {
    const { email } = await addPerson(service);
    const browser = await signedIn(email as string);
    const fields = { ...hidden(await browser.get('/account')), name: 'Kept' };
    clock.advance(13 * hour);
    const { headers } = await browser.once('/account/name', {
      method: 'POST',
      headers: { origin: service.url, 'sec-fetch-site': 'same-origin', referer: `${service.url}/account` },
      body: new URLSearchParams(fields),
    });
    expect(headers.getSetCookie().join()).toMatch(/held=[\w-]+; Max-Age=1800;/);
  });

  it('is not shown after half an hour, even if the browser still has it', async () => {
    const { email } = await addPerson(service);
    const browser = await signedIn(email as string);
    const asked = await sendLate(browser, { name: 'Kept' });
    clock.advance(hour / 2);
    const back = await browser.submit(asked, '/sign-in', { email: email as string, password });
    expect(back.path).toBe('/account');
    expect(back.html).not.toContain('Kept');
  });

  it('is not kept for anyone else, nor if it comes from another site', async () => {
    const [{ email }, other] = [await addPerson(service), await addPerson(service)];
    const browser = await signedIn(email as string);
    const asked = await sendLate(browser, { name: 'Private words' });
    const theirs = await browser.submit(asked, '/sign-in', { email: other.email as string, password });
    expect(theirs.path).toBe('/account');
    expect(theirs.html).not.toContain('Private words');
    const foreign = await addPerson(service);
    const victim = await signedIn(foreign.email as string);
    clock.advance(13 * hour);
    const planted = await victim.post('/account/name', { name: 'Planted' }, { origin: 'https://evil.example' });
    expect(planted.path).toBe('/sign-in');
  });

  it('is never kept if it contains a secret', async () => {
    const { email } = await addPerson(service);
    const browser = await signedIn(email as string);
    const page = await browser.get('/account');
    clock.advance(13 * hour);
    const fields = { email: 'new@tests.example', password };
    const asked = await browser.submit(page, '/account/email', fields, { referer: `${service.url}/account` });
    expect(asked.path).toBe('/sign-in?return_to=%2Faccount');
    expect([...browser.cookies.keys()]).not.toContain('held');
  });
});
