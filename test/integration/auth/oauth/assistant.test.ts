import * as second from '@modelcontextprotocol/client';
import type { OAuthClientProvider } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthClientInformationMixed, OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import type { Json } from '../../../support/api.js';
import { Browser } from '../../../../faults/page-client.js';
import { decide, openConsent, type Person } from '../../../support/oauth.js';
import { type OAuthWorld, openWorld } from '../../../support/oauth-world.js';

let world: OAuthWorld;
beforeAll(async () => {
  world = await openWorld();
});
afterAll(() => world.close());

/** What an assistant keeps of its authorization; a test browser acts for the person. */
class Assistant implements OAuthClientProvider {
  readonly redirectUrl = 'http://localhost:33418/callback';
  readonly clientMetadata = { client_name: 'An SDK client', redirect_uris: [this.redirectUrl] };
  code = '';
  iss = '';
  kept?: OAuthTokens;
  private information?: OAuthClientInformationMixed;
  private verifier = '';

  constructor(private readonly person: Person) {}

  clientInformation = () => this.information;
  saveClientInformation = (information: OAuthClientInformationMixed) => void (this.information = information);
  tokens = () => this.kept;
  saveTokens = (tokens: OAuthTokens) => void (this.kept = tokens);
  saveCodeVerifier = (verifier: string) => void (this.verifier = verifier);
  codeVerifier = () => this.verifier;

  async redirectToAuthorization(url: URL): Promise<void> {
    const browser = new Browser(world.service.url);
    const page = await openConsent(browser, this.person, url.href);
    const { searchParams } = (await decide(browser, page, 'authorize', world.lakeside)).url;
    this.code = searchParams.get('code') ?? '';
    this.iss = searchParams.get('iss') ?? '';
  }
}

describe('an assistant that knows only the address', () => {
  const address = () => new URL(`${world.service.url}/mcp`);

  it('reaches a tool call with the SDK of 2025, and stays connected by refreshing', async () => {
    const assistant = new Assistant(await world.person());
    const transport = () => new StreamableHTTPClientTransport(address(), { authProvider: assistant });
    const [client, first] = [new Client({ name: 'assistant', version: '1' }), transport()];
    await expect(client.connect(first)).rejects.toThrow('Unauthorized');
    await first.finishAuth(assistant.code);
    await client.connect(transport());
    const { structuredContent } = await client.callTool({ name: 'listTasks', arguments: {} });
    expect(structuredContent).toMatchObject({ data: expect.any(Array) });
    expect(assistant.kept).toMatchObject({ refresh_token: expect.any(String) });
    const before = assistant.kept as OAuthTokens;
    assistant.kept = { ...before, access_token: 'at_us_unknown' };
    await client.callTool({ name: 'getMe', arguments: {} });
    expect(assistant.kept.refresh_token).not.toBe(before.refresh_token);
    await client.close();
  });

  it('is asked for more when a tool needs more, and returns with the old and the new scopes', async () => {
    const assistant = new Assistant(await world.person());
    const transport = () => new StreamableHTTPClientTransport(address(), { authProvider: assistant });
    const [client, first] = [new Client({ name: 'assistant', version: '1' }), transport()];
    await expect(client.connect(first)).rejects.toThrow('Unauthorized');
    await first.finishAuth(assistant.code);
    const connected = transport();
    await client.connect(connected);
    // With a refresh token this SDK refreshes instead of asking, which cannot give it more scopes.
    assistant.kept = { ...(assistant.kept as OAuthTokens), refresh_token: undefined };
    await expect(client.callTool({ name: 'createTask', arguments: { name: 'Linen' } })).rejects.toThrow('Unauthorized');
    await connected.finishAuth(assistant.code);
    const { structuredContent } = await client.callTool({ name: 'createTask', arguments: { name: 'Linen' } });
    expect(structuredContent).toMatchObject({ data: { name: 'Linen' } });
    for (const name of ['listTasks', 'listProperties']) {
      expect((await client.callTool({ name, arguments: {} })).structuredContent).toMatchObject({
        data: expect.any(Array),
      });
    }
    expect(assistant.kept?.refresh_token).toEqual(expect.any(String));
    await client.close();
  });

  it('reaches a tool call with the SDK of 2026', async () => {
    const assistant = new Assistant(await world.person()) as unknown as second.OAuthClientProvider & Assistant;
    const transport = () => new second.StreamableHTTPClientTransport(address(), { authProvider: assistant });
    const [client, first] = [new second.Client({ name: 'assistant', version: '2' }), transport()];
    await expect(client.connect(first)).rejects.toThrow(/unauthorized/i);
    await first.finishAuth(new URLSearchParams({ code: assistant.code, iss: assistant.iss }));
    await client.connect(transport());
    const { structuredContent } = await client.callTool({ name: 'listTasks', arguments: {} });
    expect(structuredContent).toMatchObject({ data: expect.any(Array) });
    expect(assistant.kept?.refresh_token).toEqual(expect.any(String));
    await client.close();
  });

  const core = () => new URL(`${world.service.url}/mcp?toolsets=core`);
  const info = { name: 'assistant', version: '3' };

  /** One client of an era: connects, continues after a person has authorized it, and calls. */
  const eras = {
    '2025': (assistant: Assistant) => {
      const client = new Client(info);
      let transport: StreamableHTTPClientTransport;
      return {
        connect: () =>
          client.connect((transport = new StreamableHTTPClientTransport(core(), { authProvider: assistant }))),
        finish: () => transport.finishAuth(assistant.code),
        list: () => client.listTools(),
        call: (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given }),
        close: () => client.close(),
      };
    },
    '2026-07-28': (assistant: Assistant) => {
      const client = new second.Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
      const authProvider = assistant as unknown as second.OAuthClientProvider;
      let transport: second.StreamableHTTPClientTransport;
      return {
        connect: () => client.connect((transport = new second.StreamableHTTPClientTransport(core(), { authProvider }))),
        finish: () => transport.finishAuth(new URLSearchParams({ code: assistant.code, iss: assistant.iss })),
        list: () => client.listTools(),
        call: (name: string, given: Record<string, unknown>) => client.callTool({ name, arguments: given }),
        close: () => client.close(),
      };
    },
  };

  it.each(['2025', '2026-07-28'] as const)(
    'changes a record over core, starting from nothing, with the SDK of %s',
    async (era) => {
      const assistant = new Assistant(await world.person());
      const { connect, finish, list, call, close } = eras[era](assistant);
      const done = async (name: string, given: Record<string, unknown>) => {
        const { isError, structuredContent } = (await call(name, given)) as Json;
        expect([name, isError]).toEqual([name, undefined]);
        return structuredContent.data;
      };
      await expect(connect()).rejects.toThrow(/unauthorized/i);
      await finish();
      await connect();
      const names = (await list()).tools.map(({ name }) => name);
      expect(names).toEqual(expect.arrayContaining(['findOperations', 'changeByName', 'createTask']));
      expect(names).not.toContain('reopenTask');
      const [found] = await done('findOperations', { words: 'reopen a task', limit: 1 });
      expect([found.name, found.effect]).toEqual(['reopenTask', 'write']);
      assistant.kept = { ...(assistant.kept as OAuthTokens), refresh_token: undefined };
      await expect(call('createTask', { name: 'Linen' })).rejects.toThrow(/unauthorized/i);
      await finish();
      const { id: taskId } = await done('createTask', { name: 'Linen' });
      await done('completeTask', { taskId });
      await done('changeByName', { operation: 'reopenTask', arguments: { taskId } });
      const { body } = await world.rest(assistant.kept.access_token).get(`/tasks/${taskId}`);
      expect(body.data).toMatchObject({ name: 'Linen', status: 'in_progress', version: 3 });
      await close();
    },
  );
});
