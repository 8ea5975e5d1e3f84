import type { Reply } from '../../support/api.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
beforeAll(async () => {
  service = await startApp({ BASE_URL: 'https://api.example.org' });
});
afterAll(() => service.close());

const headersOf = ({ headers }: Reply): Record<string, string | null> =>
  Object.fromEntries(
    [
      'x-content-type-options',
      'content-security-policy',
      'referrer-policy',
      'cache-control',
      'strict-transport-security',
      'x-powered-by',
    ].map((name) => [name, headers.get(name)]),
  );

const expected = {
  'x-content-type-options': 'nosniff',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'; base-uri 'none'",
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
  'strict-transport-security': 'max-age=31536000; includeSubDomains',
  'x-powered-by': null,
};

describe('the security headers', () => {
  it('are on successful and on error responses', async () => {
    const answers = [await service.api.get('/me'), await service.api.as(undefined).get('/me')];
    expect(answers.map(({ status }) => status)).toEqual([200, 401]);
    expect(answers.map(headersOf)).toEqual([expected, expected]);
  });

  it('require https only if the service has it', async () => {
    const plain = await startApp();
    try {
      expect((await plain.api.get('/me')).headers.get('strict-transport-security')).toBeNull();
    } finally {
      await plain.close();
    }
  });
});
