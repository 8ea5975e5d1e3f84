import { expectEnvelope, refusals } from '../support/envelope.js';
import { keyWith } from '../support/factories.js';
import { mcpOf } from '../support/mcp.js';
import { openTarget, type Target } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe('MCP', () => {
  it('serves tools at /mcp', async () => {
    const tools = await target.mcp.tools();
    expect(tools.map(({ name }) => name)).toContain('createTask');
    const { status, isError, body } = await target.mcp.call('createTask', { name: 'By an assistant' });
    expect([status, isError, body.data.name]).toEqual([200, false, 'By an assistant']);
  });

  it('rejects an unauthenticated request with 401, and points to the protected-resource metadata', async () => {
    for (const key of [undefined, 'nonsense']) {
      const reply = await mcpOf(target.mcpUrl, key).call('getMe');
      expectEnvelope(reply, refusals.unauthorized);
      const address = /resource_metadata="([^"]+)"/.exec(reply.headers.get('www-authenticate') as string)?.[1];
      expect(address).toBe(`${target.mcpUrl}/.well-known/oauth-protected-resource`);
      expect((await fetch(address as string)).status).toBe(200);
    }
  });

  it('shares one budget with REST', async () => {
    const { api, key } = await keyWith(target.api);
    const mcp = mcpOf(target.mcpUrl, key);
    const asked = [await api.get('/me'), await mcp.call('getMe'), await api.get('/me'), await mcp.call('getMe')];
    const sameMinute = new Set(asked.map(({ headers }) => headers.get('x-ratelimit-reset'))).size === 1;
    const left = asked.map(({ headers }) => Number(headers.get('x-ratelimit-remaining')));
    expect(sameMinute ? left : [59_999, 59_998, 59_997, 59_996]).toEqual([59_999, 59_998, 59_997, 59_996]);
  });
});
