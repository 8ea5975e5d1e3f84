import { jest } from '@jest/globals';
import type { RequestCaller } from '#access';
import { CredentialsService } from '../../../src/auth/bearer/credentials.service.js';
import { type Mcp, mcpOf } from '../../support/mcp.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let mcp: Mcp;
beforeAll(async () => {
  service = await startApp();
  mcp = mcpOf(service.url, service.key);
});
afterAll(() => service.close());
afterEach(() => jest.restoreAllMocks());

/** Turns the credential into a person's token: granted some scopes, of a member with a role. */
async function asPerson(granted: string[], live: string[]): Promise<void> {
  const credentials = service.app.get(CredentialsService, { strict: false });
  const key = await credentials.callerOf({ authorization: `Bearer ${service.key}` }, 'r');
  const scopes = new Set(granted);
  const caller: RequestCaller = {
    ...key,
    credential: { ...key.credential, kind: 'oauth', clientId: 'app', applicationId: key.credential.id, scopes },
    permissions: new Set(granted.filter((scope) => live.includes(scope))),
    livePermissions: new Set(live),
  };
  jest.spyOn(credentials, 'callerOf').mockImplementation((_, requestId) => Promise.resolve({ ...caller, requestId }));
}

describe("a person's token", () => {
  /** The two doors may have their own addresses. */
  const separate = (baseUrl: string) => Object.assign(service.config, { baseUrl });
  let usual: string;
  beforeAll(() => {
    usual = service.config.baseUrl;
    separate('https://api.example.com');
  });
  afterAll(() => void separate(usual));

  it('lists a tool that lacks a granted scope, but not one that the role does not permit', async () => {
    await asPerson(['tasks:read'], ['tasks:read', 'tasks:write']);
    const names = (await mcp.tools()).map(({ name }) => name);
    expect(names).toContain('createTask');
    expect(names).not.toContain('createProperty');
  });

  it('is rejected by the HTTP status if the scope was not granted, so that the client can request it', async () => {
    await asPerson(['tasks:read', 'properties:read'], ['tasks:read', 'tasks:write']);
    const { status, headers, body } = await mcp.call('createTask', { name: 'No' });
    expect(status).toBe(403);
    expect(body.error).toMatchObject({ type: 'authorization_error', code: 'FORBIDDEN' });
    expect(headers.get('www-authenticate')).toBe(
      `Bearer error="insufficient_scope", scope="tasks:write tasks:read properties:read offline_access", resource_metadata="${service.config.mcpUrl}/.well-known/oauth-protected-resource"`,
    );
    expect(headers.get('x-ratelimit-remaining')).not.toBeNull();
  });

  it('gets only the missing scope in revision 2026-07-28, whose clients keep what they were granted', async () => {
    await asPerson(['tasks:read'], ['tasks:read', 'tasks:write']);
    const meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'createTask' };
    const reply = await mcp.call('createTask', { name: 'No' }, { headers, meta });
    expect(reply.status).toBe(403);
    expect(reply.headers.get('www-authenticate')).toContain('error="insufficient_scope", scope="tasks:write", ');
  });

  it('gets the scopes to request over REST, too', async () => {
    await asPerson(['tasks:read', 'properties:read'], ['tasks:read', 'tasks:write']);
    const { status, headers } = await service.api.post('/tasks', { name: 'No' });
    expect(status).toBe(403);
    expect(headers.get('www-authenticate')).toContain(
      'scope="tasks:write tasks:read properties:read offline_access", resource_metadata="https://api.example.com/',
    );
  });

  it('is rejected by a result if the role does not permit what was granted', async () => {
    await asPerson(['tasks:read', 'tasks:write'], ['tasks:read']);
    const { status, headers, isError, body } = await mcp.call('createTask', { name: 'No' });
    expect({ status, isError, code: body.error.code }).toEqual({ status: 200, isError: true, code: 'FORBIDDEN' });
    expect(headers.get('www-authenticate')).toBeNull();
  });
});
