import { newId, TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import { InvitationsService } from '../../../src/tenancy/members/invitations.service.js';
import { enrol } from '../../support/authenticator.js';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { Member } from '../../../src/tenancy/members/member.entity.js';
import { FoundingService } from '../../../src/tenancy/founding/founding.service.js';
import { Browser, type PageReply } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { feedSettled, until } from '../../support/feed.js';
import { Mailbox } from '../../support/mailbox.js';
import { type Service, startApp } from '../../support/start-app.js';
import { waitingForLocks } from '../../support/locks.js';

let service: Service;
let mailbox: Mailbox;
let org: { orgId: string; roleId: string };
beforeAll(async () => {
  service = await startApp();
  mailbox = new Mailbox(service.config.dataDir);
  const [row] = await service.app
    .get(SystemDatabase)
    .rows(`select org_id, id from roles where built_in = 'coordinator'`);
  const plain = (id: unknown) => String(id).replaceAll('-', '');
  org = { orgId: `org_${plain(row?.org_id)}`, roleId: `role_${plain(row?.id)}` };
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const password = 'correct horse battery staple';

/** Does what inviteMember does: creates the member and the invitation in one transaction of the organization. */
async function invite(email: string, meanwhile?: () => Promise<void>): Promise<void> {
  const now = new Date().toISOString();
  const database = service.app.get(TenantDatabase);
  await database.transaction(org.orgId, async () => {
    const member = Object.assign(new Member(), {
      ...org,
      id: newId('member'),
      kind: 'user' as const,
      name: email,
      email,
      userId: null,
      propertyIds: null,
      invitationSentAt: now,
      status: 'invited' as const,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
    await database.insert(Member, member);
    await service.app.get(InvitationsService).invite(org.orgId, email, {
      organization: 'Lakeside Stays',
      role: 'coordinator',
      inviter: 'Ines',
    });
    await meanwhile?.();
  });
}

describe('an invitation', () => {
  it('creates an account with a first password and activates the member', async () => {
    const email = 'new@tests.example';
    await invite(email);
    const mail = await mailbox.latest(email, /Invitation/);
    expect(mail).toContain('Lakeside Stays');
    const browser = new Browser(service.url);
    const page = await browser.get(await mailbox.link(email, /Invitation/));
    const nameless = await browser.submit(page, '/accept-invitation', { name: ' ', new_password: password });
    expect(nameless.text).toContain('Enter your name.');
    const endless = { name: 'N'.repeat(201), new_password: password };
    const refused = await browser.submit(page, '/accept-invitation', endless);
    expect(refused).toMatchObject({ status: 400, text: expect.stringContaining('at most 200 characters') as string });
    const common = await browser.submit(page, '/accept-invitation', { name: 'Nora', new_password: 'Password2026!' });
    expect(common).toMatchObject({ status: 400, text: expect.stringContaining('list of common passwords') as string });
    const home = await browser.submit(page, '/accept-invitation', { name: 'Nora', new_password: password });
    expect(home.path).toBe('/console/my-organization');
    const account = await browser.get('/account');
    expect(account.text).toContain('Nora');
    expect(account.text).toContain('My Organization coordinator');
    expect((await browser.submit(page, '/accept-invitation', { name: 'Nora', new_password: password })).status).toBe(
      404,
    );
  });

  it('to a person with an account changes only the membership', async () => {
    const email = 'old@tests.example';
    await service.app.get(UsersService).create({ email, name: 'Olga', password });
    await invite(email);
    const browser = new Browser(service.url);
    const page = await browser.get(await mailbox.link(email, /Invitation/));
    expect(page.text).toContain('It was sent to your account');
    await browser.submit(page, '/accept-invitation', { name: 'Mallory', new_password: 'some other password' });
    expect((await browser.signIn(email, 'some other password')).status).toBe(403);
    expect((await browser.signIn(email, password)).text).toContain('My Organization coordinator');
  });

  it('is not mailed if the member was not saved', async () => {
    const fails = () => Promise.reject(new Error('planted'));
    await expect(invite('never@tests.example', fails)).rejects.toThrow('planted');
    await invite('after@tests.example');
    await mailbox.latest('after@tests.example', /Invitation/);
    expect(mailbox.all('never@tests.example')).toEqual([]);
  });

  it('ends when it is withdrawn', async () => {
    const email = 'unwanted@tests.example';
    const { body } = await service.api.post('/members', { email, roleId: org.roleId });
    const browser = new Browser(service.url);
    const link = await mailbox.link(email, /Invitation/);
    const page = await browser.get(link);
    await service.api.delete(`/members/${body.data.id}`);
    expect((await browser.get(link)).status).toBe(404);
    const late = await browser.submit(page, '/accept-invitation', { name: 'Nora', new_password: password });
    expect(late).toMatchObject({ status: 404, text: expect.stringContaining('or withdrawn') as string });
  });

  it('ends after seven days', async () => {
    clock.set('2026-03-01T12:00:00Z');
    await invite('late@tests.example');
    const link = await mailbox.link('late@tests.example', /Invitation/);
    clock.advance(7 * 86_400_000 + 1);
    expect((await new Browser(service.url).get(link)).status).toBe(404);
  });
});

describe('a new email address', () => {
  async function person(email: string): Promise<Browser> {
    await service.app.get(UsersService).create({ email, name: 'Maria', password });
    const browser = new Browser(service.url);
    await browser.signIn(email, password);
    return browser;
  }

  it('takes effect when its mailed link is opened, and the old address is notified', async () => {
    const browser = await person('before@tests.example');
    const page = await browser.get('/account');
    const wrong = await browser.submit(page, '/account/email', { email: 'after2@tests.example', password: 'no' });
    expect(wrong.text).toContain('The password is incorrect.');
    await browser.submit(page, '/account/email', { email: 'after2@tests.example', password });
    const link = await mailbox.link('after2@tests.example', /Confirm/);
    expect((await new Browser(service.url).signIn('after2@tests.example', password)).status).toBe(403);
    const confirm = await browser.get(link);
    expect((await browser.submit(confirm, '/confirm-email')).text).toContain('after2@tests.example');
    expect((await new Browser(service.url).signIn('after2@tests.example', password)).path).toBe('/account');
    expect(await mailbox.latest('before@tests.example', /address was changed/)).toContain('after2@tests.example');
    expect((await browser.get(link)).status).toBe(404);
    expect((await browser.submit(confirm, '/confirm-email')).status).toBe(404);
  });

  it('is not confirmed after its link has expired', async () => {
    const browser = await person('slow@tests.example');
    const page = await browser.get('/account');
    await browser.submit(page, '/account/email', { email: 'later@tests.example', password });
    const confirm = await browser.get(await mailbox.link('later@tests.example', /Confirm/));
    clock.advance(7 * 86_400_000);
    expect((await browser.submit(confirm, '/confirm-email')).status).toBe(404);
  });

  it.each<[string, (browser: Browser) => Promise<unknown>]>([
    ['a second factor was added', (browser) => enrol(browser)],
    [
      'the person signed out everywhere',
      async (browser) => browser.submit(await browser.get('/account/security'), '/account/security/sessions/end-all'),
    ],
  ])('is not confirmed if %s since it was asked for, by somebody who had only the password', async (what, since) => {
    const [email, theirs] = [`owner${what.length}@tests.example`, `thief${what.length}@tests.example`];
    const browser = await person(email);
    const thief = new Browser(service.url);
    await thief.signIn(email, password);
    const confirm = await confirmation(thief, theirs);
    await since(browser);
    expect((await thief.submit(confirm, '/confirm-email')).status).toBe(404);
    expect((await new Browser(service.url).signIn(theirs, password)).status).toBe(403);
  });

  async function member(email: string): Promise<Browser> {
    const browser = await person(email);
    const { id: userId } = (await service.app.get(UsersService).findByEmail(email)) as { id: string };
    await service.app.get(FoundingService).addMember({ ...org, userId, email, name: 'Maria' });
    return browser;
  }

  const confirmation = async (browser: Browser, email: string) => {
    await browser.submit(await browser.get('/account'), '/account/email', { email, password });
    return await browser.get(await mailbox.link(email, /Confirm/));
  };

  it('ends the invitation that it received from an organization of the person', async () => {
    const [before, email] = ['known@tests.example', 'invited-too@tests.example'];
    const browser = await member(before);
    await service.api.post('/members', { email, roleId: org.roleId });
    const confirm = await confirmation(browser, email);
    expect((await browser.submit(confirm, '/confirm-email')).text).toContain(email);
    const members = (await service.api.get('/members?limit=100')).body.data as { email: string; status: string }[];
    expect(members.filter((one) => one.email === email)).toMatchObject([{ status: 'active' }]);
    await feedSettled(service);
    const events = (await service.api.get('/events?types=member.removed')).body.data as { data: { name: string } }[];
    expect(events.filter(({ data }) => data.name === email)).toHaveLength(1);
  });

  it('is rejected while an organization of the person is inviting it', async () => {
    const [before, email] = ['steady@tests.example', 'racing@tests.example'];
    const browser = await member(before);
    const confirm = await confirmation(browser, email);
    const system = service.app.get(SystemDatabase);
    let confirmed: Promise<PageReply> | undefined;
    await invite(email, async () => {
      confirmed = browser.submit(confirm, '/confirm-email');
      await until(
        () => system.rows(waitingForLocks),
        ({ length }) => length > 0,
      );
    });
    const refused = await confirmed;
    expect(refused).toMatchObject({ status: 409, text: expect.stringContaining('Open the link again.') as string });
    expect((await browser.submit(confirm, '/confirm-email')).text).toContain(email);
  });

  it('is compared in the form that mail uses', async () => {
    const browser = await person('exact@tests.example');
    const page = await browser.get('/account');
    for (const email of ['a,b@tests.example', '"a"@tests.example', `${'a'.repeat(250)}@b.example`]) {
      const { status, text } = await browser.submit(page, '/account/email', { email, password });
      expect({ email, status, isTold: text.includes('Enter an email address such as') }).toEqual({
        email,
        status: 400,
        isTold: true,
      });
    }
  });

  it('that has an account gets no mail, and the page does not reveal it', async () => {
    const browser = await person('one@tests.example');
    await person('two@tests.example');
    const page = await browser.get('/account');
    const [taken, free] = [
      await browser.submit(page, '/account/email', { email: 'two@tests.example', password }),
      await browser.submit(page, '/account/email', { email: 'three@tests.example', password }),
    ];
    expect(taken.text).toBe(free.text);
    await mailbox.latest('three@tests.example', /Confirm/);
    expect(mailbox.all('two@tests.example')).toEqual([]);
  });
});

describe('inviteMember', () => {
  it('shows the organization, the role and the inviter, and takes the name of the person', async () => {
    const email = 'named@tests.example';
    const { body } = await service.api.post('/members', { email, roleId: org.roleId });
    const mail = await mailbox.latest(email, /Invitation/);
    for (const words of ['My Organization', 'coordinator', 'First key']) expect(mail).toContain(words);
    const browser = new Browser(service.url);
    const page = await browser.get(await mailbox.link(email, /Invitation/));
    expect(page.text).toContain('Organization My Organization Role coordinator Invited by First key');
    await browser.submit(page, '/accept-invitation', { name: 'Nadia Novak', new_password: password });
    const member = (await service.api.get(`/members/${body.data.id}`)).body.data;
    expect(member).toMatchObject({ name: 'Nadia Novak', status: 'active' });
    expect((await browser.get('/account')).text).toContain('Nadia Novak');
  });

  it('leads a person with an account to the sign-in page, and from there to the organization', async () => {
    const email = 'has-account@tests.example';
    await service.app.get(UsersService).create({ email, name: 'Olga', password });
    await service.api.post('/members', { email, roleId: org.roleId });
    const browser = new Browser(service.url);
    const page = await browser.get(await mailbox.link(email, /Invitation/));
    const signIn = await browser.submit(page, '/accept-invitation');
    expect(signIn.path).toBe('/sign-in?return_to=%2Fconsole%2Fmy-organization');
  });

  it('mails the invitation', async () => {
    const { status } = await service.api.post('/members', { email: 'rest@tests.example', roleId: org.roleId });
    expect(status).toBe(201);
    expect(await mailbox.link('rest@tests.example', /Invitation/)).toContain('/accept-invitation?token=');
  });

  it("quotes the organization's name without links, and never puts it in the subject", async () => {
    const name = 'Reset now:\r\nBcc: all@evil.example \u202ehttps://evil.example/x www.evil.example';
    await service.api.patch('/organization', { name });
    await service.api.post('/members', { email: 'quoted@tests.example', roleId: org.roleId });
    const mail = await mailbox.latest('quoted@tests.example', /./);
    await service.api.patch('/organization', { name: 'Lakeside Stays' });
    expect(mail).toMatch(/^Subject: Invitation to Property Operations\r?$/m);
    const [headers, ...body] = mail.split('\r\n\r\n') as [string, ...string[]];
    expect(headers).not.toMatch(/^Bcc/m);
    const bytes = body.join('\r\n\r\n').replaceAll('=\r\n', '');
    const text = decodeURIComponent(bytes.replaceAll('%', '%25').replaceAll(/=([0-9A-F]{2})/g, '%$1'));
    const quotation = text.split(/\r?\n/).find((line) => line.startsWith('> ')) as string;
    expect(quotation.replaceAll('\u2060', '')).toBe(
      '> Reset now: Bcc: all@evil.example https://evil.example/x www.evil.example',
    );
    expect(quotation).not.toMatch(/:\/|\/\/|\w\.\w|@\w|\u202e/);
    expect(text.replace(quotation, '')).not.toContain('evil');
  });
});
