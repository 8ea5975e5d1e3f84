import { SystemDatabase } from '#system-database';
import { anotherOrganizationPath } from '../../../src/auth/accounts/console-path.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { Mailbox } from '../../support/mailbox.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
let mailbox: Mailbox;
beforeAll(async () => {
  service = await startApp({ SIGN_UP: 'open' });
  mailbox = new Mailbox(service.config.dataDir);
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const password = 'correct horse battery staple';
const rows = (query: string, values: unknown[] = []) => service.app.get(SystemDatabase).rows(query, values);

async function ask(email: string, name = 'Maria Silva'): Promise<Browser> {
  const browser = new Browser(service.url);
  const sent = await browser.submit(await browser.get('/sign-up'), '/sign-up', { name, email });
  expect(sent).toMatchObject({ status: 200, text: expect.stringContaining(`We sent a link to ${email}`) as string });
  return browser;
}

describe('signing up', () => {
  it("is offered on the start page, and creates an organization of the person's own", async () => {
    const start = await new Browser(service.url).get('/', { accept: 'text/html' });
    expect(start.html).toContain('href="/sign-up"');
    const email = 'maria@tests.example';
    const browser = await ask(email);
    const page = await browser.get(await mailbox.link(email, /Create your organization/));
    expect(page.text).toContain('Welcome, Maria Silva');
    const home = await browser.submit(page, '/sign-up/confirm', { password, organizationName: 'Lakeside Stays' });
    expect(home.path).toBe('/console/lakeside-stays');
    expect((await browser.get('/account')).text).toContain('Lakeside Stays owner');
    expect((await browser.get('/account/security')).text).toContain('change your password. Signed in');
    const [member] = await rows(
      `select m.name, m.status, o.slug, o.quota_limits, r.built_in from members m join organizations o on o.id = m.org_id
         join roles r on r.org_id = m.org_id and r.id = m.role_id where m.email = $1`,
      [email],
    );
    expect(member).toEqual({
      name: 'Maria Silva',
      status: 'active',
      slug: 'lakeside-stays',
      quota_limits: { keyRatePerMinute: 1_000 },
      built_in: 'owner',
    });
    const [signedUp] = await rows(`select action from security_events where action = 'signed-up'`);
    expect(signedUp).toBeDefined();
  });

  it('leads to the console of the organization', async () => {
    const browser = await ask('console@tests.example');
    const page = await browser.get(await mailbox.link('console@tests.example', /Create your organization/));
    const [, form_token = ''] = /name="form_token" value="([^"]+)"/.exec(page.html) ?? [];
    const token = page.url.searchParams.get('token') as string;
    const answer = await browser.once('/sign-up/confirm', {
      method: 'POST',
      body: new URLSearchParams({ form_token, token, password, organizationName: 'Lakeside Stays' }),
    });
    expect(answer.status).toBe(303);
    expect(answer.headers.get('location')).toMatch(/^\/console\/lakeside-stays(-\w{8})?$/);
  });

  it('creates one more organization for a signed-in person, however often the form is sent', async () => {
    const browser = new Browser(service.url);
    await browser.signIn(owner.email, owner.password);
    const page = await browser.get('/sign-up');
    expect(page.path).toBe('/account/organizations/new');
    const send = () => browser.submit(page, page.path, { organizationName: 'Second House' });
    expect((await send()).path).toBe('/console/second-house');
    expect([(await send()).text.includes('already sent')]).toEqual([true]);
    expect(await rows(`select 1 from organizations where name = 'Second House'`)).toHaveLength(1);
    await browser.submit(page, page.path, { organizationName: ' ' });
    expect((await browser.get('/account')).text).toContain('Second House owner');
  });

  it('creates one more organization only after a password confirmation within the last ten minutes', async () => {
    const browser = new Browser(service.url);
    await browser.signIn(owner.email, owner.password);
    const page = await browser.get('/sign-up');
    clock.advance(11 * 60_000);
    const asked = await browser.submit(page, page.path, { organizationName: 'Late House' });
    expect(asked.url.pathname).toBe('/account/confirm-password');
    expect(await rows(`select 1 from organizations where name = 'Late House'`)).toEqual([]);
  });

  it('stores nothing before the address is confirmed, and the letter contains no text of the requester', async () => {
    const email = 'unproven@tests.example';
    await ask(email, 'Win a prize');
    const mail = await mailbox.latest(email, /Create your organization/);
    expect(mail).not.toContain('Win a prize');
    expect(await rows('select 1 from users where email = $1', [email])).toEqual([]);
    const kept = await rows('select hash from mailed_links where email = $1', [email]);
    expect(kept).toEqual([]);
  });

  it('creates one account from one link, even with two clicks', async () => {
    const email = 'twice@tests.example';
    const browser = await ask(email);
    const page = await browser.get(await mailbox.link(email, /Create your organization/));
    const send = () => browser.submit(page, '/sign-up/confirm', { password, organizationName: 'Twice' });
    const statuses = (await Promise.all([send(), send()])).map(({ status }) => status);
    expect(statuses.every((status) => status < 500)).toBe(true);
    const again = await browser.submit(page, '/sign-up/confirm', {
      password: 'another long one',
      organizationName: 'T',
    });
    expect(again.text).toContain('already has an account');
    expect(await rows('select 1 from users where email = $1', [email])).toHaveLength(1);
    expect(await rows(`select 1 from organizations where name = 'Twice'`)).toHaveLength(1);
    expect((await new Browser(service.url).signIn(email, 'another long one')).status).toBe(403);
  });

  it('gets the same response for an address that has an account', async () => {
    const text = (reply: { text: string }, email: string) => reply.text.replaceAll(email, '');
    const [known, unknown] = [owner.email, 'unknown@tests.example'];
    const pages = [known, unknown].map(async (email) => {
      const browser = new Browser(service.url);
      return text(await browser.submit(await browser.get('/sign-up'), '/sign-up', { name: 'M', email }), email);
    });
    const [first, second] = await Promise.all(pages);
    expect(first).toBe(second);
    const page = await new Browser(service.url).get(await mailbox.link(known, /Create your organization/));
    expect(page.text).toContain('already has an account');
  });

  it.each([
    ['a common password', { password: 'Football2026!' }, 'list of common passwords'],
    ['a short password', { password: 'short' }, '10 to 256 characters'],
    ['a missing name', { organizationName: ' ' }, 'Enter a name of 1 to 200 characters'],
  ])('shows what is wrong with %s, and keeps the other fields', async (what, wrong, words) => {
    const email = `${what.replaceAll(' ', '-')}@tests.example`;
    const browser = await ask(email);
    const page = await browser.get(await mailbox.link(email, /Create your organization/));
    const fields = { password, organizationName: 'Kept Name', ...wrong };
    const refused = await browser.submit(page, '/sign-up/confirm', fields);
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining(words) as string });
    expect(refused.html.includes('value="Kept Name"')).toBe(fields.organizationName === 'Kept Name');
    expect(await rows('select 1 from users where email = $1', [email])).toEqual([]);
  });

  it('expires with its link after a day, and rejects links that are not ours', async () => {
    const email = 'slow@tests.example';
    clock.set('2026-03-01T12:00:00Z');
    const browser = await ask(email);
    const link = await mailbox.link(email, /Create your organization/);
    clock.advance(24 * 3_600_000 - 60_000);
    expect((await browser.get(link)).status).toBe(200);
    clock.advance(60_001);
    expect((await browser.get(link)).status).toBe(404);
    expect((await browser.get('/sign-up/confirm?token=AQAAAAAA')).status).toBe(404);
    expect((await browser.get('/sign-up/confirm')).status).toBe(404);
  });

  it('sends an address only a few letters', async () => {
    const statuses: number[] = [];
    for (let count = 0; count < 5; count += 1) {
      const browser = new Browser(service.url);
      const page = await browser.get('/sign-up');
      const { status } = await browser.submit(page, '/sign-up', { name: 'M', email: 'bombed@tests.example' });
      statuses.push(status);
    }
    expect(statuses).toEqual([200, 200, 200, 429, 429]);
  });
});

describe('if SIGN_UP is closed', () => {
  it('nobody signs up, and an invitation creates an account only if that is allowed', async () => {
    for (const signUp of ['invited', 'off']) {
      const closed = await startApp({ SIGN_UP: signUp }, { database: service.database, keyring: service.keyring });
      try {
        const browser = new Browser(closed.url);
        expect((await browser.get('/', { accept: 'text/html' })).html).not.toContain('href="/sign-up"');
        expect(await browser.get('/sign-up')).toMatchObject({
          status: 403,
          text: expect.stringContaining('ask for an invitation') as string,
        });
        const founder = new Browser(closed.url);
        const offered = await founder.signIn(owner.email, owner.password, anotherOrganizationPath);
        expect([offered.path, offered.status]).toEqual([anotherOrganizationPath, 403]);
        const roleId = (await closed.api.get('/roles')).body.data[0].id as string;
        const email = `invited-${signUp}@tests.example`;
        await closed.api.post('/members', { email, roleId });
        // Either of the two processes may send it.
        const boxes = [mailbox, new Mailbox(closed.config.dataDir)];
        const link = await Promise.any(boxes.map((box) => box.link(email, /Invitation/)));
        const page = await browser.get(link);
        const joined = await browser.submit(page, '/accept-invitation', { name: 'N', new_password: password });
        expect([signUp, joined.status]).toEqual([signUp, signUp === 'off' ? 400 : 200]);
      } finally {
        await closed.close();
      }
    }
  });
});
