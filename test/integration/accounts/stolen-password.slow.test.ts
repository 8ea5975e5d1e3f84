import { SystemDatabase } from '#system-database';
import { codeOf, enrol } from '../../support/authenticator.js';
import { Browser, type PageReply } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { feedSettled, until } from '../../support/feed.js';
import { waitingForLocks } from '../../support/locks.js';
import { Mailbox } from '../../support/mailbox.js';
import {
  authorizeUrl,
  decide,
  newProof,
  openConsent,
  type Person,
  refresh,
  registerClient,
  submit,
} from '../../support/oauth.js';
import { type Member, type OAuthWorld, openWorld } from '../../support/oauth-world.js';

const better = 'an even better passphrase';
const scopes = ['tasks:read', 'api-keys:manage', 'applications:read', 'offline_access'];

let world: OAuthWorld;
let mailbox: Mailbox;
let strict: string;
beforeAll(async () => {
  world = await openWorld();
  mailbox = new Mailbox(world.service.config.dataDir);
  strict = (await world.ops('org create --name Strict')).id as string;
  await world.ops(`org update --org ${strict} --require-two-factor true`);
});
afterEach(() => clock.restore());
afterAll(() => world.close());

async function signedIn({ email, password }: Person): Promise<Browser> {
  const browser = new Browser(world.service.url);
  await browser.signIn(email, password);
  return browser;
}

const signIn = ({ email, password }: Person) => new Browser(world.service.url).signIn(email, password);

const changePassword = async (browser: Browser, { password }: Person) =>
  await browser.submit(await browser.get('/account/security'), '/account/security/password', {
    current_password: password,
    new_password: better,
  });

/** The lines as they were written, before they are wrapped for transport. */
const letter = async ({ email }: Person, subject: RegExp): Promise<string> =>
  (await mailbox.latest(email, subject)).replaceAll('=\r\n', '');

const statusOf = async (token: string): Promise<number> => (await world.rest(token).get('/tasks')).status;

async function expectRefused({ access_token: token, refresh_token, client }: Awaited<ReturnType<typeof attack>>) {
  expect(await statusOf(token)).toBe(401);
  expect((await world.mcp(token).call('listTasks')).status).toBe(401);
  expect(await refresh(world.service, client, refresh_token ?? '')).toMatchObject({
    status: 400,
    body: { error: 'invalid_grant' },
  });
}

/** The thief, who has the password, approves their own application under a trusted name. */
const attack = (victim: Person, orgId = strict) => world.tokensOf(victim, { orgId, scopes });

/** The application creates a key that would outlive its own disconnection. */
async function keyOf(token: string): Promise<string> {
  const { status, body } = await world.rest(token).post('/api-keys', { name: 'Backup', scopes: ['tasks:read'] });
  expect(status).toBe(201);
  return body.data.key as string;
}

describe('a stolen password', () => {
  it('gives no more access after the victim has changed it and enrolled an authenticator', async () => {
    const victim = await world.person('manager', strict);
    await world.join(victim, world.lakeside);
    const [thief, stolen] = [await signedIn(victim), await attack(victim)];
    const elsewhere = await attack(victim, world.lakeside);
    const key = await keyOf(elsewhere.access_token);
    expect(await statusOf(key)).toBe(200);
    const { status, body } = await world.rest(stolen.access_token).get('/tasks');
    expect([status, body.error.code]).toEqual([403, 'TWO_FACTOR_REQUIRED']);

    const browser = await signedIn(victim);
    const page = await changePassword(browser, victim);
    expect(page.text).toContain('Your password was changed.');
    expect(page.text).toMatch(/Ended: \d sessions, 0 mailed links, 2 connected applications, 1 API key\./);
    for (const organization of ['Strict', 'Lakeside Stays']) {
      expect(page.text).toContain(`Test Assistant in ${organization}`);
      expect(await letter(victim, /password was changed/)).toContain(`> Test Assistant, in ${organization}`);
    }
    expect(page.text).toContain(
      'These API keys, which applications had created, are revoked: Backup in Lakeside Stays',
    );
    expect(await letter(victim, /password was changed/)).toContain('> Backup, in Lakeside Stays');
    // Before the enrollment, which ends sessions too.
    expect((await thief.get('/account')).path).toContain('/sign-in?');
    await enrol(browser);

    expect(await statusOf(key)).toBe(401);
    for (const tokens of [stolen, elsewhere]) await expectRefused(tokens);
    expect((await browser.get('/account/applications')).text).toContain('No connected applications.');
  });

  it('gives no more access after the victim has reset it by a mailed link, and the page lists what ended', async () => {
    const victim = await world.person();
    const stolen = await attack(victim, world.lakeside);
    const browser = new Browser(world.service.url);
    await browser.submit(await browser.get('/forgot-password'), '/forgot-password', { email: victim.email });
    const page = await browser.get(await mailbox.link(victim.email, /new password/));
    const done = await browser.submit(page, '/reset-password', { new_password: better });
    expect(done.text).toContain('1 connected application, 0 API keys.');
    expect(done.text).toContain('Test Assistant in Lakeside Stays');
    expect((await browser.get('/sign-in?done=password')).text).not.toContain('Test Assistant');
    await expectRefused(stolen);
  });

  it('is reported to the organization for each approval that ends with it', async () => {
    const victim = await world.person();
    await attack(victim, world.lakeside);
    await changePassword(await signedIn(victim), victim);
    const watcher = await world.tokensOf(await world.person(), {
      scopes: ['events:read', 'applications:read', 'applications:manage'],
    });
    await feedSettled(world.service);
    const events = (await world.rest(watcher.access_token).get('/events?types=application.revoked&limit=100')).body
      .data as { data: { userId: string } }[];
    expect(events.filter(({ data }) => data.userId === victim.userId)).toHaveLength(1);
  });

  it.each([
    ['an approval', (browser: Browser, page: PageReply) => decide(browser, page, 'authorize', world.lakeside)],
    ['a sign-in', (_: Browser, __: PageReply, victim: Person) => signIn(victim)],
  ])('gets no further with %s while it is changed', async (_, act) => {
    const victim = await world.person();
    const [thief, client] = [new Browser(world.service.url), await registerClient(world.service)];
    const page = await openConsent(thief, victim, authorizeUrl(world.service, client, newProof()));
    const system = world.service.app.get(SystemDatabase);
    let acted: Promise<PageReply> | undefined;
    await system.transaction(async () => {
      await system.rows(`update users set password_hash = 'another' where email = $1`, [victim.email]);
      acted = act(thief, page, victim);
      await until(
        () => system.rows(waitingForLocks),
        ({ length }) => length > 0,
      );
      await system.rows('delete from sessions where user_id = (select id from users where email = $1)', [victim.email]);
    });
    expect((await acted)?.path).toMatch(/^\/sign-in/);
    const approved = await system.rows(
      'select 1 from oauth_grants where user_id = (select id from users where email = $1)',
      [victim.email],
    );
    expect(approved).toEqual([]);
  });
});

describe('API keys that a stolen password created at the account page', () => {
  const createKey = async (browser: Browser, name: string): Promise<string> => {
    const fields = { name, 'scope:tasks:read': 'on', 'scope:api-keys:manage': 'on', days: '' };
    const { html } = await browser.submit(await browser.get('/account/api-keys'), '/account/api-keys/create', fields);
    return /<code id="key">(\w+)</.exec(html)?.[1] as string;
  };
  const statusesOf = (keys: string[]) => Promise.all(keys.map(statusOf));
  const panel = ({ html }: PageReply): string =>
    html.split('API keys that you created</h2>')[1]?.split('</section>')[0] ?? '';

  it('are listed after it is changed, with when they were created and used, and end one by one or all at the same time', async () => {
    clock.set('2026-03-03T12:00:00Z');
    const [victim, colleague] = [await world.person(), await world.person()];
    const thief = await signedIn(victim);
    const [first, second] = [await createKey(thief, 'Printer'), await createKey(thief, 'Left <behind>')];
    const third = await keyOf(second);
    const foreign = await createKey(await signedIn(colleague), 'Foreign');
    clock.advance(60_000);
    expect((await world.rest(first).get('/tasks', { 'x-forwarded-for': '203.0.113.9' })).status).toBe(200);

    const browser = await signedIn(victim);
    const page = await changePassword(browser, victim);
    expect(page.text).toContain('0 API keys.');
    expect(page.text).toContain('These API keys, which you created, keep working.');
    for (const [name, inMail] of [['Printer'], ['Left &lt;behind>', 'Left <behind>'], ['Backup']] as const) {
      expect(panel(page)).toContain(`<strong>${name}</strong>`);
      expect(await letter(victim, /password was changed/)).toContain(`> ${inMail ?? name}, in Lakeside Stays`);
    }
    expect(panel(page)).not.toContain('Foreign');
    expect(page.text).toMatch(
      /Printer in Lakeside Stays · created 2026-03-03 12:00 UTC · last used .* from 203\.0\.113\.9/,
    );
    expect(await statusesOf([first, second, third])).toEqual([200, 200, 200]);

    const revoke = '/account/security/keys/revoke';
    const [keyId = ''] = /key_[0-9a-f]{32}/.exec(panel(page).split('Printer</strong>')[1] as string) ?? [];
    const one = await browser.submit(page, revoke, { key_id: keyId });
    expect(one.text).toContain('The API key was revoked and');
    expect(await statusesOf([first, second, third])).toEqual([401, 200, 200]);
    const strangersPage = await (await signedIn(colleague)).get('/account/security');
    const [strangersKey = ''] = /key_[0-9a-f]{32}/.exec(panel(strangersPage)) ?? [];
    expect((await browser.submit(one, revoke, { key_id: strangersKey })).status).toBe(404);
    expect((await browser.post(revoke, { key_id: keyId })).status).toBe(403);

    // A key that is created while the page is open is not among those that it lists.
    clock.advance(60_000);
    const later = await createKey(browser, 'Mine');
    const all = await browser.submit(one, `${revoke}-all`);
    expect(all.text).toContain('The API keys were revoked and');
    expect(await statusesOf([first, second, third, later, foreign])).toEqual([401, 401, 401, 200, 200]);
    clock.advance(11 * 60_000);
    expect((await browser.submit(all, `${revoke}-all`)).text).toContain('Confirm that it is you');
    expect(await statusOf(later)).toBe(200);
    const watcher = await world.tokensOf(colleague, { scopes: ['events:read', 'api-keys:read', 'audit:read'] });
    const { body } = await world.rest(watcher.access_token).get(`/audit-entries?action=revokeApiKey&limit=100`);
    expect((body.data as { target: { id: string } }[]).map(({ target }) => target.id)).toContain(keyId);
  });

  it('are listed at the sign-in after a reset, with a link to end them; keys of organizations they left are not', async () => {
    const victim = await world.person();
    const kept = await createKey(await signedIn(victim), 'Kept');
    await world.ops(`member remove --id ${victim.memberId} --keep-keys true`);
    await world.join(victim, world.alpine);
    const key = await createKey(await signedIn(victim), 'Left behind');
    const browser = new Browser(world.service.url);
    await browser.submit(await browser.get('/forgot-password'), '/forgot-password', { email: victim.email });
    const page = await browser.get(await mailbox.link(victim.email, /new password/));
    const done = await browser.submit(page, '/reset-password', { new_password: better });
    expect(done.text).toContain('Left behind in Alpine Lofts');
    expect(done.text).not.toContain('Kept');
    const security = await browser.submit(done, '/sign-in', { email: victim.email, password: better });
    await browser.submit(security, '/account/security/keys/revoke-all');
    expect(await statusesOf([key, kept])).toEqual([401, 200]);
  });
});

describe('enrollment of the first factor', () => {
  it('leaves tokens working, lists what was approved before and how, and ends one or all of them', async () => {
    const victim = await world.person('manager', strict);
    const [one, two, three] = [await attack(victim), await attack(victim), await attack(victim)];
    const browser = await signedIn(victim);
    const { done } = await enrol(browser);
    expect(await statusOf(one.access_token)).toBe(200);
    expect(await statusOf(await keyOf(one.access_token))).toBe(200);
    expect((await refresh(world.service, two.client, two.refresh_token ?? '')).status).toBe(200);
    expect(done.text).toContain('Applications you approved before');
    expect(done.text).toContain('You signed in with password, last confirmed');
    expect(await letter(victim, /second factor was added/)).toContain('> Test Assistant, in Strict');

    const alone = await browser.submit(done, '/account/applications/revoke');
    expect(alone.text).toContain('The approval was ended.');
    const left = async () => await Promise.all([one, two, three].map(({ access_token: token }) => statusOf(token)));
    expect((await left()).toSorted()).toEqual([200, 200, 401]);
    const all = await browser.submit(done, '/account/applications/revoke-all');
    expect(all.text).toContain('The approvals were ended.');
    expect(await left()).toEqual([401, 401, 401]);
  });

  it('is offered on the consent page before Authorize and leads back to it, and Authorize then completes', async () => {
    const person = await world.person('manager', strict);
    const [browser, client] = [new Browser(world.service.url), await registerClient(world.service)];
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    expect(page.text).toContain('Strict requires a second factor');
    const [offered = ''] =
      /\/account\/security\?return_to=[^"]+/.exec(page.html.split('Authorize</button>')[0] ?? '') ?? [];
    const security = await browser.get(offered);
    const add = /\/account\/security\/totp\?return_to=([^"]+)/.exec(security.html)?.[1] ?? '';
    const { done } = await enrol(browser, decodeURIComponent(add));
    expect(done.html).toContain(`<a class="button primary" href="${page.url.pathname}">`);
    const back = await browser.get(page.url.pathname);
    expect(back.text).not.toContain('requires a second factor');
    const { url } = await decide(browser, back, 'authorize', strict);
    expect(url.searchParams.get('code')).toMatch(/^ac_us_/);
  });
});

describe('an approval', () => {
  const views = async (token: string) => [
    (await world.rest(token).get('/applications')).body.data[0],
    (await world.mcp(token).call('listApplications')).body.data[0],
  ];

  it('shows when and how its person was authenticated', async () => {
    clock.set('2026-03-01T12:00:00Z');
    const person = await world.person();
    const { access_token: token } = await attack(person, world.lakeside);
    for (const view of await views(token)) {
      expect(view).toMatchObject({ authenticatedAt: '2026-03-01T12:00:00.000Z', authenticatedWith: ['password'] });
    }
    const browser = await signedIn(person);
    const { secret } = await enrol(browser);
    clock.advance(60_000);
    const later = await signInWithCode(person, secret);
    const client = await registerClient(world.service);
    const page = await openConsent(later, person, authorizeUrl(world.service, client, newProof(), { scopes }));
    await decide(later, page, 'authorize', world.lakeside);
    expect((await later.get('/account/applications')).text).toContain(
      'You signed in with password and authenticator app, last confirmed 2026-03-01 12:01 UTC',
    );
  });
});

async function signInWithCode(person: Member, secret: string): Promise<Browser> {
  const browser = new Browser(world.service.url);
  const page = await browser.signIn(person.email, person.password);
  await browser.submit(page, '/sign-in/code?return_to=%2Faccount', { code: codeOf(secret) });
  return browser;
}

describe('sensitive permissions', () => {
  it('require a password confirmation within the last ten minutes before the consent page, and Authorize then completes', async () => {
    clock.set('2026-03-02T12:00:00Z');
    const person = await world.person();
    const browser = await signedIn(person);
    const client = await registerClient(world.service);
    clock.advance(11 * 60_000);
    const url = (asked: string[]) => authorizeUrl(world.service, client, newProof(), { scopes: asked });
    expect((await browser.get(url(['tasks:read']))).text).toContain('requests access to your organization');
    const asked = await browser.get(url(scopes));
    expect(asked.text).toContain('Confirm that it is you');
    // A person who found the browser signed in also knows the URL of the decision.
    const consent = new URL(asked.path, world.service.url).searchParams.get('return_to') ?? '';
    const token = /form_token" value="([^"]+)"/.exec(asked.html)?.[1] as string;
    const bold = { form_token: token, decision: 'authorize', organizationId: world.lakeside };
    expect((await browser.post(consent, bold)).text).toContain('Confirm that it is you');
    const page = await browser.submit(asked, '/account/confirm-password', { password: person.password });
    expect(page.text).toContain('requests access to your organization');
    clock.advance(11 * 60_000);
    const { url: back } = await submit(browser, page, { decision: 'authorize', organizationId: world.lakeside });
    expect(back.searchParams.get('code')).toMatch(/^ac_us_/);
  });
});
