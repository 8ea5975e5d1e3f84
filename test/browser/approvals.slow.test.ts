import type { Browser, BrowserContext, Page } from 'playwright-core';
import { operatorFor } from '../../src/platform/callers/operator.js';
import { ApprovalRulesService } from '../../src/auth/approval-rules/approval-rules.service.js';
import { TenantDatabase } from '#persistence';
import { accessibilityIssues } from '../support/accessibility.js';
import { hasBrowser, launchBrowser } from '../support/chromium.js';
import { keyWith, taskOf } from '../support/factories.js';
import { isLong } from '../support/sampled.js';
import { owner, type Service, startApp } from '../support/start-app.js';

const effects = isLong ? 300 : 110;
const views = [
  { width: 1280, colorScheme: 'light' },
  { width: 1280, colorScheme: 'dark' },
  { width: 360, colorScheme: 'light' },
  { width: 360, colorScheme: 'dark' },
] as const;

(hasBrowser ? describe : describe.skip)('the page of an approval in a browser', () => {
  let service: Service;
  let browser: Browser;
  let context: BrowserContext;
  let page: Page;
  const problems: string[] = [];
  /** Requests of a key that needs approval, as the paths of their pages. */
  let one: string;
  let many: string;

  beforeAll(async () => {
    service = await startApp();
    const { api, id } = await keyWith(service.api, { name: 'Evening assistant' });
    const orgId = (await service.api.get('/organization')).body.data.id as string;
    const rules = service.app.get(ApprovalRulesService);
    const caller = operatorFor(orgId, `member_${'0'.repeat(32)}`);
    await service.app
      .get(TenantDatabase)
      .transaction(orgId, () => rules.add(caller, { who: id, what: 'write', mode: 'ask' }));
    const maker = (await keyWith(service.api)).api;
    const taskIds: string[] = [];
    const lane = async (): Promise<void> => {
      while (taskIds.length < effects) taskIds.push(await taskOf(maker));
    };
    await Promise.all(Array.from({ length: 8 }, lane));
    const pathOf = async (path: string, input?: object) =>
      new URL((await api.post(path, input)).body.data.url as string).pathname;
    one = await pathOf(`/tasks/${taskIds[0]}/archive`);
    many = await pathOf('/tasks/bulk', { taskIds: taskIds.slice(0, effects), action: 'start' });
    browser = await launchBrowser();
    context = await browser.newContext({ baseURL: service.url });
    page = await context.newPage();
    page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
    page.on('pageerror', (error) => problems.push(error.message));
    await page.goto(`/sign-in?return_to=${one}`);
    await page.getByLabel('Email address').fill(owner.email);
    await page.getByLabel('Password').fill(owner.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('heading', { name: 'Archive a task', level: 1 }).waitFor();
  }, 60_000);
  afterAll(async () => {
    await browser.close();
    await service.close();
  });

  /** Presses the Tab key until it is focused. */
  async function tabTo(isThere: (element: Element) => boolean): Promise<void> {
    const reads = `(${isThere.toString()})(document.activeElement)`;
    for (let steps = 0; steps < 30; steps += 1) {
      await page.keyboard.press('Tab');
      if (await page.evaluate(reads)) return;
    }
    throw new Error('It is not reached with the Tab key');
  }

  it('is accessible with one effect and with hundreds, wide and narrow, light and dark', async () => {
    const found: string[] = [];
    for (const [name, path] of [
      ['approval', one],
      ['approval-many', many],
      ['approvals', '/account/approvals'],
      ['approval-rules', '/account/approval-rules'],
    ] as const) {
      await page.goto(path);
      if (path === many) await page.getByText(`(${effects})`).click();
      found.push(...(await accessibilityIssues(page, name, views)));
    }
    expect([found, problems]).toEqual([[], []]);
  }, 120_000);

  it('has buttons that the keyboard reaches, also after many effects', async () => {
    await page.goto(many);
    const group = page.locator('details', { hasText: `(${effects})` });
    await tabTo((element) => element.tagName === 'SUMMARY' && (element.textContent ?? '').endsWith(')'));
    expect(await group.locator('li').first().isVisible()).toBe(false);
    await page.keyboard.press('Enter');
    expect(await group.locator('li:visible').count()).toBe(effects);
    await tabTo((element) => element.id === 'note');
    await page.keyboard.type('Not today');
    await tabTo((element) => (element as HTMLButtonElement).value === 'refuse');
    await page.keyboard.press('Enter');
    await page.getByText('Refused. Nothing was changed.').waitFor();
    await page.goto(one);
    await tabTo((element) => (element as HTMLButtonElement).value === 'approve');
    await page.keyboard.press('Space');
    await page.getByText(/^Approved/).waitFor();
    expect(problems).toEqual([]);
  });
});
