import { expectEnvelope, refusals } from '../support/envelope.js';
import { keyWith } from '../support/factories.js';
import { doorNames, openTarget, type Target } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe.each(doorNames)('KEY over %s', (door) => {
  it('is shown once, and begins with sk_live_', async () => {
    const { body } = await target.ask[door]('createApiKey', { name: 'Shown once', scopes: ['tasks:read'] });
    const { id, key } = body.data;
    expect(key).toMatch(/^sk_(live|test)_[A-Za-z0-9_]{24,}$/);
    const later = [
      await target.ask[door]('getApiKey', { keyId: id }),
      await target.ask[door]('listApiKeys', { limit: 100 }),
    ];
    for (const { status, body: shown } of later) {
      expect([status, JSON.stringify(shown).includes(key)]).toEqual([200, false]);
    }
  });

  it('carries exactly the scopes chosen', async () => {
    const { body } = await target.ask[door]('createApiKey', { name: 'Reader', scopes: ['tasks:read'] });
    const { key } = body.data;
    expect((await target.ask[door]('getMe', {}, { key })).body.data.permissions).toEqual(['tasks:read']);
    expect((await target.ask[door]('listTasks', {}, { key })).status).toBe(200);
    expect((await target.ask[door]('listProperties', {}, { key })).status).toBe(403);
  });

  it('is told which permission is missing', async () => {
    const { key } = await keyWith(target.api, { scopes: ['tasks:read'] });
    const { status, body } = await target.ask[door]('createTask', { name: 'x' }, { key });
    expect([status, body.error.type]).toEqual([403, 'authorization_error']);
    expect(body.error.message).toMatch(/^Missing permission/);
  });

  it('is refused once it is revoked', async () => {
    const { id, key } = await keyWith(target.api);
    expect((await target.ask[door]('getMe', {}, { key })).status).toBe(200);
    await target.ask[door]('revokeApiKey', { keyId: id });
    const reply = await target.ask[door]('getMe', {}, { key });
    expect(reply.status).toBe(401);
    expectEnvelope(reply, refusals.unauthorized);
  });
});

describe('KEY', () => {
  it('is sent as Authorization: Bearer, and in no other way', async () => {
    const { key, api } = await keyWith(target.api);
    const nobody = target.api.as(undefined);
    expect((await api.get('/me')).status).toBe(200);
    const others = [
      await nobody.get('/me', { authorization: key }),
      await nobody.get('/me', { authorization: `Basic ${btoa(`${key}:`)}` }),
      await nobody.get('/me', { 'x-api-key': key }),
      await nobody.get(`/me?api_key=${key}`),
    ];
    expect(others.map(({ status }) => status)).toEqual([401, 401, 401, 401]);
  });

  it('shares its budget with no other key of the organization', async () => {
    const [one, two] = [await keyWith(target.api), await keyWith(target.api)];
    const left = async ({ api }: typeof one) => Number((await api.get('/me')).headers.get('x-ratelimit-remaining'));
    for (let request = 0; request < 5; request += 1) await left(one);
    expect(await left(two)).toBe(59_999);
  });
});
