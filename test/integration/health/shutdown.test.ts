import { startProcess } from '../../support/service-process.js';

describe('a process that receives SIGTERM', () => {
  it('is not ready, serves for the configured time, and exits with 0', async () => {
    const service = await startProcess({ DRAIN_SECONDS: '2' });
    try {
      expect((await service.api.get('/readyz')).status).toBe(200);
      service.child.kill('SIGTERM');
      let readiness = 200;
      while (readiness === 200) readiness = (await service.api.get('/readyz')).status;
      expect(readiness).toBe(503);
      expect((await service.api.get('/me')).status).toBe(200);
      expect(await service.ended).toBe(0);
    } finally {
      await service.close();
    }
  });
});
