import { newApiKey } from '#regions';
import { startProcess } from '../../support/service-process.js';

it('brings people and stays to try things with, and the tasks that stays bring', async () => {
  const service = await startProcess();
  try {
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    const { data: arrivals } = (await service.api.get(`/reservations?arrivingOn=${tomorrow}`)).body;
    expect(arrivals.length).toBeGreaterThan(0);
    const { data: tasks } = (await service.api.get('/tasks?type=cleaning')).body;
    expect(tasks[0]).toMatchObject({ source: 'automatic', reservationId: expect.any(String) as string });
  } finally {
    await service.close();
  }
});

it.each([
  ['with a checksum that is off', `sk_live_us_${'A'.repeat(49)}`, /last 6 characters do not fit/],
  ['of another region', newApiKey('live', 'eu'), /a key of region eu, and this is us/],
  ['of another environment', newApiKey('test', 'us'), /must begin with sk_live_/],
])('refuses a first key %s, which would be 401 for ever', async (_kind, key, message) => {
  await expect(startProcess({ ADMIN_API_KEY: key })).rejects.toThrow(message);
});
