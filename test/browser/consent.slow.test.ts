import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { generateSync } from 'otplib';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityIssues } from '../support/accessibility.js';
import { hasBrowser, launchBrowser } from '../support/chromium.js';
import {
  authorizeUrl,
  type Client,
  exchange,
  newProof,
  type Person,
  refresh,
  registerClient,
} from '../support/oauth.js';
import { type OAuthWorld, openWorld } from '../support/oauth-world.js';

(hasBrowser ? describe : describe.skip)('consent in a browser', () => {
  let world: OAuthWorld;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let application: Server;
  let client: Client;
  const problems: string[] = [];

  beforeAll(async () => {
    world = await openWorld();
    browser = await launchBrowser();
    application = createServer((_, response) => response.end('<title>Back</title>Back at the application')).listen(0);
    const { port } = application.address() as AddressInfo;
    client = await registerClient(world.service, {
      client_name: 'Concierge Assistant',
      redirect_uris: [`http://127.0.0.1:${port}/callback`],
    });
  });
  beforeEach(async () => {
    problems.length = 0;
    context = await browser.newContext({ baseURL: world.service.url, javaScriptEnabled: false });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  });
  afterEach(() => context.close());
  afterAll(async () => {
    await browser.close();
    await new Promise((resolve) => application.close(resolve));
    await world.close();
  });

  async function signIn({ email, password }: Person): Promise<void> {
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  const answer = async (): Promise<URLSearchParams> => {
    await page.waitForURL(/\/callback\?/);
    return new URL(page.url()).searchParams;
  };

  it('leads from the request to the application and its tokens, without a script', async () => {
    const [person, proof] = [await world.person(), newProof()];
    await page.goto(authorizeUrl(world.service, client, proof));
    await signIn(person);
    await page.getByRole('heading', { name: 'Concierge Assistant requests access to your organization' }).waitFor();
    expect(await page.getByRole('radio', { name: /Lakeside Stays/ }).isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Authorize' }).click();
    const code = (await answer()).get('code') ?? '';
    expect((await exchange(world.service, client, code, proof)).status).toBe(200);
    expect(problems).toEqual([]);
  });

  it('by a thief with the password ends with the password, and the page names what ended', async () => {
    const [victim, proof] = [await world.person(), newProof()];
    const scopes = ['tasks:read', 'api-keys:manage', 'offline_access'];
    await page.goto(authorizeUrl(world.service, client, proof, { scopes }));
    await signIn(victim);
    await page.getByRole('button', { name: 'Authorize' }).click();
    const { body: stolen } = await exchange(world.service, client, (await answer()).get('code') ?? '', proof);
    const backup = { name: 'Backup', scopes: ['tasks:read'] };
    const { key } = (await world.rest(stolen.access_token).post('/api-keys', backup)).body.data;
    const statusOf = async (credential: string) => (await world.rest(credential).get('/tasks')).status;
    const statuses = () => Promise.all([statusOf(stolen.access_token), statusOf(key as string)]);
    expect(await statuses()).toEqual([200, 200]);

    await context.close();
    context = await browser.newContext({ baseURL: world.service.url, javaScriptEnabled: false });
    page = await context.newPage();
    await page.goto('/account/security');
    await signIn(victim);
    await page.getByLabel('Current password').fill(victim.password);
    await page.getByLabel('New password').fill('an even better passphrase');
    await page.getByRole('button', { name: 'Change password' }).click();
    await page.getByText('1 connected application, 1 API key.').waitFor();
    for (const ended of ['Concierge Assistant in Lakeside Stays', 'Backup in Lakeside Stays'])
      expect(await page.getByRole('listitem').getByText(ended).isVisible()).toBe(true);
    expect(await statuses()).toEqual([401, 401]);
    expect((await refresh(world.service, client, stolen.refresh_token ?? '')).status).toBe(400);

    await page.getByRole('link', { name: 'Add an authenticator app' }).click();
    const secret = (await page.locator('#secret').textContent()) as string;
    await page.getByLabel('Code').fill(generateSync({ secret }));
    await page.getByRole('button', { name: 'Continue' }).click();
    await page.getByRole('link', { name: 'I have saved them' }).click();
    await page.goto('/account/applications');
    expect(await page.getByText('No connected applications.').isVisible()).toBe(true);
    expect(await statuses()).toEqual([401, 401]);
  });

  it('is decided with only the keyboard', async () => {
    const person = await world.person();
    await world.join(person, world.alpine);
    await page.goto(authorizeUrl(world.service, client, newProof()));
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(person.password);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Authorize' }).waitFor();
    await page.keyboard.press('Tab');
    await page.keyboard.press('Space');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: /Lakeside Stays/ }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    await page.keyboard.press('ArrowDown');
    expect(await page.getByRole('radio', { name: 'destructive actions' }).isChecked()).toBe(true);
    await page.keyboard.press('Tab');
    expect(await page.getByRole('button', { name: 'Cancel' }).evaluate((it) => it === document.activeElement)).toBe(
      true,
    );
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect((await answer()).has('code')).toBe(true);
  });

  it('returns without a code on Cancel, whether or not an organization is selected', async () => {
    const person = await world.person();
    await world.join(person, world.alpine);
    await page.goto(authorizeUrl(world.service, client, newProof()));
    await signIn(person);
    await page.getByRole('button', { name: 'Cancel' }).click();
    const shown = await answer();
    expect([shown.get('error'), shown.has('code')]).toEqual(['access_denied', false]);
  });

  it('gives both buttons the same size', async () => {
    await page.goto(authorizeUrl(world.service, client, newProof()));
    await signIn(await world.person());
    const sizeOf = async (name: string) => {
      const { width, height } = (await page.getByRole('button', { name }).boundingBox()) ?? { width: 0, height: 0 };
      return [Math.round(width), Math.round(height)];
    };
    expect(await sizeOf('Cancel')).toEqual(await sizeOf('Authorize'));
  });

  it('includes the enrollment of a second factor, if an organization requires one', async () => {
    const strict = (await world.ops('org create --name Strict')).id as string;
    await world.ops(`org update --org ${strict} --require-two-factor true`);
    await page.goto(authorizeUrl(world.service, client, newProof()));
    await signIn(await world.person('manager', strict));
    await page.getByRole('link', { name: 'add one' }).click();
    expect(new URL(page.url()).pathname).toBe('/account/security');
    expect(new URL(page.url()).searchParams.get('return_to')).toMatch(/^\/consent\//);
  });

  it('offers to add a second factor and leads back, accessibly, with what was approved before', async () => {
    const careful = (await world.ops('org create --name Careful')).id as string;
    await world.ops(`org update --org ${careful} --require-two-factor true`);
    await context.close();
    context = await browser.newContext({ baseURL: world.service.url });
    page = await context.newPage();
    const person = await world.person('manager', careful);
    await page.goto(authorizeUrl(world.service, client, newProof()));
    await signIn(person);
    await page.getByRole('button', { name: 'Authorize' }).click();
    await answer();

    await page.goto(authorizeUrl(world.service, client, newProof()));
    await page.getByText('Careful requires a second factor').waitFor();
    const consent = page.url();
    expect(await accessibilityIssues(page, 'consent-offer')).toEqual([]);
    await page.getByRole('link', { name: 'add one' }).press('Enter');
    await page.getByRole('heading', { name: 'Second factor' }).waitFor();
    expect(await accessibilityIssues(page, 'security-way-back')).toEqual([]);
    await page.getByRole('link', { name: 'go back without adding one' }).press('Enter');
    await page.waitForURL(consent);
    await page.getByRole('link', { name: 'add one' }).click();
    await page.getByRole('link', { name: 'Add a passkey' }).click();
    await page.getByRole('link', { name: 'Back to security' }).click();
    await page.getByRole('link', { name: 'Add an authenticator app' }).click();
    const secret = (await page.locator('#secret').textContent()) as string;
    await page.getByLabel('Code').fill(generateSync({ secret }));
    await page.keyboard.press('Enter');
    const before = page.getByRole('listitem').filter({ hasText: 'Concierge Assistant' });
    await before.getByText('You signed in with password, last confirmed').waitFor();
    expect(await accessibilityIssues(page, 'approved-before')).toEqual([]);
    await page.getByRole('link', { name: 'I have saved them' }).press('Enter');
    await page.waitForURL(consent);
    expect(await page.getByText('requires a second factor').count()).toBe(0);
    await page.getByRole('radio', { name: /Careful/ }).check();
    await page.getByRole('button', { name: 'Authorize' }).click();
    expect((await answer()).has('code')).toBe(true);
  });

  it('and the list of connected applications are accessible', async () => {
    await context.close();
    context = await browser.newContext({ baseURL: world.service.url });
    page = await context.newPage();
    const person = await world.person();
    await world.join(person, world.alpine, 'cleaner');
    await page.goto(authorizeUrl(world.service, client, newProof()));
    await signIn(person);
    expect(await accessibilityIssues(page, 'consent')).toEqual([]);
    await page.getByRole('radio', { name: /Lakeside/ }).check();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await answer();
    await page.goto('/account/applications');
    expect(await accessibilityIssues(page, 'applications')).toEqual([]);
  });
});
