import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { keyWith, propertyOf, stayOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { type Pooler, startPooler, withPooler } from '../../support/pooler.js';
import { type Service, startApp } from '../../support/start-app.js';

/** Twenty connections of the service share three sessions of PostgreSQL. */
withPooler()('behind PgBouncer in transaction mode', () => {
  let database: FreshDatabase;
  let pooler: Pooler;
  let service: Service;
  beforeAll(async () => {
    database = await freshDatabase();
    pooler = await startPooler(database.url);
    service = await startApp({ DATABASE_LISTEN_URL: database.url }, { database: { ...database, url: pooler.url } });
  });
  afterAll(async () => {
    await service.close();
    await pooler.stop();
    await database.drop();
  });

  it('answers many requests of several organizations at a time, each with its own rows', async () => {
    const names = Array.from({ length: 20 }, (_, number) => `Task ${number}`);
    const created = await Promise.all(names.map((name) => service.api.post('/tasks', { name })));
    expect(created.map(({ status }) => status)).toEqual(names.map(() => 201));
    const read = await Promise.all(created.map(({ body }) => service.api.get(`/tasks/${body.data.id}`)));
    expect(read.map(({ body }) => body.data.name as string)).toEqual(names);
  });

  it('leaves its role and organization to no other client of a session', async () => {
    await service.api.get('/tasks');
    const other = new pg.Client({ connectionString: pooler.url });
    await other.connect();
    // Null in a session that the service has not used yet.
    const org = `coalesce(current_setting('app.org_id', true), '')`;
    const { rows } = await other.query(`select current_user as who, ${org} as org`);
    await other.end();
    expect(rows).toEqual([{ who: 'owner', org: '' }]);
  });

  it('keeps a write, its idempotency and its refusal in one transaction', async () => {
    const { api } = await keyWith(service.api);
    const propertyId = await propertyOf(api);
    await stayOf(api, { propertyId });
    const again = { propertyId, checkInDate: '2030-07-02', checkOutDate: '2030-07-04' };
    expect((await api.post('/reservations', again)).body.error.code).toBe('RESERVATION_OVERLAP');
    const key = { 'Idempotency-Key': randomUUID() };
    const [first, second] = [
      await api.post('/tasks', { name: 'Once' }, key),
      await api.post('/tasks', { name: 'Once' }, key),
    ];
    expect(second.body).toEqual(first.body);
  });

  it('does its background work', async () => {
    const wishes = { provider: 'simulator', kind: 'pms', name: 'Simulated', credentials: {}, settings: {} };
    const { body } = await service.api.post('/connections', wishes);
    const stays = await until(
      () => service.api.get(`/reservations?limit=100`),
      (answer) => answer.body.data.some(({ source }: { source: string }) => source === 'provider'),
    );
    expect([body.data.provider, stays.status]).toEqual(['simulator', 200]);
  });
});
