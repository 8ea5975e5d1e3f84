import { readConfig } from '../../src/app.config.js';

describe('REGION_URLS', () => {
  it('names cells, the nearest first', () => {
    const { regionUrls } = readConfig({ REGION_URLS: 'eu=https://eu.example.com/, us=https://us.example.com' });
    expect(Object.entries(regionUrls)).toEqual([
      ['eu', 'https://eu.example.com'],
      ['us', 'https://us.example.com'],
    ]);
  });

  it.each(['mars=https://mars.example.com', 'https://us.example.com', 'us=', 'us=https://us.example.com/api'])(
    'refuses %s',
    (value) => expect(() => readConfig({ REGION_URLS: value })).toThrow(/^REGION_URLS must/),
  );
});

describe('TRUSTED_PROXIES', () => {
  it.each([
    [undefined, 0],
    ['2', 2],
    ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
  ])('%s is %j', (value, read) => expect(readConfig({ TRUSTED_PROXIES: value }).trustedProxies).toEqual(read));

  it.each(['33', '-1', 'everyone', '10.0.0.0/33', '1, 2'])('refuses %s', (value) =>
    expect(() => readConfig({ TRUSTED_PROXIES: value })).toThrow(/^TRUSTED_PROXIES must/),
  );
});
