import { readConfig } from '../../src/platform/config/app.config.js';

describe('REGION_URLS', () => {
  it('names cells, the nearest first', () => {
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
])('%s is rejected by name where it is %s', (name, value) =>
  expect(() => readConfig({ [name]: value })).toThrow(`${name} must`),
);

it('takes origins of browsers and of programs', () => {
  const given = ['https://app.example.com', 'http://localhost:6274', 'vscode-webview://one'];
  expect(readConfig({ ALLOWED_ORIGINS: given.join(', ') }).allowedOrigins).toEqual(given);
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
