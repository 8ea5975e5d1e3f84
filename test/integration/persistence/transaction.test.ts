import { jest } from '@jest/globals';
import pg from 'pg';
import { Cursors, newId, Table, TenantDatabase, uuidIn, violates } from '#persistence';
import { SystemDatabase } from '#system-database';
import { Property } from '../../../src/tenancy/properties/property.entity.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let database: TenantDatabase;
let properties: Table<Property>;
let orgId: string;

let fresh: FreshDatabase;

beforeAll(async () => {
  fresh = await freshDatabase();
  await planAsUsual(fresh.url);
  service = await startApp({}, { database: fresh });
  database = service.app.get(TenantDatabase);
  properties = new Table(database, Property, service.app.get(Cursors));
  const { body } = await service.api.get('/me');
  orgId = body.data.organization.id;
});
afterAll(async () => {
  await service.close();
  expect(await idleConnectionsTo(fresh.url)).toBe(0);
  await fresh.drop();
});

/** The databases of tests plan every statement once, whoever sends it. */
async function planAsUsual(connectionString: string): Promise<void> {
  const owner = new pg.Client({ connectionString });
  await owner.connect();
  const { rows } = await owner.query('select current_database() as name');
  await owner.query(`alter database ${rows[0].name} set plan_cache_mode = 'auto'`);
  await owner.end();
}

/** Postgres needs a moment for a connection that has just been closed. */
const idleConnectionsTo = async (url: string): Promise<number> => {
  const watcher = new pg.Client({ connectionString: url });
  await watcher.connect();
  const others = `select 1 from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and state = 'idle'`;
  const deadline = performance.now() + 5_000;
  let { rowCount } = await watcher.query(others);
  while (rowCount && performance.now() < deadline) ({ rowCount } = await watcher.query(others));
  await watcher.end();
  return rowCount ?? 0;
};

const property = (): Property =>
  Object.assign(new Property(), {
    orgId,
    id: newId('property'),
    address: null,
    geo: null,
    capacity: null,
    wifi: null,
    automaticTasks: [],
    cleaningStatus: 'clean' as const,
    roomStatusFollowsWork: true,
    feedToken: Buffer.from(newId('feed')),
    feedHash: Buffer.from(newId('feed')),
    archivedAt: null,
    name: 'Casa "Azul", 1º',
    timezone: 'Europe/Lisbon',
    type: 'apartment' as const,
    checkInTime: '15:00',
    checkOutTime: '10:00',
    tags: ['sea', 'with "quotes", commas'],
    metadata: { floor: '2' },
    externalRefs: [],
    version: 1,
    createdAt: '2026-03-01T10:00:00.000Z',
    updatedAt: '2026-03-01T10:00:00.000Z',
  });

it('plans the statements of a transaction once, and no others', async () => {
  const mode = async () =>
    (await database.rows(orgId, `select current_setting('plan_cache_mode') as mode`, []))[0]?.mode;
  expect(await mode()).toBe('auto');
  expect(await database.transaction(orgId, mode)).toBe('force_generic_plan');
  expect(await mode()).toBe('auto');
});

const find = (id: string) => properties.findOne(orgId, properties.where(orgId).and('id = ?', uuidIn(id)));

it('keeps what it was given, through either kind of insert', async () => {
  const [one, other] = [property(), property()];
  await database.transaction(orgId, async () => {
    await properties.insert(one);
    properties.insertAtCommit(other);
  });
  expect(await find(one.id)).toEqual(one);
  expect(await find(other.id)).toEqual(other);
});

it('sends deferred statements before the next one, whether ours or TypeORM’s', async () => {
  const [one, other] = [property(), property()];
  await database.transaction(orgId, async () => {
    properties.insertAtCommit(one);
    expect(await find(one.id)).toEqual(one);
    properties.insertAtCommit(other);
    await database.execute(database.builder.update(Property).set({ name: 'Later' }).where({ orgId, id: other.id }));
  });
  expect((await find(other.id))?.name).toBe('Later');
});

it('sends what is asked for at the same time in one trip, and gives each its own rows', async () => {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  const number = (n: number) => database.rows(orgId, 'select $1::int as n', [n]);
  const seen = await database.transaction(orgId, async () => {
    database.defer(orgId, 'select 0', []);
    return await Promise.all([number(1), number(2), number(3)]);
  });
  const texts = query.mock.calls.map(([batch]) => JSON.stringify((batch as { statements?: unknown }).statements ?? ''));
  query.mockRestore();
  // The service sends other statements at the same time.
  expect(texts.filter((text) => text.includes('select $1::int as n'))).toHaveLength(1);
  expect(seen).toEqual([[{ n: 1 }], [{ n: 2 }], [{ n: 3 }]]);
});

it('rejects all that was asked for with a statement that fails', async () => {
  const failing = database.transaction(orgId, () =>
    Promise.allSettled([database.rows(orgId, 'select 1', []), database.rows(orgId, 'select 1 / 0', [])]),
  );
  await expect(failing).rejects.toThrow('ROLLBACK');
});

it('sends many statements in several trips, in one transaction', async () => {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  const write = (...more: Property[]) =>
    database.transaction(orgId, async () => {
      for (const one of [...many, ...more]) properties.insertAtCommit(one);
    });
  const many = Array.from({ length: 120 }, property);
  const [first, last] = [many[0] as Property, many.at(-1) as Property];
  await expect(write(last)).rejects.toMatchObject({ constraint: 'properties_pkey' });
  expect(await find(first.id)).toBeUndefined();
  query.mockClear();
  await write();
  expect(query.mock.calls.length).toBeGreaterThanOrEqual(3);
  query.mockRestore();
  expect(await find(first.id)).toEqual(first);
  expect(await find(last.id)).toEqual(last);
});

it('sends long lists in several trips', async () => {
  const query = jest.spyOn(pg.Client.prototype, 'query');
  const list = Array.from({ length: 400 }, (_, n) => n);
  const heard: number[] = [];
  await database.transaction(orgId, async () => {
    for (let n = 0; n < 3; n += 1)
      database.defer(orgId, 'select unnest($1::int[])', [list], (rows) => heard.push(rows.length));
    await Promise.resolve();
  });
  expect(query.mock.calls.length).toBeGreaterThanOrEqual(3);
  query.mockRestore();
  expect(heard).toEqual([400, 400, 400]);
});

it('leaves nothing behind when the work fails, whatever was sent by then', async () => {
  const [sent, deferred] = [property(), property()];
  const work = async (): Promise<void> => {
    await properties.insert(sent);
    properties.insertAtCommit(deferred);
    throw new Error('no');
  };
  await expect(database.transaction(orgId, work)).rejects.toThrow('no');
  expect([await find(sent.id), await find(deferred.id)]).toEqual([undefined, undefined]);
});

it('is all or nothing if everything was deferred', async () => {
  const one = property();
  const twice = database.transaction(orgId, async () => {
    properties.insertAtCommit(one);
    properties.insertAtCommit(one);
  });
  await expect(twice).rejects.toMatchObject({ constraint: 'properties_pkey' });
  expect(await find(one.id)).toBeUndefined();
});

it('reports a violation immediately for an immediate insert, and cannot commit after it', async () => {
  const one = property();
  const swallowed = database.transaction(orgId, async () => {
    await properties.insert(one);
    const error: unknown = await properties.insert(one).catch((thrown: unknown) => thrown);
    expect(violates(error, 'properties_pkey')).toBe(true);
  });
  await expect(swallowed).rejects.toThrow('ROLLBACK');
  expect(await find(one.id)).toBeUndefined();
});

it('lets row security check what was deferred', async () => {
  const foreign = Object.assign(property(), { orgId: newId('org') });
  const write = database.transaction(orgId, async () => {
    database.defer(orgId, 'insert into roles values ($1, $2, $3, null, $4, 1, now(), now())', [
      uuidIn(foreign.orgId),
      uuidIn(foreign.id),
      'Foreign',
      [],
    ]);
  });
  await expect(write).rejects.toThrow('row-level security');
  await expect(database.transaction(orgId, () => properties.insert(foreign))).rejects.toThrow('one organization');
});

it('rejects a write outside a transaction', async () => {
  expect(() => properties.insertAtCommit(property())).toThrow('needs a transaction');
  await expect(properties.insert(property())).rejects.toThrow('needs a transaction');
});

it('runs what waits for the commit only after it', async () => {
  const calls: string[] = [];
  await database.transaction(orgId, async () => {
    database.afterCommit(() => calls.push('committed'));
    calls.push('working');
  });
  const failed = database.transaction(orgId, async () => {
    database.afterCommit(() => calls.push('never'));
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(calls).toEqual(['working', 'committed']);
});

it('writes what was kept in one piece, at the end, and never if that was undone', async () => {
  const written: string[][] = [];
  const write = async (names: readonly string[]) => void written.push([...names]);
  const writeOther = (names: readonly string[]) => void written.push([...names]);
  const keep = (name: string) => database.keep(write, [name]);
  await database.transaction(orgId, async () => {
    keep('first');
    await database.attempt(async () => keep('second'));
    const failing = database.attempt(async () => {
      keep('never');
      database.keep(writeOther, ['never either']);
      await database.rows(orgId, 'select 1 / 0', []);
    });
    await expect(failing).rejects.toMatchObject({ code: '22012' });
    keep('third');
    expect(written).toEqual([]);
  });
  await database.rehearse(orgId, 5_000, async () => keep('rehearsed'));
  await database.transaction(orgId, async () => {
    const part = database.beginPart();
    keep('rolled back');
    await database.undoPart(part);
  });
  expect(written).toEqual([['first', 'second', 'third']]);
});

it('writes what was kept in the transaction', async () => {
  const one = property();
  const write = async (names: readonly string[]) => {
    for (const name of names) properties.insertAtCommit(Object.assign(one, { name }));
  };
  await database.transaction(orgId, async () => database.keep(write, ['Kept']));
  expect((await find(one.id))?.name).toBe('Kept');
});

it('writes again what a part that failed has written', async () => {
  const one = property();
  const write = async (names: readonly string[]) => {
    for (const name of names) properties.insertAtCommit(Object.assign(one, { name }));
  };
  await database.transaction(orgId, async () => {
    database.keep(write, ['Kept']);
    const failing = database.attempt(async () => {
      await database.writeKept();
      await database.flush();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
  });
  expect((await find(one.id))?.name).toBe('Kept');
});

it.each([
  ['before it sent anything', async (): Promise<void> => {}],
  ['after it sent something', async () => void (await database.rows(orgId, 'select 1', []))],
])('undoes a part of a transaction that failed %s, and only that', async (_, send) => {
  const [before, within, after] = [property(), property(), property()];
  await database.transaction(orgId, async () => {
    properties.insertAtCommit(before);
    const failing = database.attempt(async () => {
      properties.insertAtCommit(within);
      await send();
      throw new Error('no');
    });
    await expect(failing).rejects.toThrow('no');
    properties.insertAtCommit(after);
  });
  expect((await Promise.all([before, within, after].map(({ id }) => find(id)))).map(Boolean)).toEqual([
    true,
    false,
    true,
  ]);
});

describe('a part within a part, before which something was deferred that fails,', () => {
  async function workOn(id: string): Promise<void> {
    const twice = property();
    await properties.insert(Object.assign(property(), { id }));
    properties.insertAtCommit(twice);
    properties.insertAtCommit(twice);
    await database.attempt(async () => void (await database.rows(orgId, 'select 1', [])));
  }

  it('fails together with it, and the transaction continues', async () => {
    const id = newId('property');
    await database.transaction(orgId, async () => {
      await expect(database.attempt(() => workOn(id))).rejects.toMatchObject({ constraint: 'properties_pkey' });
      expect(await database.rows(orgId, 'select 1 as n', [])).toEqual([{ n: 1 }]);
    });
    expect(await find(id)).toBeUndefined();
  });

  it('does not undo it unnoticed', async () => {
    const unnoticed = () => workOn(newId('property')).catch(() => undefined);
    const transaction = database.transaction(orgId, () => database.attempt(unnoticed));
    await expect(transaction).rejects.toMatchObject({ code: '25P02' });
  });
});

it('fails with its own error if what was deferred before a part of it fails', async () => {
  const one = property();
  const failing = database.transaction(orgId, async () => {
    properties.insertAtCommit(one);
    properties.insertAtCommit(one);
    await database.attempt(async () => {});
  });
  await expect(failing).rejects.toMatchObject({ constraint: 'properties_pkey' });
  expect(await find(one.id)).toBeUndefined();
});

it('prepares no more statements than a server should keep, however many texts there are', async () => {
  for (let text = 0; text < 600; text += 1) await database.rows(orgId, `select ${text} as n`, []);
  expect(await database.rows(orgId, 'select 599 as n', [])).toEqual([{ n: 599 }]);
  const [prepared] = await database.rows(orgId, 'select count(*) as n from pg_prepared_statements', []);
  expect(prepared?.n).toBeLessThanOrEqual(510);
});

it('accepts a response that arrived while the process was busy, and abandons a silent server', async () => {
  const system = service.app.get(SystemDatabase);
  const asked = system.rows('select 1 as one', [], 200);
  await new Promise(setImmediate);
  const busyUntil = performance.now() + 300;
  while (performance.now() < busyUntil);
  expect(await asked).toEqual([{ one: 1 }]);
  await expect(system.rows('select pg_sleep(10)', [], 20)).rejects.toMatchObject({ status: 503 });
});
