import { SystemDatabase } from '#system-database';
import { UsersService } from '../../../src/tenancy/people/users.service.js';
import { Browser } from '../../../faults/page-client.js';
import { clock } from '../../support/clock.js';
import { addProperty } from '../../support/people.js';
import { owner, type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterEach(() => clock.restore());
afterAll(() => service.close());

const keyIn = (html: string) => /<code id="key">(\w+)</.exec(html)?.[1] as string;

async function ownersPage() {
  const browser = new Browser(service.url);
  return { browser, page: await browser.signIn(owner.email, owner.password, '/account/api-keys') };
}

describe('/account/api-keys', () => {
  it('creates a key that works, shows it once, rotates it and revokes it', async () => {
    const { browser, page } = await ownersPage();
    expect(page.text).toContain('Create, assign and complete tasks');
    expect(page.text).not.toContain('Move the clock');
    const made = await browser.submit(page, '/account/api-keys/create', {
      name: 'Kitchen display',
      'scope:tasks:read': 'on',
      days: '30',
      rate_per_minute: '1500',
    });
    const key = keyIn(made.html);
    const me = await service.api.as(key).get('/me');
    expect(me.body.data).toMatchObject({ scopes: ['tasks:read'], rateLimit: { perMinute: 1_500 } });
    const listed = await browser.get('/account/api-keys');
    expect(listed.html).not.toContain(key);
    expect(listed.text).toContain('Kitchen display');

    const rotated = await browser.submit(listed, '/account/api-keys/rotate');
    const successor = keyIn(rotated.html);
    expect([
      (await service.api.as(key).get('/me')).status,
      (await service.api.as(successor).get('/me')).status,
    ]).toEqual([200, 200]);
    const after = await browser.get('/account/api-keys');
    const rotatable = (html: string) => html.split('/account/api-keys/rotate').length;
    expect(rotatable(after.html)).toBe(rotatable(listed.html));
    const revoked = await browser.submit(after, '/account/api-keys/revoke');
    expect(revoked.text).toContain('The key was revoked and');
    expect((await service.api.as(successor).get('/me')).status).toBe(401);
  });

  it('limits a key to addresses and to the maximum lifetime that the organization allows', async () => {
    await service.api.patch('/organization', { maxKeyDays: 60 });
    const { browser, page } = await ownersPage();
    expect(page.text).toContain('for 60 days, the longest allowed here');
    expect(page.text).not.toContain('for 90 days');
    expect(page.text).not.toContain('until it is revoked');
    const fields = { name: 'At the desk', 'scope:tasks:read': 'on', days: '', rate_per_minute: '1000' };
    const refused = await browser.submit(page, '/account/api-keys/create', { ...fields, allowed_addresses: 'desk' });
    expect(refused.text).toContain('Pass an IP address or a CIDR range');
    const made = await browser.submit(refused, '/account/api-keys/create', {
      ...fields,
      allowed_addresses: '203.0.113.7, 10.0.0.0/8',
    });
    expect(keyIn(made.html)).toMatch(/^sk_live_us_/);
    expect(made.text).toContain('works from 203.0.113.7, 10.0.0.0/8');
    expect(made.text).toContain('Created by Owner');
    expect(made.text).toContain('Created by an operator');
    const [shown] = (await service.api.get('/api-keys?limit=1')).body.data;
    expect(Date.parse(shown.expiresAt as string) - Date.parse(shown.createdAt as string)).toBeCloseTo(
      60 * 86_400_000,
      -4,
    );
    await service.api.patch('/organization', { maxKeyDays: null });
  });

  it('shows the working keys first, and all others behind a link', async () => {
    await service.api.post('/api-keys', { name: 'Old and at work', scopes: ['tasks:read'] });
    await service.app.get(SystemDatabase).rows(
      `insert into api_keys (org_id, id, name, member_id, hash, prefix, scopes, rate_per_minute, revoked_at, version,
                             created_at, updated_at)
       select org_id, ('ffffffff-ffff-7fff-8fff-' || lpad(n::text, 12, '0'))::uuid, 'Ended ' || n, member_id,
              sha256(n::text::bytea), prefix, scopes, 1000, now() - n * interval '1 minute', 1, now(), now()
         from api_keys cross join generate_series(1, 101) n where name = 'Old and at work'`,
    );
    const { browser, page } = await ownersPage();
    expect(page.text).toContain('Old and at work');
    expect(page.text).not.toContain('Ended 101 ');
    const next = /href="([^"]+)">More keys/.exec(page.html)?.[1] as string;
    expect((await browser.get(next.replaceAll('&amp;', '&'))).text).toContain('Ended 101 ');
  });

  it('creates no key when the quota is used up, and shows why', async () => {
    const setQuotas = (quotas: object) =>
      service.app.get(SystemDatabase).rows('update organizations set quota_limits = $1', [quotas]);
    await setQuotas({ apiKeys: 0 });
    const { browser, page } = await ownersPage();
    const fields = { name: 'One too many', 'scope:tasks:read': 'on', days: '30' };
    const refused = await browser.submit(page, '/account/api-keys/create', fields);
    await setQuotas({});
    expect(refused.text).toContain('quota apiKeys is used up');
    expect((await browser.get('/account/api-keys')).text).not.toContain('One too many');
  });

  it('offers every property as a limit of a key', async () => {
    await addProperty(service, 'House');
    await service.app.get(SystemDatabase).rows(
      `insert into properties
       select (jsonb_populate_record(p, jsonb_build_object('id', gen_random_uuid(), 'name', 'House ' || n || '.',
                                                           'feed_hash', '\\x' || md5(n::text)))).*
         from properties p, generate_series(1, 101) n where name = 'House'`,
    );
    const { page } = await ownersPage();
    for (const n of [1, 50, 101]) expect(page.text).toContain(`House ${n}.`);
  });

  it('shows which fields of the form are invalid', async () => {
    const { browser, page } = await ownersPage();
    const refused = await browser.submit(page, '/account/api-keys/create', { name: ' ', rate_per_minute: '5' });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain('Enter a name of at most 200 characters.');
    expect(refused.text).toContain('Choose at least one permission.');
    expect(refused.text).toContain('Enter 1000 to 60000 requests per minute.');
  });

  it('keeps the input of a form that is rejected', async () => {
    const { browser, page } = await ownersPage();
    const typed = { name: 'Kiosk', 'scope:tasks:read': 'on', days: '90', rate_per_minute: '5' };
    const { html } = await browser.submit(page, '/account/api-keys/create', typed);
    for (const kept of ['value="Kiosk"', 'value="5"', 'name="scope:tasks:read" checked', 'value="90" selected'])
      expect(html).toContain(kept);
    expect(html).not.toContain('name="scope:tasks:write" checked');
  });

  it('is forbidden to roles without the permission, whatever they post', async () => {
    const { browser, page } = await ownersPage();
    const org = /name="org" value="(org_\w+)"/.exec(page.html)?.[1] as string;
    expect(browser.cookies.has('session')).toBe(true);
    await service.app
      .get(UsersService)
      .create({ email: 'eve@tests.example', name: 'Eve', password: 'a long password' });
    const eve = new Browser(service.url);
    const closed = await eve.signIn('eve@tests.example', 'a long password', '/account/api-keys');
    expect(closed.text).toContain('None of your roles lets you manage API keys.');
    const token = /form_token" value="([^"]+)"/.exec(closed.html)?.[1] as string;
    const fields = { form_token: token, org, name: 'Mine', 'scope:tasks:read': 'on' };
    expect((await eve.post('/account/api-keys/create', fields)).status).toBe(403);
  });

  it('requires a password confirmation within the last ten minutes for every change of a key', async () => {
    const { browser, page } = await ownersPage();
    clock.advance(590_000);
    expect((await browser.get('/account/api-keys')).html).toContain('action="/account/api-keys/create"');
    clock.advance(10_000);
    const filledIn = '/account/api-keys?org=org_0&name=Late&scope%3Atasks%3Aread=on';
    for (const [verb, next] of [
      ['create', filledIn],
      ['rotate', '/resume'],
      ['revoke', '/resume'],
    ]) {
      const { text, url } = await browser.submit(page, `/account/api-keys/${verb}`, {
        name: 'Late',
        'scope:tasks:read': 'on',
      });
      const returnTo = url.searchParams.get('return_to')?.replace(/org_\w+/, 'org_0');
      expect([text, url.pathname, returnTo]).toEqual([
        expect.stringContaining('Confirm that it is you'),
        '/account/confirm-password',
        next,
      ]);
    }
    const stale = await browser.get('/account/api-keys');
    expect(stale.html).not.toContain('action="/account/api-keys/create"');
    const [link = ''] = /\/account\/confirm-password[^"]+/.exec(stale.html) ?? [];
    const asked = await browser.get(link);
    const back = await browser.submit(asked, '/account/confirm-password', { password: owner.password });
    expect(back.html).toContain('action="/account/api-keys/create"');
    expect(back.text).not.toContain('Late');
  });

  it('keeps the input of a form while the password is confirmed', async () => {
    const { browser, page } = await ownersPage();
    clock.advance(11 * 60_000);
    const typed = { name: 'Late & typed', 'scope:tasks:read': 'on', days: '90', allowed_addresses: '10.0.0.0/8' };
    const create = (fields: Record<string, string>) => browser.submit(page, '/account/api-keys/create', fields);
    const asked = await create(typed);
    expect(asked.url.href).not.toMatch(/form_token|key_id/);
    const password = { password: owner.password };
    const { html } = await browser.submit(asked, '/account/confirm-password', password);
    for (const kept of [
      'value="Late &amp; typed"',
      'name="scope:tasks:read" checked',
      'value="90" selected',
      '10.0.0.0/8',
    ])
      expect(html).toContain(kept);
    expect(html).not.toContain('name="scope:tasks:write" checked');
    expect(html).not.toContain('<strong>Late');
  });

  it.each([
    ['rotate', 200, 'Copy it now.'],
    ['revoke', 401, 'The key was revoked'],
  ])('asks whether to %s a key after the password is confirmed', async (verb, status, said) => {
    const { id, key } = (await service.api.post('/api-keys', { name: 'Kept', scopes: ['tasks:read'] })).body.data;
    const { browser, page } = await ownersPage();
    clock.advance(11 * 60_000);
    const action = `/account/api-keys/${verb}`;
    const asked = await browser.submit(page, action, { key_id: id as string });
    const kept = await browser.submit(asked, '/account/confirm-password', { password: owner.password });
    expect(kept.text).toContain(`nothing was changed yet. Form Api keys: ${verb}`);
    expect((await browser.submit(kept, action)).text).toContain(said);
    expect((await service.api.as(key as string).get('/tasks')).status).toBe(status);
  });

  it('shows an empty form if the input is too long for a URL', async () => {
    const { browser, page } = await ownersPage();
    clock.advance(11 * 60_000);
    const { url } = await browser.submit(page, '/account/api-keys/create', { name: 'x'.repeat(9_000) });
    expect(url.searchParams.get('return_to')).toBe('/account/api-keys');
  });

  it('requires the second factor if the organization does', async () => {
    await service.app.get(SystemDatabase).rows('update organizations set require_two_factor = true');
    const { page } = await ownersPage();
    expect(page.text).toContain('This organization requires a second factor');
    expect(page.html).not.toContain('/account/api-keys/create');
    await service.app.get(SystemDatabase).rows('update organizations set require_two_factor = false');
  });
});
