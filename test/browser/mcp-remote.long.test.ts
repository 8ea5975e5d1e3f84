import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import type { Browser } from 'playwright-core';
import { hasBrowser, launchBrowser } from '../support/chromium.js';
import type { Person } from '../support/oauth.js';
import { openWorld } from '../support/oauth-world.js';
import { startTwoRegions } from '../support/regions.js';
import { freePort, owner } from '../support/start-app.js';

let browser: Browser;
let configDir: string;

/** With an empty PATH it finds no browser to open, and prints the address instead. */
const mcpRemote = async (url: string): Promise<StdioClientTransport> =>
  new StdioClientTransport({
    command: process.execPath,
    args: ['node_modules/mcp-remote/dist/proxy.js', `${url}/mcp`, String(await freePort())],
    env: { PATH: '', HOME: configDir, MCP_REMOTE_CONFIG_DIR: mkdtempSync(join(configDir, 'tokens-')) },
    stderr: 'pipe',
  });

async function addressToVisit(transport: StdioClientTransport, url: string): Promise<string> {
  const stderr = transport.stderr as Readable;
  const seen: string[] = [];
  for await (const line of createInterface({ input: stderr })) {
    seen.push(line);
    if (!line.startsWith(`${url}/`) || !line.includes('code_challenge=')) continue;
    stderr.resume();
    return line;
  }
  throw new Error(`mcp-remote named no address to visit:\n${seen.join('\n')}`);
}

async function authorize(address: string, { email, password }: Person, region?: RegExp): Promise<void> {
  const page = await browser.newPage();
  await page.goto(address);
  if (region) await page.getByRole('link', { name: region }).click();
  await page.getByLabel('Email address').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.waitForURL(/\/oauth\/callback\?/);
  await page.close();
}

/** A client that has signed in through mcp-remote. */
async function connect(url: string, person: Person, region?: RegExp): Promise<Client> {
  const client = new Client({ name: 'tests', version: '1.0.0' });
  const transport = await mcpRemote(url);
  const visited = addressToVisit(transport, url).then((address) => authorize(address, person, region));
  await Promise.all([visited, client.connect(transport)]);
  return client;
}

/** mcp-remote lets an application that only supports stdio use /mcp; it adds discovery, registration and sign-in. */
(hasBrowser ? describe : describe.skip)('mcp-remote', () => {
  beforeAll(async () => {
    configDir = mkdtempSync(join(tmpdir(), 'pos-mcp-remote-'));
    browser = await launchBrowser();
  });
  afterAll(async () => {
    await browser.close();
    rmSync(configDir, { recursive: true, force: true });
  });

  it('signs a person in and works as that person, over stdio', async () => {
    const world = await openWorld();
    const person = await world.person();
    const client = await connect(world.service.url, person);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('getMe');
    const me = await client.callTool({ name: 'getMe', arguments: {} });
    expect(me.structuredContent).toMatchObject({
      data: { member: { id: person.memberId }, organization: { id: world.lakeside } },
    });
    await client.close();
    await world.close();
  });

  it('works in two regions for a person with organizations in both, through one address', async () => {
    const world = await startTwoRegions();
    for (const [name, cell] of [
      [/United States/, world.us],
      [/Europe/, world.eu],
    ] as const) {
      const client = await connect(world.entry.url, owner, name);
      const { structuredContent } = await client.callTool({ name: 'getMe', arguments: {} });
      const { id } = (await cell.api.get('/organization')).body.data;
      expect(structuredContent).toMatchObject({ data: { organization: { id } } });
      await client.close();
    }
    await world.close();
  });
});
