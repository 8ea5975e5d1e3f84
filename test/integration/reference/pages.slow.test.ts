import { readdirSync, readFileSync } from 'node:fs';
import type { Browser, Page } from 'playwright-core';
import { Catalogue } from '#operations';
import { accessibilityIssues } from '../../support/accessibility.js';
import { hasBrowser, launchBrowser } from '../../support/chromium.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

const get = (path: string, headers = {}) => service.api.as(undefined).get(path, headers);
const matches = (text: string, pattern: RegExp): string[] => [...text.matchAll(pattern)].map(([, match]) => match!);
const operations = () => service.app.get(Catalogue).all();

/** Every page that is linked from /docs, by its path. */
const pages = new Map<string, string>();
beforeAll(async () => {
  const paths = ['/docs'];
  for (const path of paths) {
    const { text } = await get(path);
    pages.set(path, text);
    const linked = matches(text, /href="(\/docs[^"#]*)/g).filter((one) => !paths.includes(one));
    paths.push(...new Set(linked));
  }
});

describe('the reference', () => {
  it('describes every operation, on a page of less than 50 KB for each feature', () => {
    const found = [...pages].flatMap(([path, text]) =>
      matches(text, /<section class="operation" id="(\w+)"/g).map((name) => ({ path, name, text })),
    );
    const names = operations().map(({ operation: { name } }) => name);
    expect(found.map(({ name }) => name).toSorted()).toEqual(names.toSorted());
    for (const { path, text } of found) expect([path, text.length < 50_000]).toEqual([path, true]);
    expect(pages.get('/docs/tasks')).toContain('<b>POST</b> <code>/api/v1/tasks/{taskId}/complete</code>');
  });

  it('has no broken links', async () => {
    const links = [...pages].flatMap(([path, text]) =>
      matches(text, /href="([#/][^"]*)"/g).map((target) => `${target.startsWith('#') ? path : ''}${target}`),
    );
    const broken: string[] = [];
    for (const target of new Set(links)) {
      const [address, part] = target.split('#') as [string, string?];
      const text = pages.get(address) ?? (await fetch(service.url + address, { headers: { accept: 'text/html' } })).ok;
      if (!text || (part && !String(text).includes(`id="${part}"`))) broken.push(target);
    }
    expect(links.length).toBeGreaterThan(500);
    expect(broken).toEqual([]);
  });

  it('runs only its own scripts, loads nothing from elsewhere and is cacheable for a while', async () => {
    const { headers, text } = await get('/docs/tasks');
    const policy = headers.get('content-security-policy') as string;
    expect(policy).toMatch(/^default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self';/);
    expect(policy).toContain("frame-ancestors 'none'");
    expect(matches(text, /(<script[^>]*>[^<]*)/g)).toEqual([
      expect.stringMatching(/ src="\/assets\/try-it-\w+\.js">$/),
    ]);
    expect([headers.get('content-type'), headers.get('cache-control')]).toEqual([
      'text/html; charset=utf-8',
      'public, max-age=300',
    ]);
    const again = await get('/docs/tasks', { 'if-none-match': headers.get('etag') as string });
    expect(again.status).toBe(304);
  });

  it.each(['/docs/chores', '/docs/guides/chores', '/docs/guides/..%2f..%2fpackage', '/docs/guides/'])(
    'has no page %s',
    async (path) => {
      const { status } = await get(path);
      expect(status).toBe(path === '/docs/guides/' ? 200 : 404);
    },
  );
});

it('the guides are the files of docs/', () => {
  const files = readdirSync('docs').filter((file) => file.endsWith('.md'));
  expect(files.length).toBeGreaterThan(15);
  for (const file of files) {
    const [, title] = /^# (.*)$/m.exec(readFileSync(`docs/${file}`, 'utf8')) as unknown as [string, string];
    expect(pages.get(`/docs/guides/${file.replace('.md', '')}`)).toContain(`<title>${title.replaceAll('"', '&quot;')}`);
  }
  expect(pages.get('/docs/guides/errors')).toContain('<tr id="NIGHTS_TAKEN">');
});

it('an error links to the description of its code in the guide', async () => {
  const replies = await Promise.all([
    service.api.get('/tasks/task_none'),
    service.api.post('/tasks', {}),
    service.api.as(undefined).get('/tasks'),
  ]);
  const links = replies.map(({ headers }) => headers.get('link') as string);
  const codes = links.map((link) => /^<\/docs\/guides\/errors#(\w+)>; rel="help"$/.exec(link)?.[1]);
  expect(codes).toEqual(['NOT_FOUND', 'VALIDATION_ERROR', 'UNAUTHORIZED']);
  for (const code of codes) expect(pages.get('/docs/guides/errors')).toContain(`<tr id="${code}">`);
});

it('llms.txt names every feature, and llms-full.txt every operation with its fields', async () => {
  const { headers, text: brief } = await get('/llms.txt');
  const { text: full } = await get('/llms-full.txt');
  expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
  for (const { feature, operation } of operations()) {
    expect(brief).toContain(`/docs/${feature === 'guides' ? 'guest-guides' : feature}): `);
    expect(full).toContain(
      `## ${operation.name}: ${operation.title}\n\n${operation.method} /api/v1${operation.path} · `,
    );
  }
  expect(full).toContain('- name (body, string, required): Short name of the task.');
});

it.each(['/openapi.json', '/postman.json', '/llms-full.txt', '/docs/tasks'])(
  '%s is compressed for clients that accept it',
  async (path) => {
    const ask = (encoding: string) => fetch(service.url + path, { headers: { 'accept-encoding': encoding } });
    const [compressed, plain] = [await ask('br, gzip'), await ask('identity')];
    expect([compressed.headers.get('content-encoding'), plain.headers.get('content-encoding')]).toEqual(['gzip', null]);
    expect(compressed.headers.get('vary')).toContain('Accept-Encoding');
    const [small, large] = [compressed, plain].map(({ headers }) => Number(headers.get('content-length'))) as [
      number,
      number,
    ];
    expect(small).toBeLessThan(large / 3);
    expect(await compressed.text()).toBe(await plain.text());
  },
);

(hasBrowser ? describe : describe.skip)('in a browser', () => {
  let browser: Browser;
  let page: Page;
  const elsewhere: string[] = [];
  const complaints: string[] = [];
  beforeAll(async () => {
    browser = await launchBrowser();
    page = await browser.newPage();
    page.on('request', (request) => !request.url().startsWith(service.url) && elsewhere.push(request.url()));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  });
  afterAll(() => browser.close());

  const tried = async (name: string) => {
    const section = page.locator(`#${name}`);
    await section.getByRole('button', { name: 'Try it' }).click();
    return section;
  };

  it('an operation is tried with the key that was entered, with its own idempotency key', async () => {
    await page.goto(`${service.url}/docs/tasks`);
    const section = await tried('createTask');
    await section.getByLabel('API key').fill(service.key);
    const requested = page.waitForRequest(`${service.url}/api/v1/tasks`);
    await section.getByRole('button', { name: 'Send POST' }).click();
    expect((await requested).headers()['idempotency-key']).toMatch(/^[\da-f-]{36}$/);
    await section
      .getByRole('status')
      .filter({ hasText: /^201\n/ })
      .waitFor();
  });

  it('the next page of the tab has the key, and offers the ids of records', async () => {
    await page.goto(`${service.url}/docs/tasks`);
    const section = await tried('getTask');
    expect(await section.getByLabel('API key').inputValue()).toBe(service.key);
    await section.getByLabel('taskId').focus();
    const option = section.locator('datalist option').first();
    await option.waitFor({ state: 'attached' });
    await section.getByLabel('taskId').fill((await option.getAttribute('value')) as string);
    await section.getByRole('button', { name: 'Send GET' }).click();
    await section
      .getByRole('status')
      .filter({ hasText: /^200\n/ })
      .waitFor();
    const other = await (await browser.newContext()).newPage();
    await other.goto(`${service.url}/docs/tasks`);
    expect(await other.evaluate(() => Object.keys(sessionStorage))).toEqual([]);
  });

  it('the pages are accessible', async () => {
    expect(await accessibilityIssues(page, 'reference')).toEqual([]);
    for (const [name, path] of Object.entries({ index: '/docs', guide: '/docs/guides/devices' })) {
      await page.goto(service.url + path);
      expect(await accessibilityIssues(page, name)).toEqual([]);
    }
  });

  it('nothing was requested from another host, and there were no errors', () => {
    expect([elsewhere, complaints]).toEqual([[], []]);
  });
});
