import { readFileSync } from 'node:fs';
import { readConfig } from '../../src/platform/config/app.config.js';

describe('REGION_URLS', () => {
  it('names cells, the default first', () => {
    const { regionUrls } = readConfig({ REGION_URLS: 'eu=https://eu.example.com/, us=https://us.example.com' });
    expect(Object.entries(regionUrls)).toEqual([
      ['eu', 'https://eu.example.com'],
      ['us', 'https://us.example.com'],
    ]);
  });

  it.each([
    'mars=https://mars.example.com',
    'https://us.example.com',
    'us=',
    'us=https://us.example.com/api',
    'us=https://a.example,us=https://b.example',
  ])('rejects %s', (value) => expect(() => readConfig({ REGION_URLS: value })).toThrow(/^REGION_URLS must/));
});

it.each([
  ['PORT', '0'],
  ['DATABASE_WAIT_MS', '0'],
  ['LIMITS_TIMEOUT_MS', '0'],
  ['DATABASE_URL', 'db.example.com'],
  ['DATABASE_LISTEN_URL', 'db.example.com'],
  ['ALLOWED_ORIGINS', 'https://a.example, b.example'],
  ['ADMIN_EMAIL', 'owner'],
])('%s is rejected by name if it is %s', (name, value) =>
  expect(() => readConfig({ [name]: value })).toThrow(`${name} must`),
);

it.each([
  ['DATABASE_WAIT_MS', 'databaseWaitMs'],
  ['LIMITS_TIMEOUT_MS', 'limitsTimeoutMs'],
  ['OVERLOAD_DELAY_MS', 'overloadDelayMs'],
] as const)('%s has the default that docs/operating.md states', (variable, name) => {
  const stated = new RegExp(`\\| \`${variable}\` +\\| (\\d+)`).exec(readFileSync('docs/operating.md', 'utf8'));
  expect(String(readConfig({})[name])).toBe(stated?.[1]);
});

it('creates demo data in the first organization by default', () =>
  expect([readConfig({}).demo, readConfig({ DEMO: 'off' }).demo]).toEqual([true, false]));

it('accepts origins of browsers and of programs', () => {
  const given = ['https://app.example.com', 'http://localhost:6274', 'vscode-webview://one'];
  expect(readConfig({ ALLOWED_ORIGINS: given.join(', ') }).allowedOrigins).toEqual(given);
});

describe('REQUIRE_TLS', () => {
  const encrypted = {
    REQUIRE_TLS: 'on',
    BASE_URL: 'https://ops.example.com',
    MCP_URL: 'https://ops.example.com',
    DATABASE_URL: 'postgresql://ops@db-1:5432,db-2:5432/ops?target_session_attrs=read-write&sslmode=verify-full',
    REDIS_URL: 'rediss://redis.example.com',
    SMTP_URL: 'smtp://mail.example.com:587?requireTLS=true',
    REGION_URLS: 'us=https://us.example.com',
  };
  it('starts if everything is encrypted, or stays on this machine', () => {
    expect(readConfig(encrypted).requiresTls).toBe(true);
    const here = { DATABASE_URL: 'postgresql://ops@/ops?host=/run/postgresql', REDIS_URL: 'redis://127.0.0.1' };
    expect(readConfig({ REQUIRE_TLS: 'on', ...here, SMTP_URL: 'smtp://localhost' }).requiresTls).toBe(true);
  });

  it.each([
    ['BASE_URL', 'http://ops.example.com'],
    ['MCP_URL', 'http://mcp.example.com'],
    ['DATABASE_URL', 'postgresql://ops@localhost:5432,db-2:5432/ops'],
    ['DATABASE_URL', 'postgresql://ops@db-1/ops?sslmode=require'],
    ['DATABASE_LISTEN_URL', 'postgresql://ops@db-1/ops?sslmode=disable'],
    ['REDIS_URL', 'redis://redis.example.com'],
    ['SMTP_URL', 'smtp://mail.example.com:587'],
    ['REGION_URLS', 'us=https://us.example.com,eu=http://eu.example.com'],
    ['OVERPASS_URL', 'http://maps.example.com/api'],
  ])('rejects %s if it is %s, and nothing without it', (name, value) => {
    const settings = { ...encrypted, [name]: value };
    expect(() => readConfig(settings)).toThrow(new RegExp(`not encrypted: ${name} \\([^;]+\\)\\.$`));
    expect(readConfig({ ...settings, REQUIRE_TLS: 'off' }).requiresTls).toBe(false);
  });
});

describe('TRUSTED_PROXIES', () => {
  it.each([
    [undefined, 0],
    ['2', 2],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('%s is %j', (value, read) => expect(readConfig({ TRUSTED_PROXIES: value }).trustedProxies).toEqual(read));

  it.each(['33', '-1', 'everyone', '10.0.0.0/33', '1, 2'])('rejects %s', (value) =>
    expect(() => readConfig({ TRUSTED_PROXIES: value })).toThrow(/^TRUSTED_PROXIES must/),
  );
});
