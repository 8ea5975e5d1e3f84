import pg from 'pg';
import { runBatch, type Statement } from '../../../libs/persistence/batch.js';
import { types } from '../../../libs/persistence/iso-time.js';
import { freshDatabase } from '../../support/database.js';

const setting = "select current_setting('app.org_id', true) as org";
const setOrg = (org: string): Statement => ({
  name: 'org',
  text: "select set_config('app.org_id', $1, true)",
  values: [org],
});
const one: Statement = { name: 'one', text: 'select 1 as one', values: [] };
const insert = (id: number): Statement => ({ name: 'insert', text: 'insert into notes values ($1)', values: [id] });
const prepared = 'select name from pg_prepared_statements where not from_sql order by name collate "C"';

describe('runBatch', () => {
  let database: Awaited<ReturnType<typeof freshDatabase>>;
  let client: pg.Client;

  const connect = async (config: pg.ClientConfig = {}): Promise<pg.Client> => {
    const connected = new pg.Client({ connectionString: database.url, types, options: '-c timezone=UTC', ...config });
    await connected.connect();
    return connected;
  };
  const noteIds = async (): Promise<number[]> =>
    (await client.query<{ id: number }>('select id from notes order by id')).rows.map((row) => row.id);
  const preparedNames = async (): Promise<string[]> =>
    (await client.query<{ name: string }>(prepared)).rows.map((row) => row.name);

  beforeAll(async () => {
    database = await freshDatabase();
  });
  afterAll(() => database.drop());

  beforeEach(async () => {
    client = await connect();
    await client.query('create table notes (id int primary key)');
  });
  afterEach(async () => {
    await client.query('drop table notes');
    await client.end();
  });

  it('returns the rows of each statement, named, unnamed, empty or without rows', async () => {
    const statements: Statement[] = [
      one,
      { text: 'select $1::int + 1 as next', values: [41] },
      insert(1),
      { text: '', values: [] },
      { text: 'select id from notes where false', values: [] },
      { name: 'two', text: 'select * from (values (1), (2)) as t(n)', values: [] },
    ];
    const rows = [[{ one: 1 }], [{ next: 42 }], [], [], [], [{ n: 1 }, { n: 2 }]];
    expect(await runBatch(client, statements)).toEqual(rows);
    await client.query('delete from notes');
    expect(await runBatch(client, statements)).toEqual(rows);
    expect(await runBatch(client, [])).toEqual([]);
  });

  it('asks the server once for the columns of a named statement', async () => {
    let descriptions = 0;
    (client as unknown as { connection: pg.Connection }).connection.on('rowDescription', () => (descriptions += 1));
    for (let i = 0; i < 3; i++) expect(await runBatch(client, [one])).toEqual([[{ one: 1 }]]);
    expect(descriptions).toBe(1);
  });

  it('is one transaction, which leaves nothing behind', async () => {
    const [, [within] = [], [first] = [], [second] = []] = await runBatch(client, [
      setOrg('org-1'),
      { text: setting, values: [] },
      { text: 'select pg_current_xact_id()::text as id', values: [] },
      { text: 'select pg_current_xact_id()::text as id', values: [] },
    ]);
    expect(within).toEqual({ org: 'org-1' });
    expect(first).toEqual(second);
    expect((await client.query(setting)).rows).toEqual([{ org: '' }]);
    expect(await runBatch(client, [{ text: setting, values: [] }])).toEqual([[{ org: '' }]]);
    expect(client.getTransactionStatus()).toBe('I');
  });

  it('takes part in an open transaction', async () => {
    await client.query('begin');
    await runBatch(client, [setOrg('org-1'), insert(1)]);
    expect((await client.query(setting)).rows).toEqual([{ org: 'org-1' }]);
    await client.query('rollback');
    expect(await noteIds()).toEqual([]);
  });

  it('can end an open transaction', async () => {
    await client.query('begin');
    await runBatch(client, [insert(1), { text: 'commit', values: [] }]);
    expect(client.getTransactionStatus()).toBe('I');
    expect(await noteIds()).toEqual([1]);
  });

  describe.each([
    ['in Parse', { name: 'bad', text: 'select nothing from nowhere', values: [] }, '42P01'],
    ['in Bind', { name: 'bad', text: 'select $1::uuid', values: ['not a uuid'] }, '22P02'],
    ['in Execute', { name: 'bad', text: 'select 1 / (id - id) from notes', values: [] }, '22012'],
    ['after some rows', { name: 'bad', text: 'select 1 / (2 - n) from generate_series(1, 3) n', values: [] }, '22012'],
  ] as const)('when a statement fails %s', (phase, failing, code) => {
    const bad: Statement = { ...failing, values: [...failing.values] };

    it.each([0, 1, 2])('rejects at position %i, keeps nothing and continues', async (position) => {
      const statements = [setOrg('org-1'), insert(1)];
      statements.splice(position, 0, bad);
      // Execution must have a row to fail on.
      await client.query('insert into notes values (0)');

      for (let round = 0; round < 2; round++) {
        await expect(runBatch(client, statements)).rejects.toMatchObject({ code });
        expect(client.getTransactionStatus()).toBe('I');
        expect(
          (await client.query(`select coalesce(nullif(current_setting('app.org_id', true), ''), '-') org`)).rows,
        ).toEqual([{ org: '-' }]);
        expect(await noteIds()).toEqual([0]);
      }
      expect(await runBatch(client, [setOrg('org-2'), { text: setting, values: [] }])).toMatchObject([
        [{}],
        [{ org: 'org-2' }],
      ]);
      await runBatch(client, [insert(1), insert(2)]);
      expect(await noteIds()).toEqual([0, 1, 2]);
    });

    it('remembers what was parsed, not what failed or was skipped', async () => {
      await client.query('insert into notes values (0)');
      await expect(runBatch(client, [one, bad, insert(1)])).rejects.toMatchObject({ code });
      const known = phase === 'in Parse' ? ['one'] : ['bad', 'one'];
      expect(await preparedNames()).toEqual(known);
      const { parsedStatements } = (client as unknown as { connection: { parsedStatements: object } }).connection;
      expect(Object.keys(parsedStatements).sort()).toEqual(known);
    });
  });

  it('runs a statement that failed to parse once it can be parsed', async () => {
    const later: Statement = { name: 'later', text: 'select id from later', values: [] };
    await expect(runBatch(client, [setOrg('org-1'), later])).rejects.toMatchObject({ code: '42P01' });
    await client.query('create table later as select 7 as id');
    expect((await runBatch(client, [setOrg('org-1'), later]))[1]).toEqual([{ id: 7 }]);
    await client.query('drop table later');
  });

  it('rejects for a constraint that is checked at the end', async () => {
    await client.query('create table links (id int references notes deferrable initially deferred)');
    const link: Statement = { text: 'insert into links values (1)', values: [] };
    await expect(runBatch(client, [link, one])).rejects.toMatchObject({ code: '23503' });
    await runBatch(client, [link, insert(1)]);
    expect((await client.query('select id from links')).rows).toEqual([{ id: 1 }]);
    await client.query('drop table links');
  });

  it('shares prepared statements with the client', async () => {
    const ofClient = { name: 'shared', text: 'select $1::int as n' };
    expect((await client.query({ ...ofClient, values: [1] })).rows).toEqual([{ n: 1 }]);
    expect(await runBatch(client, [one, { ...ofClient, values: [2] }])).toEqual([[{ one: 1 }], [{ n: 2 }]]);
    expect((await client.query(one)).rows).toEqual([{ one: 1 }]);
    expect(await preparedNames()).toEqual(['one', 'shared']);
  });

  it('rejects a second text under the same name and sends nothing', async () => {
    const other: Statement = { ...one, text: 'select 2 as one' };
    await expect(runBatch(client, [insert(1), one, other])).rejects.toThrow("'one' has another text");
    await client.query(one);
    await expect(runBatch(client, [insert(1), other])).rejects.toThrow("'one' has another text");
    expect(await noteIds()).toEqual([]);
  });

  it('rejects a value that cannot be sent and sends nothing', async () => {
    const circular: Record<string, unknown> = {};
    circular.itself = circular;
    const bad: Statement = { name: 'json', text: 'select $1::json', values: [circular] };
    await expect(runBatch(client, [insert(1), bad])).rejects.toThrow(TypeError);
    expect(await noteIds()).toEqual([]);
    expect(await preparedNames()).toEqual([]);
  });

  it('answers many parallel batches in order, among ordinary queries and errors', async () => {
    const asked = Array.from({ length: 60 }, (_, i): Promise<unknown> => {
      const read: Statement = { name: 'read', text: `select $1::int as i, ${setting.slice(7)}`, values: [i] };
      if (i % 5 === 1) return client.query(read).then(({ rows }) => rows as unknown);
      if (i % 5 === 2) return client.query(`select ${i} as i`).then(({ rows }) => rows as unknown);
      if (i % 5 === 3)
        return runBatch(client, [setOrg('x'), { text: 'select 1 / 0', values: [] }, read]).catch(() => i);
      return runBatch(client, [setOrg(`org-${i}`), read]).then(([, rows]) => rows);
    });
    const expected = asked.map((_, i) => {
      if (i % 5 === 1) return [{ i, org: '' }];
      if (i % 5 === 2) return [{ i }];
      return i % 5 === 3 ? i : [{ i, org: `org-${i}` }];
    });
    expect(await Promise.all(asked)).toEqual(expected);
  });

  it('carries nulls, arrays, json, times and bytes both ways', async () => {
    const text = `select $1::text as nothing, $2::int[] as ints, $3::text[] as texts, $4::jsonb as json,
      $5::timestamptz as at, $6::bytea as bytes, $7::bool as yes, $8::numeric as exact, $9::int8 as big`;
    const json = { a: [1, null, '"\\é'], b: { c: true } };
    const bytes = Buffer.from([0, 255, 92, 39]);
    const at = '2026-11-21T03:25:00.123Z';
    const values = [null, [1, null, 3], ['a,b', '"', null, 'NULL'], json, at, bytes, true, '10.50', 12];
    const row = {
      nothing: null,
      ints: [1, null, 3],
      texts: ['a,b', '"', null, 'NULL'],
      json,
      at,
      bytes,
      yes: true,
      exact: '10.50',
      big: 12,
    };
    for (const name of ['kinds', undefined, 'kinds']) {
      expect(await runBatch(client, [{ name, text, values }])).toEqual([[row]]);
    }
    expect(
      await runBatch(client, [{ name: 'date', text: 'select $1::timestamptz as at', values: [new Date(at)] }]),
    ).toEqual([[{ at }]]);
  });

  it('treats any column name as a plain name', async () => {
    const names = ['?column?', '__proto__', 'a"b', "it's", 'back\\slash', '${x}', '*/', 'constructor', 'é\u2028'];
    const columns = names.map((name, i) => `${i} as ${pg.escapeIdentifier(name)}`).join(', ');
    const [[row] = []] = await runBatch(client, [{ text: `select ${columns}`, values: [] }]);
    expect(Object.entries(row!)).toEqual(names.map((name, i) => [name, i]));
  });

  it('rejects when a parser throws, and continues', async () => {
    client.setTypeParser(pg.types.builtins.INT4, () => {
      throw new Error('unreadable');
    });
    await expect(runBatch(client, [one, one])).rejects.toThrow('unreadable');
    client.setTypeParser(pg.types.builtins.INT4, Number);
    expect(await runBatch(client, [{ ...one, name: 'other' }])).toEqual([[{ one: 1 }]]);
  });

  it('is undisturbed by notices and changed parameters', async () => {
    const notices: (string | undefined)[] = [];
    client.on('notice', (notice) => notices.push(notice.message));
    const loud: Statement = { text: "do $$ begin raise notice 'hear'; end $$", values: [] };
    const zone: Statement = { text: "set local timezone to 'Asia/Tokyo'", values: [] };
    expect(await runBatch(client, [loud, one, zone, one])).toEqual([[], [{ one: 1 }], [], [{ one: 1 }]]);
    expect(notices).toEqual(['hear']);
  });

  describe('when the columns of a prepared statement change', () => {
    const all: Statement = { name: 'all', text: 'select * from notes', values: [] };

    it.each(['batch', 'client'])('fails once, and the next %s prepares it again', async (next) => {
      await client.query('insert into notes values (1)');
      expect(await runBatch(client, [setOrg('org-1'), all])).toMatchObject([[{}], [{ id: 1 }]]);
      await client.query("alter table notes add column name text default 'new'");
      await expect(runBatch(client, [setOrg('org-1'), all])).rejects.toMatchObject({ code: '0A000' });
      const row = { id: 1, name: 'new' };
      const rows =
        next === 'client' ? (await client.query(all)).rows : (await runBatch(client, [setOrg('org-1'), all]))[1];
      expect(rows).toEqual([row]);
      expect((await runBatch(client, [setOrg('org-1'), all]))[1]).toEqual([row]);
    });

    it('does the same among queries that already wait', async () => {
      await runBatch(client, [all]);
      await client.query('alter table notes add column name text');
      const asked = [runBatch(client, [all]), client.query('select 2 as two'), runBatch(client, [all, one])];
      const [failed, two, again] = await Promise.allSettled(asked);
      expect(failed).toMatchObject({ status: 'rejected', reason: { code: '0A000' } });
      expect(two).toMatchObject({ value: { rows: [{ two: 2 }] } });
      expect(again).toMatchObject({ value: [[], [{ one: 1 }]] });
    });
  });

  it('prepares again what was deallocated elsewhere', async () => {
    await runBatch(client, [one]);
    await client.query('deallocate all');
    await expect(runBatch(client, [one])).rejects.toMatchObject({ code: '26000' });
    expect(await runBatch(client, [one])).toEqual([[{ one: 1 }]]);
  });

  it('rejects when the connection is lost, also for those that wait', async () => {
    const doomed = await connect();
    const errors: Error[] = [];
    doomed.on('error', (error) => errors.push(error));
    const suicide: Statement = { text: 'select pg_terminate_backend(pg_backend_pid())', values: [] };
    const [active, waiting] = await Promise.allSettled([runBatch(doomed, [suicide]), runBatch(doomed, [one])]);
    expect(active).toMatchObject({ status: 'rejected', reason: { code: '57P01' } });
    expect(waiting).toMatchObject({ status: 'rejected' });
    await expect(runBatch(doomed, [one])).rejects.toThrow('not queryable');
    expect(errors).not.toEqual([]);
  });

  it('rejects on a client with pipeline', async () => {
    const pipelined = await connect({ pipeline: true });
    await expect(runBatch(pipelined, [one])).rejects.toThrow('pipeline');
    await pipelined.end();
  });

  it('includes the caller in the trace of an error', async () => {
    const askForTheImpossible = async (): Promise<unknown> =>
      await runBatch(client, [{ text: 'select 1 / 0', values: [] }]);
    const error = await askForTheImpossible().catch((thrown: unknown) => thrown as Error);
    expect((error as Error).stack).toContain('askForTheImpossible');
  });
});
