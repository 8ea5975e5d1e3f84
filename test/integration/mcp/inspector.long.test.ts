import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { createInterface } from 'node:readline';
import { text } from 'node:stream/consumers';
import type { Json } from '../../support/api.js';
import { Browser } from '../../../faults/page-client.js';
import { installedFromRegistry, removeInstalled } from '../../support/from-registry.js';
import { decide, openConsent, type Person } from '../../support/oauth.js';
import { type OAuthWorld, openWorld } from '../../support/oauth-world.js';
import { freePort } from '../../support/start-app.js';

/**
 * The MCP Inspector, as its users install it, starts with only the address, and changes a record over core, on its own
 * in both eras and through mcp-remote.
 */
const installed = await installedFromRegistry('@modelcontextprotocol/inspector@2.12');
const folder = installed as string;

let world: OAuthWorld;
beforeAll(async () => {
  world = await openWorld();
}, 180_000);
afterAll(async () => {
  await world.close();
  removeInstalled(installed);
});

/** The person's browser: signs in, authorizes, and passes the response to the program that waits for it. */
async function authorize(address: string, person: Person): Promise<void> {
  const browser = new Browser(world.service.url);
  const { url } = await decide(browser, await openConsent(browser, person, address), 'authorize', world.lakeside);
  await fetch(url);
}

/** One command of the Inspector; if it names a URL to visit, the person authorizes it there. */
async function inspect(home: string, target: string[], person: Person, args: string[]): Promise<Json> {
  const child = spawn(
    process.execPath,
    [join(folder, 'node_modules/.bin/mcp-inspector'), '--cli', ...target, ...args, '--format', 'json'],
    {
      env: {
        // No browser is found there, so both print the URL to open.
        PATH: home,
        HOME: home,
        MCP_REMOTE_CONFIG_DIR: home,
        MCP_INSPECTOR_SECRET_STORE: 'file',
        MCP_AUTO_OPEN_ENABLED: 'true',
      },
      stdio: ['ignore', 'pipe', 'pipe'],
      timeout: 40_000,
    },
  );
  const visits: Promise<void>[] = [];
  const seen: string[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => {
    seen.push(line);
    const [address] = /https?:\/\/\S+code_challenge=\S+/.exec(line) ?? [];
    if (address) visits.push(authorize(address, person));
  });
  const said = await text(child.stdout);
  await Promise.all(visits);
  const [line] = /^\{.*\}$/ms.exec(said) ?? [];
  if (!line) throw new Error(`The Inspector said nothing:\n${said}\n${seen.join('\n')}`);
  return JSON.parse(line) as Json;
}

(installed ? it : it.skip).each([
  ['legacy', 'directly'],
  ['modern', 'directly'],
  ['legacy', 'through mcp-remote'],
])(
  'changes a record over core, starting from nothing, in the %s era, %s',
  async (era, way) => {
    const person = await world.person();
    const home = mkdtempSync(join(folder, 'home-'));
    const [address, port] = [`${world.service.url}/mcp?toolsets=core`, await freePort()];
    // The Inspector asks a person once, so it requests everything that it needs.
    const server = {
      type: 'streamable-http',
      url: address,
      oauth: { scopes: 'tasks:read tasks:write offline_access' },
    };
    writeFileSync(join(home, 'servers.json'), JSON.stringify({ mcpServers: { pos: server } }));
    const callback = `http://127.0.0.1:${port}/oauth/callback`;
    const target =
      way === 'directly'
        ? ['--config', join(home, 'servers.json'), '--server', 'pos', '--callback-url', callback, '--protocol-era', era]
        : [process.execPath, resolve('node_modules/mcp-remote/dist/proxy.js'), address, String(port)];
    const ask = (...args: string[]) => inspect(home, target, person, args);
    const call = async (name: string, given: object): Promise<Json> => {
      const answer = await ask(
        '--method',
        'tools/call',
        '--tool-name',
        name,
        '--tool-args-json',
        JSON.stringify(given),
      );
      const { isError, structuredContent } = answer.result ?? answer;
      expect([name, isError, structuredContent?.error]).toEqual([name, undefined, undefined]);
      return structuredContent.data as Json;
    };
    const listed = await ask('--method', 'tools/list');
    expect(((listed.result ?? listed).tools as Json[]).map(({ name }) => name as string)).toContain('changeByName');
    const { id: taskId } = await call('createTask', { name: `Linen, ${era}, ${way}` });
    const [found] = (await call('findOperations', { names: ['cancelTask'] })) as unknown as Json[];
    const caller = found?.effect === 'destructive' ? 'destroyByName' : 'changeByName';
    await call(caller, { operation: found?.name, arguments: { taskId } });
    const owner = await world.tokensOf(await world.person('owner'), { scopes: ['tasks:read'] });
    const { body } = await world.rest(owner.access_token).get(`/tasks/${taskId}`);
    expect(body.data).toMatchObject({ name: `Linen, ${era}, ${way}`, status: 'cancelled' });
  },
  120_000,
);
