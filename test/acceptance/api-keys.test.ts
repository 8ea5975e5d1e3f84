import { expectEnvelope, refusals } from '../support/envelope.js';
import { keyWith } from '../support/factories.js';
import { doorNames, openTarget, type Target, TARGET_URL } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe.each(doorNames)('KEY over %s', (door) => {
  it('is shown once, and begins with sk_live_', async () => {
    const { body } = await target.ask[door]('createApiKey', { name: 'Shown once', scopes: ['tasks:read'] });
    const { id, key } = body.data;
    expect(key).toMatch(TARGET_URL ? /^sk_(live|test)_[A-Za-z0-9_]{24,}$/ : /^sk_live_[A-Za-z0-9_]{24,}$/);
    const later = [
      await target.ask[door]('getApiKey', { keyId: id }),
      await target.ask[door]('listApiKeys', { limit: 100 }),
    ];
    for (const { status, body: shown } of later) {
      expect([status, JSON.stringify(shown).includes(key)]).toEqual([200, false]);
    }
  });

  it('has exactly the chosen scopes', async () => {
    const { body } = await target.ask[door]('createApiKey', { name: 'Reader', scopes: ['tasks:read'] });
    const { key } = body.data;
    expect((await target.ask[door]('getMe', {}, { key })).body.data.permissions).toEqual(['tasks:read']);
    expect((await target.ask[door]('listTasks', {}, { key })).status).toBe(200);
    expect((await target.ask[door]('listProperties', {}, { key })).status).toBe(403);
  });

  it('gets an error that names the missing permission', async () => {
    const { key } = await keyWith(target.api, { scopes: ['tasks:read'] });
    const { status, body } = await target.ask[door]('createTask', { name: 'x' }, { key });
    expect([status, body.error.type]).toEqual([403, 'authorization_error']);
    expect(body.error.message).toMatch(/^Missing permission/);
  });

  it('is rejected after it is revoked', async () => {
    const { id, key } = await keyWith(target.api);
    expect((await target.ask[door]('getMe', {}, { key })).status).toBe(200);
    await target.ask[door]('revokeApiKey', { keyId: id });
    const reply = await target.ask[door]('getMe', {}, { key });
    expect(reply.status).toBe(401);
    expectEnvelope(reply, refusals.unauthorized);
  });

  it('is sent only as Authorization: Bearer', async () => {
    const { key } = await keyWith(target.api);
    const statusWith = async (headers: Record<string, string>): Promise<number> =>
      (await target.ask[door]('getMe', {}, { key: undefined, headers })).status;
    expect(await statusWith({ authorization: `Bearer ${key}` })).toBe(200);
    const others: Record<string, string>[] = [
      { authorization: key },
      { authorization: `Basic ${btoa(`${key}:`)}` },
      { 'x-api-key': key },
    ];
    expect(await Promise.all(others.map(statusWith))).toEqual([401, 401, 401]);
  });

  it('shares its budget with no other key of the organization', async () => {
    const [one, two] = [await keyWith(target.api), await keyWith(target.api)];
    const left = async ({ key }: typeof one): Promise<number> =>
      Number((await target.ask[door]('getMe', {}, { key })).headers.get('x-ratelimit-remaining'));
    for (let request = 0; request < 5; request += 1) await left(one);
    expect(await left(two)).toBe(59_999);
  });
});

describe('KEY', () => {
  it('is not read from a URL', async () => {
    const nobody = target.api.as(undefined);
    const asked = [
      await nobody.get(`/me?api_key=${target.api.key}`),
      await nobody.post(`/mcp?access_token=${target.api.key}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' }),
    ];
    expect(asked.map(({ status }) => status)).toEqual([401, 401]);
  });
});
