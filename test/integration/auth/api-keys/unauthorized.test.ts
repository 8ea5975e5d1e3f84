import { jest } from '@jest/globals';
import pg from 'pg';
import { newApiKey } from '#regions';
import { CredentialsRepository } from '../../../../src/auth/bearer/credentials.repository.js';
import { clock } from '../../../support/clock.js';
import { expectEnvelope, refusals } from '../../../support/envelope.js';
import { keyWith } from '../../../support/factories.js';
import { startTenant, type Tenant } from '../../../support/tenant.js';

let tenant: Tenant;
beforeAll(async () => {
  tenant = await startTenant();
});
afterAll(() => tenant.close());
afterEach(() => {
  jest.restoreAllMocks();
  clock.restore();
});

const withHeader = (authorization: string | undefined) =>
  tenant.api.as(undefined).get('/me', authorization === undefined ? {} : { authorization });

/** A different last digit, so that the checksum is wrong. */
const misread = (key: string): string => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0');

async function query(sql: string, values: unknown[]): Promise<void> {
  const database = new pg.Client({ connectionString: tenant.service.database.url });
  await database.connect();
  await database.query(sql, values);
  await database.end();
}

describe('returns 401 for a credential that is', () => {
  it.each([
    ['missing', undefined, /^Send a credential/],
    ['empty', '', /must read: Bearer/],
    ['only the word Bearer', 'Bearer', /must read: Bearer/],
    ['of another scheme', 'Basic dXNlcjpwYXNz', /must read: Bearer/],
    ['two words', 'Bearer sk_live_a sk_live_b', /must read: Bearer/],
    ['too long', `Bearer sk_live_${'x'.repeat(600)}`, /must read: Bearer/],
    ['not one of our keys', 'Bearer hunter2', /^Unknown credential/],
    ['too short for a key', 'Bearer sk_live_short', /^Unknown credential/],
    ['unknown', `Bearer ${newApiKey('live', 'us')}`, /^Unknown credential/],
    ['misread', `Bearer ${misread(newApiKey('live', 'us'))}`, /^Unknown credential/],
    [
      'of region eu',
      `Bearer ${newApiKey('live', 'eu')}`,
      /region eu; this address serves region us. Use that region's address/,
    ],
    ['of region apac', `Bearer ${newApiKey('live', 'apac')}`, /region apac; this address serves region us/],
    [
      'of the test environment',
      `Bearer ${newApiKey('test', 'us')}`,
      /test environment; .* the live environment. Use a key that begins with sk_live_/,
    ],
  ])('%s', async (_, authorization, message) => {
    const reply = await withHeader(authorization);
    expectEnvelope(reply, refusals.unauthorized);
    expect(reply.body.error.message).toMatch(message);
    const challenge = `resource_metadata="${tenant.service.config.mcpUrl}/.well-known/oauth-protected-resource"`;
    const error = authorization === undefined ? '' : 'error="invalid_token", ';
    const [header, scope] = (reply.headers.get('www-authenticate') ?? '').split(', scope=');
    expect(header).toBe(`Bearer ${error}${challenge}`);
    expect(scope).toMatch(/^"[a-z: -]*tasks:read [a-z: -]*offline_access"$/);
    expect(reply.headers.has('x-ratelimit-limit')).toBe(false);
  });

  it('revoked', async () => {
    const { id, api } = await keyWith(tenant.api);
    await tenant.api.post(`/api-keys/${id}/revoke`);
    const reply = await api.get('/me');
    expectEnvelope(reply, refusals.unauthorized);
    expect(reply.body.error.message).toMatch(/was revoked/);
  });

  it('expired, from that very moment', async () => {
    const { api } = await keyWith(tenant.api, { expiresAt: '2030-05-05T14:00:00+02:00' });
    clock.set('2030-05-05T11:59:59.999Z');
    expect((await api.get('/me')).status).toBe(200);
    clock.set('2030-05-05T12:00:00.000Z');
    const reply = await api.get('/me');
    expectEnvelope(reply, refusals.unauthorized);
    expect(reply.body.error.message).toMatch(/has expired/);
  });

  it.each(['suspended', 'removed'])('of a member who is %s', async (status) => {
    const { id, api } = await keyWith(tenant.api);
    const member = (await tenant.api.get(`/api-keys/${id}`)).body.data.memberId as string;
    await query('update members set status = $2 where id = $1', [member.replace('member_', ''), status]);
    const reply = await api.get('/me');
    expectEnvelope(reply, refusals.unauthorized);
    expect(reply.body.error.message).toMatch(/member .* not active/);
  });

  it('of an organization that is suspended', async () => {
    const org = (await tenant.stranger.get('/me')).body.data.organization.id as string;
    const put = (status: string) =>
      query('update organizations set status = $2 where id = $1', [org.replace('org_', ''), status]);
    await put('suspended');
    const reply = await tenant.stranger.get('/me');
    await put('active');
    expectEnvelope(reply, refusals.unauthorized);
    expect(reply.body.error.message).toMatch(/organization .* not active/);
    expect((await tenant.stranger.get('/me')).status).toBe(200);
  });
});

it('rejects a mistyped key without a database query', async () => {
  const look = jest.spyOn(tenant.service.app.get(CredentialsRepository), 'findKey');
  const key = newApiKey('live', 'us');
  await withHeader(`Bearer ${misread(key)}`);
  expect(look).not.toHaveBeenCalled();
  await withHeader(`Bearer ${key}`);
  expect(look).toHaveBeenCalled();
});

it('accepts the scheme in any case', async () => {
  expect((await withHeader(`bearer ${tenant.key}`)).status).toBe(200);
  expect((await withHeader(`BEARER  ${tenant.key}`)).status).toBe(200);
});
