import { type Ops, refusalOf, startOps } from '../../support/ops.js';
import { type Service, startApp } from '../../support/start-app.js';
import type { Api, Json } from '../../support/api.js';

let service: Service;
let ops: Ops;
beforeAll(async () => {
  service = await startApp();
  ops = await startOps(service);
});
afterAll(async () => {
  await ops.close();
  await service.close();
});

async function organization(slug: string): Promise<Api> {
  await ops(`org create --name Demo --slug ${slug}`);
  const { key } = await ops(`api-key create --org ${slug} --name k --scopes * --rate-per-minute 60000`);
  return service.api.as(key);
}

async function all(api: Api, path: string): Promise<Json[]> {
  const page = `${path}${path.includes('?') ? '&' : '?'}limit=100`;
  const rows: Json[] = [];
  for (let cursor = ''; ;) {
    const { data, meta } = (await api.get(`${page}${cursor && `&cursor=${cursor}`}`)).body;
    rows.push(...(data as Json[]));
    if (meta.pagination.nextCursor === null) return rows;
    cursor = meta.pagination.nextCursor as string;
  }
}

const valuesOf = (rows: Json[], field: string): string[] =>
  [...new Set(rows.map((row) => row[field] as string))].sort();

describe('demo', () => {
  let api: Api;
  let made: Json;
  beforeAll(async () => {
    api = await organization('lively');
    made = await ops('demo --org lively');
  });

  it('creates what it reports', async () => {
    const [properties, reservations, tasks] = [
      await all(api, '/properties'),
      await all(api, '/reservations'),
      [...(await all(api, '/tasks')), ...(await all(api, '/tasks?archived=true'))],
    ];
    expect(made).toMatchObject({
      properties: properties.length,
      reservations: reservations.length,
      tasks: tasks.length,
    });
    expect(reservations.length).toBeGreaterThanOrEqual(30);
  });

  it('shows stays and tasks in every state', async () => {
    const [stays, tasks] = [await all(api, '/reservations'), await all(api, '/tasks')];
    expect(valuesOf(stays, 'status')).toEqual(
      ['cancelled', 'confirmed', 'declined', 'expired', 'inquiry', 'pending'], // oxfmt-ignore
    );
    expect(valuesOf(stays, 'stayStatus')).toEqual(['checked_in', 'checked_out', 'no_show', 'not_arrived']);
    expect(valuesOf(tasks, 'status')).toEqual(['cancelled', 'completed', 'in_progress', 'pending']);
    expect(valuesOf(tasks, 'source')).toEqual(['automatic', 'manual']);
    expect(tasks.filter(({ recurrence }) => recurrence)).toHaveLength(2);
    expect(tasks.some(({ assigneeIds }) => assigneeIds.length > 0)).toBe(true);
  });

  it('has locks and a thermostat that can be controlled', async () => {
    const devices = await all(api, '/devices');
    expect([devices.length, valuesOf(devices, 'type')]).toEqual([made.devices, ['lock', 'thermostat']]);
    const lock = devices.find(({ type, propertyId }) => type === 'lock' && propertyId);
    expect((await api.post(`/devices/${lock.id}/unlock`)).body.data).toMatchObject({ status: 'succeeded' });
  });

  it('has a guest in house today, and nobody checked in before their arrival', async () => {
    const today = new Date().toISOString().slice(0, 10);
    const stays = await all(api, '/reservations?stayStatus=checked_in');
    expect(stays.length).toBeGreaterThan(0);
    expect(stays.every(({ checkInDate, checkOutDate }) => checkInDate < today && checkOutDate > today)).toBe(true);
  });

  it('has a hotel that sells forty rooms by type', async () => {
    const [hotel] = await all(api, '/properties?q=Aurora');
    const at = `/properties/${hotel?.id}`;
    const rooms = await all(api, `${at}/units`);
    expect([rooms.length, valuesOf(rooms, 'unitTypeId').length, valuesOf(rooms, 'floor').length]).toEqual([40, 4, 5]);
    const stays = await all(api, `/reservations?propertyId=${hotel?.id}`);
    expect(valuesOf(stays, 'occupies')).toEqual(['unit', 'unit_type']);
    expect(valuesOf(stays, 'stayStatus')).toEqual(['checked_in', 'checked_out', 'no_show', 'not_arrived']);
    expect(stays.filter(({ groupRef }) => groupRef !== null)).toHaveLength(15);
    expect(stays.filter(({ checkInDate, checkOutDate }) => checkInDate === checkOutDate)).toHaveLength(1);
    expect(
      stays.filter(({ occupiedUntil, checkOutDate }) => occupiedUntil !== null && occupiedUntil < checkOutDate),
    ).toHaveLength(1);
    const blocks = await all(api, `${at}/unit-blocks`);
    expect(valuesOf(blocks, 'kind')).toEqual(['out_of_order', 'owner_use']);
  });

  it('creates people with the built-in roles', async () => {
    const members = (await all(api, '/members')).filter(({ kind }) => kind === 'user');
    expect(valuesOf(members, 'status')).toEqual(['active', 'invited']);
    expect(members).toHaveLength(made.members);
  });

  it('is rejected if it ran before, and changes nothing', async () => {
    expect(await refusalOf(ops('demo --org lively'))).toMatchObject({ status: 409, code: 'DEMO_EXISTS' });
    expect(await all(api, '/properties')).toHaveLength(made.properties);
  });

  it('fills a second organization of the same service', async () => {
    await organization('lively-too');
    expect(await ops('demo --org lively-too')).toEqual(made);
  });
});

describe('load', () => {
  it('creates consecutive tasks and stays, newest last', async () => {
    const api = await organization('heavy');
    expect(await ops('load --org heavy --rows 600')).toEqual({
      properties: 3,
      guests: 150,
      reservations: 600,
      tasks: 600,
    });
    const page = (await api.get('/reservations?limit=100')).body.data as Json[];
    const made = page.map(({ createdAt }) => createdAt as string);
    expect(made).toEqual([...made].sort().reverse());
    expect(valuesOf(page, 'overlapping')).toEqual([false]);
    const today = new Date().toISOString().slice(0, 10);
    expect((await all(api, `/reservations?stayingOn=${today}`)).length).toBeGreaterThan(0);
    expect((await api.get('/tasks/counts')).body.data).toMatchObject({ cancelled: 30 });
    const [task] = (await api.get('/tasks?limit=1')).body.data as Json[];
    expect((await api.get(`/reservations/${task.reservationId}`)).body.data.propertyId).toBe(task.propertyId);
  });

  it('rejects an invalid number of rows', async () => {
    expect(await refusalOf(ops('load --org heavy --rows 0'))).toMatchObject({ status: 400 });
  });
});
