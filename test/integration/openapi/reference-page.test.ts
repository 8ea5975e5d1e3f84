import type { Browser, Page } from 'playwright-core';
import { hasBrowser, launchBrowser } from '../../support/chromium.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

describe('GET /docs', () => {
  it('allows no script but its own, by a nonce that is never used again', async () => {
    const { status, headers, text } = await service.api.as(undefined).get('/docs');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
    const policy = headers.get('content-security-policy') as string;
    const nonce = /script-src 'nonce-([\w-]{22})'(?:;|$)/.exec(policy)?.[1] as string;
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    const scripts = text.match(/<script[^>]*>/g) as string[];
    expect(scripts).toHaveLength(3);
    expect(scripts.every((tag) => tag.includes(`nonce="${nonce}"`))).toBe(true);
    const again = await service.api.as(undefined).get('/docs');
    expect(again.text).not.toContain(nonce);
  });

  it('serves its bundle under a name that can be cached permanently, and no other name', async () => {
    const { text } = await service.api.as(undefined).get('/docs');
    const path = /src="(\/docs\/[^"]+)"/.exec(text)?.[1] as string;
    const bundle = await service.api.as(undefined).get(path);
    expect(bundle.status).toBe(200);
    expect(bundle.headers.get('content-type')).toMatch(/^(text|application)\/javascript/);
    expect(bundle.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    const other = await service.api.as(undefined).get('/docs/other.js');
    expect([other.status, other.body.error.code]).toEqual([404, 'NOT_FOUND']);
  });
});

(hasBrowser ? describe : describe.skip)('the reference page in a browser', () => {
  let browser: Browser;
  let page: Page;
  const requests: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('request', (request) => requests.push(request.url()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    await page.goto(`${service.url}/docs#tag/tasks/POST/api/v1/tasks`);
  });
  afterAll(() => browser.close());

  it('shows the operations', () => page.getByRole('heading', { name: 'Create a task' }).waitFor());

  it('sends a request with the key that was typed in', async () => {
    await page.getByRole('button', { name: 'Test Request (post /api/v1/tasks)' }).click();
    await page.getByRole('dialog').getByLabel('Bearer Token').fill(service.key);
    const answered = page.waitForResponse(`${service.url}/api/v1/tasks`);
    await page.getByRole('button', { name: /Send post request to/ }).click();
    const answer = await answered;
    expect(answer.status()).toBe(201);
    expect(await answer.json()).toMatchObject({ data: { name: 'Change the linen' } });
  });

  it('did so without a complaint or a request to another host', () => {
    expect(requests.length).toBeGreaterThan(2);
    expect(requests.filter((url) => !url.startsWith(service.url))).toEqual([]);
    expect(complaints).toEqual([]);
  });
});
