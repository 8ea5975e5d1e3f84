import { jest } from '@jest/globals';
import { ConnectionsRepository } from '../../../src/outside/connections/connections.repository.js';
import { SyncsService } from '../../../src/outside/connections/syncs.service.js';
import type { Json } from '../../support/api.js';
import { calendar, stay } from '../../support/calendar-server.js';
import { clock } from '../../support/clock.js';
import { doorNames, doors } from '../../support/doors.js';
import { propertyOf } from '../../support/factories.js';
import { until } from '../../support/feed.js';
import { performDue } from '../../support/jobs.js';
import { CalendarWorld } from './calendar-world.js';

let world: CalendarWorld;
beforeAll(async () => {
  world = await CalendarWorld.start();
});
beforeEach(() => world.reset());
afterEach(() => clock.restore());
afterAll(() => world.close());

it('are not synced while their organization is closed', async () => {
  const id = await world.connect();
  const due = async () =>
    (await world.service.app.get(ConnectionsRepository).claims.due(new Date(Date.now() + 60_000).toISOString())).map(
      (row) => row.id,
    );
  expect(await due()).toContain(id);
  await world.database.query(`update organizations set status = 'closed'`);
  expect(await due()).toEqual([]);
  await world.database.query(`update organizations set status = 'active'`);
  expect(await due()).toContain(id);
});

describe('syncConnection', () => {
  const failing: [string, () => void, RegExp][] = [
    ['a page', () => (world.calendars.answer.body = '<html>Sign in</html>'), /did not return a calendar/],
    ['an error', () => (world.calendars.answer = { status: 500, body: '' }), /returned 500/],
    [
      'a redirect',
      () => (world.calendars.answer = { status: 302, body: '', headers: { location: '/b' } }),
      /a redirect/,
    ],
    [
      'half a file',
      () => (world.calendars.answer.body = calendar(stay('z@x', '20280101', '20280103')).slice(0, -30)),
      /malformed/,
    ],
    [
      'a file with one bad event',
      () => (world.calendars.answer.body = calendar(stay('z@x', '20280101', '20280103'), ['UID:bad@x'])),
      /bad@x/,
    ],
    [
      'too large a file',
      () => (world.calendars.answer.body = `BEGIN:VCALENDAR\r\n${' '.repeat(10_600_000)}`),
      /larger than/,
    ],
  ];
  it.each(failing)('whose response is %s changes nothing, and returns the reason', async (_, answer, why) => {
    const place = await propertyOf(world.api, 'Broken');
    world.calendars.answer.body = calendar(stay('a@x', '20270701', '20270704'));
    const id = await world.connect({ propertyId: place });
    await world.api.post(`/connections/${id}/sync`);
    const before = (await world.api.get(`/reservations?propertyId=${place}`)).text;
    answer();
    const { status, body } = await world.api.post(`/connections/${id}/sync`);
    expect([status, body.data.status]).toEqual([200, 'degraded']);
    expect(body.data.reason).toMatch(why);
    expect(body.data.errors[0].message).toBe(body.data.reason);
    const after = (await world.api.get(`/reservations?propertyId=${place}`)).text;
    expect(JSON.parse(after).data).toEqual(JSON.parse(before).data);
    world.calendars.answer = { status: 200, body: calendar(stay('a@x', '20270701', '20270704')) };
    const healed = (await world.api.post(`/connections/${id}/sync`)).body.data;
    expect(healed).toMatchObject({ status: 'connected', reason: null, lastSync: { unchanged: 1, created: 0 } });
    expect(healed.errors).toHaveLength(1);
  });

  it('never contacts an address that the guard forbids, however it was stored', async () => {
    const id = await world.connect();
    await world.database.query(
      `update connections set settings = settings || '{"url": "https://127.0.0.1:1/"}' where id = $1`,
      [id.split('_')[1]],
    );
    const { body } = await world.api.post(`/connections/${id}/sync`);
    expect(body.data).toMatchObject({
      status: 'degraded',
      reason: expect.stringContaining('not on the public internet'),
    });
  });

  it('holds no transaction open while it waits for the provider', async () => {
    const id = await world.connect();
    let idle: unknown[] = ['never asked'];
    world.calendars.during = async () => {
      const { rows } = await world.database.query(
        `select query from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      );
      idle = rows;
    };
    for (const headers of [undefined, { 'idempotency-key': 'sync-open' }]) {
      idle = ['never asked'];
      await world.api.post(`/connections/${id}/sync`, undefined, headers);
      expect(idle).toEqual([]);
    }
  });

  it('runs after another one in progress, so that each imports the newest state', async () => {
    const place = await propertyOf(world.api, 'Raced');
    const id = await world.connect({ propertyId: place });
    let running = 0;
    world.calendars.answer.body = calendar(stay('a@x', '20270701', '20270704'), stay('b@x', '20270801', '20270804'));
    world.calendars.during = async () => {
      running += 1;
      expect(running).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
    };
    const replies = await Promise.all(Array.from({ length: 4 }, () => world.api.post(`/connections/${id}/sync`)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    const made = replies.map(({ body }) => body.data.lastSync.created).sort();
    expect(made).toEqual([0, 0, 0, 2]);
    expect((await world.api.get(`/reservations?propertyId=${place}`)).body.data).toHaveLength(2);
  });

  it('has no effect when the connection changes during it', async () => {
    const place = await propertyOf(world.api, 'Changed');
    const id = await world.connect({ propertyId: place });
    world.calendars.answer.body = calendar(stay('a@x', '20270701', '20270704'));
    world.calendars.during = async () => void (await world.api.post(`/connections/${id}/disconnect`));
    const { status, body } = await world.api.post(`/connections/${id}/sync`);
    expect([status, body.error.message]).toEqual([409, expect.stringContaining('changed during the sync')]);
    expect((await world.api.get(`/reservations?propertyId=${place}`)).body.data).toEqual([]);
    expect((await world.api.get(`/connections/${id}`)).body.data.status).toBe('disconnected');
  });
});

describe.each(doorNames)('a sync that takes long, over %s', (door) => {
  const { ask } = {
    ask: (name: string, input: object) => doors(world.service)[door].as(world.api.key).ask(name, input),
  };
  const named = async (connectionId: string): Promise<Json> => (await ask('getConnection', { connectionId })).body.data;

  it('returns after 10 seconds with where to follow it, and continues', async () => {
    const connectionId = await world.connect({ propertyId: await propertyOf(world.api, 'Slow') });
    world.calendars.answer.body = calendar(stay('a@x', '20270701', '20270704'));
    const asked = world.calendars.asked;
    const [isAsked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.calendars.during = async () => {
      isAsked.resolve();
      await answers.promise;
    };
    clock.set(Date.now());
    const first = ask('syncConnection', { connectionId });
    await isAsked.promise;
    world.calendars.during = undefined;
    clock.advance(10_000);
    const startedAt = expect.any(String);
    const currentSync = { startedAt, created: 0, updated: 0, cancelled: 0, unchanged: 0, left: null };
    expect(await first).toMatchObject({ status: 202, body: { data: { id: connectionId, currentSync } } });
    // It waits for the first sync, but not longer than the first request did.
    const taking = jest.spyOn(world.service.app.get(ConnectionsRepository).claims, 'takeEarly');
    const again = ask('syncConnection', { connectionId });
    await until(
      () => Promise.resolve(taking.mock.calls.length),
      (tries) => tries > 0,
    );
    clock.advance(10_000);
    expect(await again).toMatchObject({ status: 202, body: { data: { currentSync } } });
    taking.mockRestore();
    answers.resolve();
    const done = await until(
      () => named(connectionId),
      (one) => one.currentSync === null,
    );
    expect(done).toMatchObject({ status: 'connected', lastSync: { created: 1 } });
    // The second sync reads the calendar again.
    expect([world.calendars.asked - asked, Date.parse(done.nextSyncAt) <= Date.now()]).toEqual([1, true]);
    await performDue(world.service.app.get(SyncsService));
    expect(world.calendars.asked - asked).toBeGreaterThan(1);
    expect(Date.parse((await named(connectionId)).nextSyncAt)).toBeGreaterThan(Date.now());
  });
});

describe('an Idempotency-Key of a request that calls another system', () => {
  const keyed = { 'idempotency-key': 'sync-1' };

  it('calls the provider once, and returns the same response again', async () => {
    const id = await world.connect();
    const asked = world.calendars.asked;
    const first = await world.api.post(`/connections/${id}/sync`, undefined, keyed);
    const again = await world.api.post(`/connections/${id}/sync`, undefined, keyed);
    expect([again.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([200, first.text, 'true']);
    expect(world.calendars.asked).toBe(asked + 1);
    expect((await world.api.post(`/connections/${await world.connect()}/sync`, undefined, keyed)).status).toBe(422);
  });

  it('is in flight while the first request runs', async () => {
    const id = await world.connect();
    const headers = { 'idempotency-key': 'sync-2' };
    let retry: number | undefined;
    world.calendars.during = async () => {
      world.calendars.during = undefined;
      retry = (await world.api.post(`/connections/${id}/sync`, undefined, headers)).status;
    };
    expect((await world.api.post(`/connections/${id}/sync`, undefined, headers)).status).toBe(200);
    expect(retry).toBe(409);
  });

  it('is taken over when its process has ended', async () => {
    const id = await world.connect();
    const headers = { 'idempotency-key': 'sync-3' };
    await world.api.post(`/connections/${id}/sync`, undefined, headers);
    await world.database.query(
      `update idempotency_records set status = null, headers = null, body = null, lease_until = $1 where key = 'sync-3'`,
      [new Date(Date.now() + 60_000)],
    );
    expect((await world.api.post(`/connections/${id}/sync`, undefined, headers)).status).toBe(409);
    clock.advance(60_001);
    const asked = world.calendars.asked;
    const retry = await world.api.post(`/connections/${id}/sync`, undefined, headers);
    expect([retry.status, retry.headers.has('idempotent-replayed')]).toEqual([200, false]);
    expect(world.calendars.asked).toBe(asked + 1);
  });

  it('keeps an error that a retry would get again, and frees the key after any other', async () => {
    const id = await world.connect();
    await world.api.post(`/connections/${id}/disconnect`);
    const refused = { 'idempotency-key': 'sync-4' };
    const first = await world.api.post(`/connections/${id}/sync`, undefined, refused);
    const again = await world.api.post(`/connections/${id}/sync`, undefined, refused);
    expect([first.status, again.text, again.headers.get('idempotent-replayed')]).toEqual([409, first.text, 'true']);

    const other = await world.connect();
    const passing = { 'idempotency-key': 'sync-5' };
    world.calendars.during = async () => {
      world.calendars.during = undefined;
      await world.api.patch(`/connections/${other}`, {
        settings: { url: `${world.calendars.url}?again`, propertyId: world.propertyId },
      });
    };
    expect((await world.api.post(`/connections/${other}/sync`, undefined, passing)).status).toBe(409);
    expect((await world.api.post(`/connections/${other}/sync`, undefined, passing)).status).toBe(200);
  });
});

describe('due syncs', () => {
  const syncs = () => world.service.app.get(SyncsService);
  const next = async (id: string) => Date.parse((await world.api.get(`/connections/${id}`)).body.data.nextSyncAt);

  it('run every quarter of an hour, once however many nodes look', async () => {
    clock.set('2030-01-01T00:00:00Z');
    await performDue(syncs());
    const id = await world.connect();
    const asked = world.calendars.asked;
    await Promise.all([performDue(syncs()), performDue(syncs()), performDue(syncs())]);
    expect(world.calendars.asked).toBe(asked + 1);
    expect(await next(id)).toBe(Date.parse('2030-01-01T00:15:00Z'));
    clock.set('2030-01-01T00:14:59Z');
    await performDue(syncs());
    expect(world.calendars.asked).toBe(asked + 1);
    await world.api.post(`/connections/${id}/disconnect`);
    clock.set('2030-01-01T00:15:00Z');
    const others = await world.database.query(`select 1 from connections where next_sync_at <= '2030-01-01T00:15:00Z'`);
    await performDue(syncs());
    expect(world.calendars.asked).toBeLessThanOrEqual(asked + 1 + others.rows.length);
    expect((await world.api.get(`/connections/${id}`)).body.data.lastSyncAt).toBe('2030-01-01T00:00:00.000Z');
  });

  it('back off when they fail, up to six hours', async () => {
    clock.set('2031-01-01T00:00:00Z');
    const id = await world.connect();
    world.calendars.answer = { status: 500, body: '' };
    const rests: number[] = [];
    for (let count = 0; count < 7; count += 1) {
      await world.api.post(`/connections/${id}/sync`);
      rests.push(((await next(id)) - Date.now()) / 60_000);
    }
    expect(rests).toEqual([15, 30, 60, 120, 240, 360, 360]);
    expect((await world.api.get(`/connections/${id}`)).body.data.errors).toHaveLength(5);
  });

  it('are taken over immediately from a process that shuts down, and after a minute from one that was killed', async () => {
    clock.set('2032-01-01T00:00:00Z');
    await performDue(syncs());
    const id = await world.connect();
    await performDue(syncs());
    const { claims } = world.service.app.get(ConnectionsRepository);
    const isDue = async (): Promise<boolean> =>
      (await claims.due(new Date().toISOString())).some((row) => row.id === id);
    const [isAsked, answers] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    world.calendars.during = async () => {
      isAsked.resolve();
      await answers.promise;
    };
    const asked = world.api.post(`/connections/${id}/sync`);
    await isAsked.promise;
    clock.advance(10_000);
    expect([(await asked).status, await isDue()]).toEqual([202, false]);
    clock.advance(50_000);
    expect(await isDue()).toBe(true);
    answers.resolve();
    await until(
      () => next(id),
      (at) => at > Date.now(),
    );
    world.calendars.during = () => {
      void syncs().beforeApplicationShutdown();
      return Promise.resolve();
    };
    const { status, headers } = await world.api.post(`/connections/${id}/sync`);
    expect([status, headers.get('location')]).toEqual([202, `/api/v1/connections/${id}`]);
    expect(await isDue()).toBe(true);
  });
});
