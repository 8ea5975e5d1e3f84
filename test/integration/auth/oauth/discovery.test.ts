import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import * as oauth from 'oauth4webapi';
import { type Service, startApp } from '../../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp();
});
afterAll(() => service.close());

/** A request to another host name that claims to come through a proxy. */
async function askAs(host: string, { url }: Service, path: string) {
  const { hostname, port } = new URL(url);
  const headers = { host, 'x-forwarded-host': host, 'x-forwarded-proto': 'https' };
  const [response] = (await once(request({ hostname, port, path, headers }).end(), 'response')) as [IncomingMessage];
  const chunks = (await response.toArray()) as Buffer[];
  const { statusCode: status, headers: received } = response;
  return { status, location: received.location, text: Buffer.concat(chunks).toString() };
}

describe('discovery', () => {
  it('DIS-1 returns the addresses of the authorization server', async () => {
    const issuer = new URL(service.url);
    const found = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', [oauth.allowInsecureRequests]: true });
    const metadata = await oauth.processDiscoveryResponse(issuer, found);
    expect(metadata).toMatchObject({
      issuer: service.url,
      authorization_endpoint: `${service.url}/oauth/authorize`,
      token_endpoint: `${service.url}/oauth/token`,
      registration_endpoint: `${service.url}/oauth/register`,
      revocation_endpoint: `${service.url}/oauth/revoke`,
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none', 'client_secret_basic', 'client_secret_post'],
      authorization_response_iss_parameter_supported: true,
      client_id_metadata_document_supported: true,
    });
    expect(metadata.scopes_supported).toEqual(expect.arrayContaining(['tasks:read', 'tasks:write', 'offline_access']));
    expect(Object.keys(metadata).filter((name) => /id_token|userinfo|subject|claim|acr/.test(name))).toEqual([]);
  });

  it('is not an OpenID provider', async () => {
    expect((await service.api.as(undefined).get('/.well-known/openid-configuration')).status).toBe(404);
  });

  it.each(['/.well-known/oauth-protected-resource', '/.well-known/oauth-protected-resource/mcp'])(
    'DIS-2 %s returns the resource and its authorization server',
    async (path) => {
      const { status, body, headers } = await service.api.as(undefined).get(path);
      expect(status).toBe(200);
      expect(body).toMatchObject({
        resource: `${service.url}/mcp`,
        authorization_servers: [service.url],
        bearer_methods_supported: ['header'],
      });
      expect(body.scopes_supported).toContain('tasks:read');
      expect(body.scopes_supported).not.toContain('offline_access');
      expect(headers.get('access-control-allow-origin')).toBe('*');
    },
  );

  it('lets clients in browsers ask, which send their revision of MCP in a header', async () => {
    const { status, headers } = await fetch(`${service.url}/.well-known/oauth-authorization-server`, {
      method: 'OPTIONS',
      headers: { origin: 'https://app.example', 'access-control-request-headers': 'mcp-protocol-version' },
    });
    expect(status).toBe(204);
    expect(headers.get('access-control-allow-origin')).toBe('*');
    expect(headers.get('access-control-allow-headers')).toContain('mcp-protocol-version');
  });

  it('takes no address from the request', async () => {
    for (const path of [
      '/.well-known/oauth-authorization-server',
      'http://evil.example/.well-known/oauth-authorization-server',
    ]) {
      const { text } = await askAs('evil.example', service, path);
      expect(text).toContain(service.url);
      expect(text).not.toContain('evil');
    }
  });
});

describe('a resource with its own host', () => {
  it('is the API there and /mcp on the MCP host', async () => {
    const two = await startApp({ MCP_URL: 'http://mcp.localhost:9' });
    try {
      const onApi = await two.api.as(undefined).get('/.well-known/oauth-protected-resource');
      expect(onApi.body).toMatchObject({ resource: two.url, authorization_servers: [two.url] });
      const onMcp = (path: string) => askAs('mcp.localhost:9', two, path);
      expect(JSON.parse((await onMcp('/.well-known/oauth-protected-resource')).text)).toMatchObject({
        resource: 'http://mcp.localhost:9/mcp',
        authorization_servers: ['http://mcp.localhost:9'],
      });
      expect(JSON.parse((await onMcp('/.well-known/oauth-authorization-server')).text)).toMatchObject({
        issuer: 'http://mcp.localhost:9',
        token_endpoint: 'http://mcp.localhost:9/oauth/token',
      });
      const { status, location } = await onMcp('/oauth/authorize?state=s');
      expect({ status, location }).toEqual({ status: 303, location: `${two.url}/global/oauth/authorize?state=s` });
    } finally {
      await two.close();
    }
  });
});
