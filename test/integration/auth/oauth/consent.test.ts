import { jest } from '@jest/globals';
import { SystemDatabase } from '#system-database';
import { InteractionsRepository } from '../../../../src/auth/oauth/interactions.repository.js';
import { Browser, type PageReply } from '../../../../faults/page-client.js';
import { clock } from '../../../support/clock.js';
import { until } from '../../../support/feed.js';
import {
  authorizeUrl,
  type Client,
  decide,
  exchange,
  newProof,
  openConsent,
  type Person,
  registerClient,
  revoke,
  submit,
} from '../../../support/oauth.js';
import { type OAuthWorld, openWorld } from '../../../support/oauth-world.js';

let world: OAuthWorld;
let client: Client;
let person: Person;
beforeAll(async () => {
  world = await openWorld();
  client = await registerClient(world.service);
});
afterAll(() => world.close());
afterEach(() => clock.restore());
beforeEach(async () => {
  person = await world.person();
});

/** A consent page in a browser, and the responses to clicks on it. */
async function opened() {
  const proof = newProof();
  const browser = new Browser(world.service.url);
  const page = await openConsent(browser, person, authorizeUrl(world.service, client, proof));
  const click = async (decision: string) => {
    const body = new URLSearchParams({ form_token: tokenOf(page), decision, organizationId: world.lakeside });
    const { status, headers } = await browser.once(page.url.href, { method: 'POST', body });
    return { status, location: headers.get('location') ?? '' };
  };
  const resume = async (location: string) => {
    const { status, headers } = await browser.once(location);
    const answer = new URL(headers.get('location') ?? 'none:').searchParams;
    return { status, code: answer.get('code') ?? undefined, error: answer.get('error') ?? undefined };
  };
  const isExchanged = async (code = '') => (await exchange(world.service, client, code, proof)).status === 200;
  return { click, resume, isExchanged };
}

const tokenOf = ({ html }: PageReply): string => /name="form_token" value="([^"]+)"/.exec(html)?.[1] ?? '';

const approvals = async (): Promise<number> => {
  const [row] = await world.service.app
    .get(SystemDatabase)
    .rows(`select count(*)::int from oauth_grants g join users u on u.id = g.user_id where u.email = $1`, [
      person.email,
    ]);
  return row?.count as number;
};

/** None continues until all have found what is in progress. */
function findAllAtOnce(times: number) {
  const interactions = world.service.app.get(InteractionsRepository);
  const find = interactions.find.bind(interactions);
  let found = 0;
  return jest.spyOn(interactions, 'find').mockImplementation(async (uid) => {
    const interaction = await find(uid);
    found += 1;
    return await until(
      () => Promise.resolve(interaction),
      () => found >= times,
    );
  });
}

describe('a decision', () => {
  it('issues one code, however many parallel requests deliver it', async () => {
    const { click, resume, isExchanged } = await opened();
    const { location } = await click('authorize');
    const together = findAllAtOnce(8);
    const answers = await Promise.all(Array.from({ length: 8 }, () => resume(location)));
    together.mockRestore();
    const given = answers.filter(({ code }) => code);
    expect(given).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 400)).toHaveLength(7);
    expect(await isExchanged(given[0]?.code)).toBe(true);
  });

  it('counts once: further clicks on Authorize redirect to where the first one did', async () => {
    const { click, resume, isExchanged } = await opened();
    const clicks = await Promise.all(Array.from({ length: 4 }, () => click('authorize')));
    const [{ location } = { location: '' }] = clicks;
    expect(clicks).toEqual(Array.from({ length: 4 }, () => ({ status: 303, location })));
    expect(await approvals()).toBe(1);
    expect(await isExchanged((await resume(location)).code)).toBe(true);
  });

  it('is unaffected by a click while the browser delivers it', async () => {
    const { click, resume, isExchanged } = await opened();
    const { location } = await click('authorize');
    const [answer, ...late] = await Promise.all([resume(location), click('authorize'), click('authorize')]);
    for (const { status } of late) expect([303, 404]).toContain(status);
    expect((await click('authorize')).status).toBe(404);
    expect(await approvals()).toBe(1);
    expect(await isExchanged(answer.code)).toBe(true);
  });

  it.each([
    ['authorize', 'cancel', { code: expect.stringMatching(/^ac_us_/), error: undefined }, 1],
    ['cancel', 'authorize', { code: undefined, error: 'access_denied' }, 0],
  ])('to %s cannot be changed to %s', async (first, second, answer, approved) => {
    const { click, resume } = await opened();
    const { location } = await click(first);
    expect((await click(second)).status).toBe(404);
    expect(await approvals()).toBe(approved);
    expect(await resume(location)).toMatchObject(answer);
  });
});

describe('consent', () => {
  it('CON-2 names the application, where its response goes, what it asks for, and the signed-in person', async () => {
    const browser = new Browser(world.service.url);
    const named = await registerClient(world.service, {
      client_name: '<b>Claude</b>',
      redirect_uris: ['https://assistant.example/cb'],
    });
    const { html, headers } = await openConsent(
      browser,
      person,
      authorizeUrl(world.service, named, newProof(), {
        scopes: ['tasks:read', 'tasks:write', 'members:manage', 'offline_access'],
      }),
    );
    expect(html).toContain('&lt;b>Claude&lt;/b>');
    expect(html).toContain('unverified');
    expect(html).toContain('<strong>assistant.example</strong>');
    for (const words of ['It could see', 'Tasks, their checklists and comments', 'It could change', 'Sensitive']) {
      expect(html).toContain(words);
    }
    expect(html).toContain(person.email);
    expect(html).toContain('until you revoke it');
    expect(html).not.toContain('tasks:read');
    expect(html).not.toContain('<script');
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("form-action 'self' https://assistant.example");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(headers.get('referrer-policy')).toBe('same-origin');
  });

  it("CON-3 offers the person's organizations, each with what is special there", async () => {
    await world.join(person, world.alpine, 'cleaner');
    const several = await openConsent(
      new Browser(world.service.url),
      person,
      authorizeUrl(world.service, client, newProof(), { scopes: ['tasks:read', 'members:read'] }),
    );
    const offered = [...several.html.matchAll(/<input type="radio"[^>]*value="([^"]+)"([^>]*)>/g)];
    expect(offered.map(([, id]) => id).sort()).toEqual([world.alpine, world.lakeside].sort());
    expect(offered.some(([input]) => input.includes('checked'))).toBe(false);
    expect(several.html).toMatch(
      /Alpine Lofts[\s\S]*You do not have these permissions here[^<]*Members and their roles/,
    );
    const colleague = await world.person('viewer', world.alpine);
    const single = await openConsent(
      new Browser(world.service.url),
      colleague,
      authorizeUrl(world.service, client, newProof()),
    );
    expect(single.html).toMatch(new RegExp(`<input type="radio"[^>]*value="${world.alpine}"[^>]*checked`));
  });

  it('CON-4 returns to the application without a code when it is cancelled', async () => {
    const browser = new Browser(world.service.url);
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    const { url } = await decide(browser, page, 'cancel');
    expect(url.origin).toBe('http://localhost:33418');
    expect(Object.fromEntries(url.searchParams)).toMatchObject({
      error: 'access_denied',
      state: 'the-state',
      iss: world.service.url,
    });
    expect(url.searchParams.has('code')).toBe(false);
  });

  it("requires a choice, which must be one of the person's organizations", async () => {
    await world.join(person, world.alpine);
    const { id: foreign } = await world.ops('org create --name Foreign');
    const browser = new Browser(world.service.url);
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    const none = await decide(browser, page, 'authorize');
    expect(none.status).toBe(400);
    expect(none.html).toContain('Choose an organization');
    const other = await decide(browser, page, 'authorize', foreign as string);
    expect(other.status).toBe(403);
    expect(other.url.origin).toBe(world.service.url);
  });

  it('cannot be given from another site, by another browser, or without its form', async () => {
    const browser = new Browser(world.service.url);
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    const fields = { decision: 'authorize', organizationId: world.lakeside };
    const foreignSites: Record<string, string>[] = [
      { origin: 'https://evil.example' },
      { 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of foreignSites) {
      expect((await submit(browser, page, fields, headers)).status).toBe(403);
    }
    expect((await submit(browser, page, { ...fields, form_token: 'forged' })).status).toBe(403);
    const elsewhere = new Browser(world.service.url);
    await elsewhere.signIn(person.email, person.password);
    expect((await elsewhere.get(page.url.pathname)).status).toBe(404);
    expect((await submit(elsewhere, page, fields)).status).toBe(404);
    expect((await decide(browser, page, 'authorize', world.lakeside)).url.searchParams.has('code')).toBe(true);
  });

  it('for one request cannot be given at the URL of another', async () => {
    const [browser, other] = [new Browser(world.service.url), new Browser(world.service.url)];
    await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    const page = await openConsent(other, person, authorizeUrl(world.service, client, newProof()));
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    expect((await other.once(page.url.href, { headers: { cookie } })).status).toBe(404);
    expect((await other.once(page.url.href)).status).toBe(200);
  });

  it('cannot be continued elsewhere or twice', async () => {
    const browser = new Browser(world.service.url);
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    const answer = await browser.once(page.url.href, {
      method: 'POST',
      body: new URLSearchParams({
        form_token: tokenOf(page),
        decision: 'authorize',
        organizationId: world.lakeside,
      }),
    });
    const resume = answer.headers.get('location') ?? '';
    expect(new URL(resume).pathname).toMatch(/^\/oauth\/authorize\//);
    expect((await new Browser(world.service.url).get(resume)).status).toBe(400);
    const done = await browser.get(resume);
    expect(done.url.searchParams.has('code')).toBe(true);
    expect((await browser.get(resume)).status).toBe(400);
    expect((await browser.get(page.url.href)).status).toBe(404);
  });

  it('waits half an hour', async () => {
    clock.set('2026-11-21T10:00:00Z');
    const browser = new Browser(world.service.url);
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    clock.advance(1_801_000);
    expect((await decide(browser, page, 'authorize', world.lakeside)).status).toBe(404);
  });

  it('is not offered for an organization that does not admit the application', async () => {
    const { body } = await world.service.api.get('/organization');
    const strict = (await world.ops('org create --name Strict')).id;
    await world.join(person, strict as string, 'owner');
    const { key } = await world.ops(`api-key create --org ${strict} --name k --scopes *`);
    const forbid = await world.service.api.as(key).patch('/organization', { selfRegisteredApplications: 'forbidden' });
    expect(forbid.status).toBe(200);
    expect(body.data.selfRegisteredApplications).toBe('allowed');
    const browser = new Browser(world.service.url);
    const page = await openConsent(browser, person, authorizeUrl(world.service, client, newProof()));
    expect(page.html).toMatch(new RegExp(`value="${strict}"[^>]*disabled`));
    expect((await decide(browser, page, 'authorize', strict)).status).toBe(403);
    await world.service.api.as(key).patch('/organization', { allowedClientIds: [client.client_id] });
    expect((await decide(browser, page, 'authorize', strict)).url.searchParams.has('code')).toBe(true);
  });
});

it('starts with what the last approval asks for first, also once it has ended', async () => {
  const preselected = async (): Promise<string | undefined> => {
    const { html } = await openConsent(
      new Browser(world.service.url),
      person,
      authorizeUrl(world.service, client, newProof()),
    );
    return /name="askBefore" type="radio" value="(\w+)" checked/.exec(html)?.[1];
  };
  expect(await preselected()).toBe('nothing');
  const strict = await world.tokensOf(person, { client, askBefore: 'write' });
  expect(await preselected()).toBe('write');
  expect((await revoke(world.service, client, strict.access_token)).status).toBe(200);
  expect(await preselected()).toBe('write');
  await world.tokensOf(person, { client, askBefore: 'destructive' });
  expect(await preselected()).toBe('destructive');
});
