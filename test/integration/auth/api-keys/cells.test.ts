import { apiOf } from '../../../support/api.js';
import { expectEnvelope, refusals } from '../../../support/envelope.js';
import { keyWith } from '../../../support/factories.js';
import { startApp } from '../../../support/start-app.js';

/** A cell of another region and environment. */
describe('a test cell of region eu', () => {
  it('issues keys that name it, accepts them, and rejects keys of other cells', async () => {
    const cell = await startApp({ REGION: 'eu', ENVIRONMENT: 'test' });
    try {
      const { key, api } = await keyWith(cell.api);
      expect(key).toMatch(/^sk_test_eu_/);
      expect((await api.get('/me')).body.data.region).toBe('eu');
      const live = apiOf(cell.url, 'sk_live_first_key_of_the_tests_0123456789');
      expectEnvelope(await live.get('/me'), refusals.unauthorized);
      expect((await live.get('/me')).body.error.message).toMatch(/live environment; .* the test environment/);
    } finally {
      await cell.close();
    }
  });
});
