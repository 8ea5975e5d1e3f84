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
import { type OAuthWorld, openWorld } from '../support/oauth-world.js';
import { freePort } from '../support/start-app.js';

/** mcp-remote lets an application that only speaks stdio use /mcp; it brings discovery, registration and sign-in. */
(hasBrowser ? describe : describe.skip)('mcp-remote', () => {
  let world: OAuthWorld;
  let browser: Browser;
  let configDir: string;
  let client: Client;

  beforeAll(async () => {
    world = await openWorld();
    browser = await launchBrowser();
  });
  beforeEach(() => {
    configDir = mkdtempSync(join(tmpdir(), 'pos-mcp-remote-'));
    client = new Client({ name: 'tests', version: '1.0.0' });
  });
  afterEach(async () => {
    await client.close();
    rmSync(configDir, { recursive: true, force: true });
  });
  afterAll(async () => {
    await browser.close();
    await world.close();
  });

  /** With an empty PATH it finds no browser to open, and leaves that to the one who reads its address. */
  const mcpRemote = async (): Promise<StdioClientTransport> =>
    new StdioClientTransport({
      command: process.execPath,
      args: ['node_modules/mcp-remote/dist/proxy.js', `${world.service.url}/mcp`, String(await freePort())],
      env: { PATH: '', HOME: configDir, MCP_REMOTE_CONFIG_DIR: configDir },
      stderr: 'pipe',
    });

  async function addressToVisit(transport: StdioClientTransport): Promise<string> {
    const stderr = transport.stderr as Readable;
    const seen: string[] = [];
    for await (const line of createInterface({ input: stderr })) {
      seen.push(line);
      if (!line.startsWith(`${world.service.url}/`) || !line.includes('code_challenge=')) continue;
      stderr.resume();
      return line;
    }
    throw new Error(`mcp-remote named no address to visit:\n${seen.join('\n')}`);
  }

  async function authorize(address: string, { email, password }: Person): Promise<void> {
    const page = await browser.newPage();
    await page.goto(address);
    await page.getByLabel('Email address').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: 'Authorize' }).click();
    await page.waitForURL(/\/oauth\/callback\?/);
    await page.close();
  }

  it('signs a person in and works as that person, over stdio', async () => {
    const person = await world.person();
    const transport = await mcpRemote();
    const visited = addressToVisit(transport).then((address) => authorize(address, person));
    const connected = client.connect(transport);
    const listed = connected.then(() => client.listTools());
    await Promise.all([visited, listed]);
    expect((await listed).tools.map(({ name }) => name)).toContain('getMe');
    const me = await client.callTool({ name: 'getMe', arguments: {} });
    expect(me.structuredContent).toMatchObject({
      data: { member: { id: person.memberId }, organization: { id: world.lakeside } },
    });
  });
});
