import { jest } from '@jest/globals';
import type { Request } from 'express';
import { MinuteRateStore } from '#limits';
import { AddressLimits } from '../../../src/edge/limits/address-limits.js';
import type { Json } from '../../support/api.js';
import { clock } from '../../support/clock.js';
import { expectEnvelope, refusals } from '../../support/envelope.js';
import { mcpOf } from '../../support/mcp.js';
import { metricsAt, series } from '../../support/metrics.js';
import { freePort, owner, type Service, startApp } from '../../support/start-app.js';

/** Behind one proxy, so that a test chooses its addresses. */
let service: Service;
let metricsPort: number;
beforeAll(async () => {
  metricsPort = await freePort();
  service = await startApp({ TRUSTED_PROXIES: '1', METRICS_PORT: String(metricsPort) });
});
afterAll(() => service.close());
/** Each test starts 40 seconds before the end of a minute that no other test has used. */
let now = Date.parse('2030-05-05T12:00:20Z');
beforeEach(() => clock.set((now += 600_000)));
afterEach(() => {
  jest.restoreAllMocks();
  clock.restore();
});

const cheap = '/.well-known/oauth-protected-resource';

async function ask(path: string, from: string, { headers, ...init }: RequestInit = {}) {
  const response = await fetch(service.url + path, {
    redirect: 'manual',
    ...init,
    headers: { 'x-forwarded-for': from, ...(headers as Record<string, string>) },
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.includes('json');
  return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : undefined) as Json };
}

async function spend(from: string, count = 600, path = cheap): Promise<number[]> {
  const statuses: number[] = [];
  for (let sent = 0; sent < count; sent += 50) {
    const batch = Array.from({ length: Math.min(50, count - sent) }, () => ask(path, from));
    statuses.push(...(await Promise.all(batch)).map(({ status }) => status));
  }
  return statuses;
}

/** As many requests as would take too long to send. */
async function count(from: string, times: number): Promise<void> {
  const limits = service.app.get(AddressLimits);
  for (let n = 0; n < times; n += 1) await limits.take({ context: {}, ip: from } as Request);
}

const form = (fields: Record<string, string>): RequestInit => ({ method: 'POST', body: new URLSearchParams(fields) });

describe('an address without a credential', () => {
  it('has 600 requests per minute, and more when the next minute starts', async () => {
    const from = '198.51.100.1';
    const countedRefusals = async () =>
      (await metricsAt(metricsPort))[series('limit_refusals_total', { limit: 'address' })];
    const before = (await countedRefusals()) ?? 0;
    expect(new Set(await spend(from))).toEqual(new Set([200]));
    const refused = await ask(cheap, from);
    expectEnvelope(refused, refusals.limited);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(refused.headers.has('x-ratelimit-limit')).toBe(false);
    expect(refused.body.error).toMatchObject({
      message: 'API rate limit exceeded',
      details: {
        vendor: 'property-operations',
        retryAfterSeconds: 40,
        rateLimit: { limit: 600, remaining: 0, resetAtEpochSeconds: now / 1_000 + 40 },
      },
    });
    expect(await countedRefusals()).toBe(before + 1);
    expect((await ask(cheap, '198.51.100.2')).status).toBe(200);
    clock.advance(40_000);
    expect((await ask(cheap, from)).status).toBe(200);
  });

  it.each(['/sign-in', '/nowhere'])('gets an error page when a person requests %s', async (path) => {
    await count('203.0.113.6', 600);
    const headers = { accept: 'text/html', 'x-forwarded-for': '203.0.113.6' };
    const response = await fetch(service.url + path, { headers });
    expect(response.status).toBe(429);
    expect(response.headers.get('content-type')).toContain('text/html');
    expect(await response.text()).toContain('Too many requests came from your network. Try again in 40 s.');
  });

  it.each([
    ['a calendar', '/calendars/abc.ics', {}],
    ['a guide', '/guides/abc', {}],
    ['the link of an attachment', '/attachments/org_1/file_1', {}],
    ['an application’s record', '/global/applications/app_1', {}],
    ['the page for forgotten passwords', '/forgot-password', {}],
    ['a password reset', '/forgot-password', form({ email: owner.email })],
    ['the sign-in page', '/sign-in', {}],
    ['a sign-in', '/sign-in', form(owner)],
    ['an unsubscribe link', '/unsubscribe/abc', {}],
    ['a message from a vendor', '/device-messages/org_1/connection_1', { method: 'POST' }],
    ['the OpenAPI document', '/openapi.json', {}],
    ['the reference', '/docs', {}],
    ['the token endpoint', '/oauth/token', form({ grant_type: 'refresh_token' })],
    ['the registration endpoint', '/oauth/register', { method: 'POST' }],
    ['the authorization endpoint', '/oauth/authorize', {}],
    ['an unknown path', '/nowhere', {}],
    ['an unknown path below /api/v1', '/api/v1/nowhere', {}],
    ['the API', '/api/v1/tasks', {}],
    ['/mcp', '/mcp', { method: 'POST' }],
  ])('spends one budget on everything: %s', async (_, path, init: RequestInit) => {
    await count('203.0.113.5', 600);
    const refused = await ask(path, '203.0.113.5', init);
    expectEnvelope(refused, refusals.limited);
    expect(refused.headers.get('retry-after')).toBe('40');
    expect(refused.headers.has('www-authenticate')).toBe(false);
    expect((await ask(path, '203.0.114.5', init)).status).not.toBe(429);
  });

  it('never has a probe rejected', async () => {
    await count('203.0.113.6', 600);
    for (const probe of ['/healthz', '/readyz']) expect((await ask(probe, '203.0.113.6')).status).toBe(200);
  });

  it('is the one that the proxy reports, and not the one that the client claims', async () => {
    await count('198.51.100.7', 600);
    expect((await ask(cheap, '192.0.2.1, 198.51.100.7')).status).toBe(429);
    expect((await ask(cheap, '198.51.100.7, 192.0.2.1')).status).toBe(200);
  });

  it('is the same address in every notation', async () => {
    await count('198.51.100.8', 600);
    expect((await ask(cheap, '::ffff:198.51.100.8')).status).toBe(429);
  });
});

describe('a credential', () => {
  const as = (key: string): RequestInit => ({ headers: { authorization: `Bearer ${key}` } });

  it('that is valid is never rejected for its address, nor counts against it', async () => {
    const from = '198.51.100.20';
    const paid = await Promise.all(Array.from({ length: 40 }, () => ask('/api/v1/me', from, as(service.key))));
    expect(new Set(paid.map(({ status }) => status))).toEqual(new Set([200]));
    await count(from, 600);
    expect((await ask(cheap, from)).status).toBe(429);
    expect((await ask('/api/v1/me', from, as(service.key))).status).toBe(200);
    expect((await ask('/api/v1/nowhere', from, as(service.key))).status).toBe(404);
    const { status } = await mcpOf(service.url, service.key).call(
      'getMe',
      {},
      { headers: { 'x-forwarded-for': from } },
    );
    expect(status).toBe(200);
  });

  it('that is invalid counts against its address, over REST and MCP', async () => {
    const from = '198.51.100.21';
    await count(from, 598);
    const wrong = as('sk_live_nobody_knows_this_key_0123456789');
    expectEnvelope(await ask('/api/v1/me', from, wrong), refusals.unauthorized);
    expectEnvelope(await ask('/mcp', from, { ...wrong, method: 'POST' }), refusals.unauthorized);
    expectEnvelope(await ask('/api/v1/me', from, wrong), refusals.limited);
    expectEnvelope(await ask('/mcp', from, { ...wrong, method: 'POST' }), refusals.limited);
  });
});

describe('a network', () => {
  it.each([
    ['203.0.115', (n: number) => `203.0.115.${n}`, '203.0.116.1'],
    ['2001:db8:7::/48', (n: number) => `2001:db8:7:${n}::1`, '2001:db8:8::1'],
  ])('has 6,000 requests a minute: %s', async (_, address, outside) => {
    for (let n = 1; n <= 10; n += 1) await count(address(n), n === 10 ? 599 : 600);
    expect((await ask(cheap, address(11))).status).toBe(200);
    const refused = await ask(cheap, address(12));
    expectEnvelope(refused, refusals.limited);
    expect(refused.body.error.details.rateLimit.limit).toBe(6_000);
    expect((await ask(cheap, outside)).status).toBe(200);
  });

  it('is not charged for what one of its addresses is refused', async () => {
    await count('203.0.117.1', 600);
    await Promise.allSettled(Array.from({ length: 6_000 }, () => count('203.0.117.1', 1)));
    expect((await ask(cheap, '203.0.117.2')).status).toBe(200);
  });
});

describe('an address limiter that is down', () => {
  it('leaves each process to count separately', async () => {
    jest.spyOn(service.app.get(MinuteRateStore), 'increment').mockRejectedValue(new Error('down'));
    expect((await ask(cheap, '198.51.100.30')).status).toBe(200);
    await count('198.51.100.30', 599);
    expect((await ask(cheap, '198.51.100.30')).status).toBe(429);
  });
});

describe('loopback', () => {
  it('is exempt if no proxy is trusted, whatever the request claims', async () => {
    const alone = await startApp({}, { database: service.database, keyring: service.keyring });
    try {
      const limits = alone.app.get(AddressLimits);
      for (const ip of ['127.0.0.1', '::1', '::ffff:127.0.0.1'])
        for (let n = 0; n < 601; n += 1) await limits.take({ context: {}, ip } as Request);
      const reply = await fetch(alone.url + cheap, { headers: { 'x-forwarded-for': '198.51.100.1' } });
      expect(reply.status).toBe(200);
    } finally {
      await alone.close();
    }
  });

  it('counts if a proxy is trusted', async () => {
    await count('127.0.0.1', 600);
    expect((await ask(cheap, '127.0.0.1')).status).toBe(429);
  });
});
