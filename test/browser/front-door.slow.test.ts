import type { Browser, BrowserContext, Page } from 'playwright-core';
import { accessibilityIssues } from '../support/accessibility.js';
import { hasBrowser, launchBrowser } from '../support/chromium.js';
import { clock } from '../support/clock.js';
import { Mailbox } from '../support/mailbox.js';
import { authorizeUrl, newProof, registerClient } from '../support/oauth.js';
import { roleNamed } from '../support/people.js';
import { type Service, startApp } from '../support/start-app.js';

const password = 'correct horse battery staple';

(hasBrowser ? describe : describe.skip)('the front door in a browser', () => {
  let service: Service;
  let mailbox: Mailbox;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];

  beforeAll(async () => {
    service = await startApp({ SIGN_UP: 'open' });
    mailbox = new Mailbox(service.config.dataDir);
    browser = await launchBrowser();
  });
  beforeEach(async () => {
    problems.length = 0;
    context = await browser.newContext({ baseURL: service.url });
    page = await context.newPage();
    page.on('pageerror', (error) => problems.push(error.message));
  });
  afterEach(async () => {
    clock.restore();
    await context.close();
    expect(problems).toEqual([]);
  });
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  const issues = (name: string) => accessibilityIssues(page, name);
  const path = () => new URL(page.url()).pathname;

  it('accepts an invitation, and keeps the input of a form that was sent too late', async () => {
    const found: string[] = [];
    const email = 'nora@tests.example';
    await service.api.post('/members', { email, roleId: await roleNamed(service, 'coordinator') });
    await page.goto(await mailbox.link(email, /Invitation/));
    await page.getByRole('heading', { name: 'Join My Organization' }).waitFor();
    found.push(...(await issues('invitation')));
    await page.getByLabel('Your name').fill('Nora');
    await page.getByLabel('New password').fill(password);
    await page.getByRole('button', { name: 'Create account and join' }).click();
    await page.waitForURL('/console/my-organization');
    await page.goto('/account');
    await page.getByLabel('Name', { exact: true }).fill('Nora Novak');
    clock.advance(13 * 3_600_000);
    await page.getByRole('button', { name: 'Change name' }).click();
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Continue where you were' }).waitFor();
    await page.getByText('Nora Novak').waitFor();
    found.push(...(await issues('resume')));
    await page.getByRole('button', { name: 'Send it now' }).click();
    await page.getByText('Your name was changed.').waitFor();
    expect(path()).toBe('/account');
    expect(found).toEqual([]);
  }, 120_000);

  it('shows the application that the person signs in for', async () => {
    const client = await registerClient(service);
    await page.goto(authorizeUrl(service, client, newProof()));
    await page.getByText('requests access to your organization').waitFor();
    expect(await issues('sign-in-for')).toEqual([]);
  }, 60_000);
});
