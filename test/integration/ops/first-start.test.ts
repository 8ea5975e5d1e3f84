import { newApiKey } from '#regions';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { type ServiceProcess, startProcess } from '../../support/service-process.js';

let database: FreshDatabase;
beforeEach(async () => {
  database = await freshDatabase();
});
afterEach(() => database.drop());

const start = (env: Record<string, string> = {}): Promise<ServiceProcess> =>
  startProcess({ DATABASE_URL: database.url, ...env });

it('brings people and stays to try things with, and the tasks that stays bring', async () => {
  const service = await start();
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

it('refuses a first key that would be 401 for ever', async () => {
  await expect(start({ ADMIN_API_KEY: newApiKey('live', 'eu') })).rejects.toThrow(
    /belongs to region eu, but this is us/,
  );
});
