import type { Browser, BrowserContext, Page } from 'playwright-core';
import { operatorFor } from '../../src/platform/callers/operator.js';
import { DemoAutomation } from '../../src/processes/demo/demo-automation.service.js';
import { DemoExamples } from '../../src/processes/demo/demo-examples.service.js';
import { DemoService } from '../../src/processes/demo/demo.service.js';
import { consolePages } from '../../src/console/pages.js';
import { TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import { accessibilityIssues } from '../support/accessibility.js';
import type { Json } from '../support/api.js';
import { clock } from '../support/clock.js';
import { hasBrowser, launchBrowser } from '../support/chromium.js';
import { Browser as PlainBrowser } from '../../faults/page-client.js';
import { Clicker, randomFrom } from '../support/clicks.js';
import { until } from '../support/feed.js';
import { addPerson } from '../support/people.js';
import { isLong, sampled } from '../support/sampled.js';
import { owner, type Service, startApp } from '../support/start-app.js';

(hasBrowser ? describe : describe.skip)('the console in a browser', () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  let base: string;
  const problems: string[] = [];

  beforeAll(async () => {
    service = await startApp();
    const me = (await service.api.get('/me')).body.data as Json;
    const caller = operatorFor(me.organization.id as string, me.member.id as string);
    const inOrganization = (work: () => Promise<unknown>) =>
      service.app.get(TenantDatabase).transaction(caller.orgId, work);
    await inOrganization(async () => {
      await service.app.get(DemoAutomation).addReceiver(caller);
      await service.app.get(DemoService).fill(caller);
    });
    await inOrganization(() => service.app.get(DemoAutomation).addWorkflow(caller));
    await service.app.get(DemoExamples).add(caller);
    base = `/console/${(await service.api.get('/organization')).body.data.slug as string}`;
    browser = await launchBrowser();
    context = await browser.newContext({ baseURL: service.url });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`/sign-in?return_to=${base}`);
    await page.getByLabel('Email address').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Home', level: 1 }).waitFor();
  });
  afterAll(async () => {
    clock.restore();
    await browser.close();
    await service.close();
  });

  /** The id of the first record of a list of the API. */
  const first = async (path: string): Promise<string> =>
    (
      await until(
        () => service.api.get(`${path}${path.includes('?') ? '&' : '?'}limit=1`),
        ({ body }) => (body.data as Json[]).length > 0,
      )
    ).body.data[0].id as string;

  const ids: Record<string, () => Promise<string>> = {
    requestId: () => first('/requests'),
    endpointId: () => first('/webhook-endpoints'),
    deliveryId: () => first('/webhook-deliveries'),
    deviceId: () => first('/devices'),
    jobId: () => first('/model-jobs'),
    runId: () => first('/workflow-runs'),
    connectionId: () => first('/connections'),
    propertyId: () => first('/properties'),
    reservationId: () => first('/reservations'),
  };

  it("shows every page, accessibly, and without messages in the browser's console", async () => {
    const complaints: string[] = [];
    const examined = sampled(consolePages, 2).map(({ path }) => path);
    for (const { path, title } of consolePages) {
      let address = path;
      for (const [, name] of path.matchAll(/:(\w+)/g))
        address = address.replace(`:${name}`, await ids[name as string]!());
      const answer = await page.goto(`${base}${address && `/${address}`}`);
      if (answer?.status() !== 200) complaints.push(`${path}: ${answer?.status()}`);
      await page.getByRole('heading', { name: title, level: 1 }).waitFor();
      const name = `console-${path.replaceAll(/\W+/g, '-') || 'home'}`;
      if (examined.includes(path)) complaints.push(...(await accessibilityIssues(page, name)));
      if (isLong) complaints.push(...(await tooWide(page, path)));
    }
    expect([complaints, problems]).toEqual([[], []]);
  }, 240_000);

  it('works without a script', async () => {
    const plain = await browser.newContext({ baseURL: service.url, javaScriptEnabled: false });
    await plain.addCookies(await context.cookies());
    const bare = await plain.newPage();
    await bare.goto(`${base}/messages/suppressions`);
    await bare.locator('summary', { hasText: 'Add an address' }).click();
    await bare.getByLabel('Email address').first().fill('nobody@tests.example');
    await bare.getByLabel('Covers').selectOption('all');
    await bare.getByRole('button', { name: 'Add', exact: true }).click();
    await bare.getByText('The address was suppressed').waitFor();
    await plain.close();
  });

  it('can be used by keyboard and in small windows through its menu', async () => {
    await page.setViewportSize({ width: 320, height: 700 });
    await page.goto(base);
    await page.getByRole('link', { name: 'Menu' }).click();
    await page.getByRole('link', { name: 'API keys' }).click();
    await page.getByRole('heading', { name: 'API keys', level: 1 }).waitFor();
    await page.setViewportSize({ width: 1280, height: 700 });
    await page.keyboard.press('Tab');
    await page.keyboard.press('Enter');
    expect(await page.evaluate(() => document.activeElement?.id)).toBe('main');
  });

  it('follows live changes', async () => {
    await page.goto(`${base}/commands`);
    const lock = await first('/devices?type=lock');
    const before = await page.locator('tbody tr').count();
    await service.api.post(`/devices/${lock}/lock`, {}, { 'idempotency-key': 'live' });
    await page.waitForFunction((count) => document.querySelectorAll('tbody tr').length > count, before);
  });

  // Last, because it changes whatever it clicks on.
  it('does nothing twice and never fails, whatever two people click and send again', async () => {
    const manager = await addPerson(service, { role: 'manager' });
    const pick = randomFrom(Number(process.env.CLICKS_SEED ?? 7));
    const clickers = await Promise.all(
      [owner, { email: manager.email as string, password: 'some long words' }].map(async ({ email, password }) => {
        const person = new PlainBrowser(service.url);
        await person.signIn(email, password, base);
        return new Clicker(person, base, pick);
      }),
    );
    const failed: string[] = [];
    const sentAgain: string[] = [];
    for (let clicks = 0; clicks < (isLong ? 200 : 20); clicks += 1) {
      // Slowly enough to stay below the request limits.
      clock.advance(2_000);
      const { what, status, again } = await pick(clickers).click();
      if (status === 429) failed.push(`429 ${what}`);
      if (status >= 500) failed.push(`${status} ${what}`);
      sentAgain.push(...again);
    }
    const twice = await service.app
      .get(SystemDatabase)
      .rows('select action from audit_entries where request_id = any ($1)', [sentAgain]);
    expect([failed, twice]).toEqual([[], []]);
  }, 240_000);
});

/** Whether a page is wider than a window or than the area between the margins of A4, where lists remain tables. */
async function tooWide(page: Page, path: string): Promise<string[]> {
  const found: string[] = [];
  for (const [media, width] of [
    ['screen', 640],
    ['screen', 1280],
    ['print', 718],
  ] as const) {
    await page.emulateMedia({ media });
    await page.setViewportSize({ width, height: 800 });
    if (await page.evaluate(() => document.documentElement.scrollWidth > window.innerWidth))
      found.push(`${path}: wider than ${width} px, ${media}`);
    const isCards = await page.evaluate(() =>
      [...document.querySelectorAll('.list tr')].some((row) => getComputedStyle(row).display !== 'table-row'),
    );
    if (media === 'print' && isCards) found.push(`${path}: prints its lists as cards`);
  }
  await page.emulateMedia({ media: null });
  return found;
}
