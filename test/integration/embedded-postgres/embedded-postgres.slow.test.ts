import { chmod, mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';
import { findEmbeddedPostgres, recoverCluster, startEmbeddedPostgres } from '../../../libs/embedded-postgres/index.js';
import { acceptsConnections } from '../../../libs/embedded-postgres/postgres-server.js';
import { Workplace, clusterOf, isRunning, query, until } from './support.js';

const workplace = new Workplace();
afterEach(() => workplace.clear());

const socketDirOf = (url: string): string => new URL(url).searchParams.get('host') ?? '';

it('creates a cluster in a missing folder with a long path and serves it only on a private socket', async () => {
  const dataDir = join(
    await workplace.folder(),
    'a-folder-that-is-deeper-than-any-socket-path-may-be'.repeat(3),
    'data',
  );
  const output: string[] = [];
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false, say: (line) => output.push(line) });
  try {
    expect(postgres.url).toMatch(/^postgresql:\/\/owner@localhost\/app\?host=\/tmp\/pg-\w+$/);
    expect(output.join()).toContain(dataDir);
    const [row] = await query(
      postgres.url,
      `SELECT current_user AS "user", usesuper AS super, current_database() AS database,
         current_setting('server_version_num')::int / 10000 AS major, current_setting('listen_addresses') AS tcp,
         current_setting('TimeZone') AS zone, current_setting('server_encoding') AS encoding,
         current_setting('max_connections') AS connections, current_setting('wal_init_zero') AS zeros, lower('É') AS lower
       FROM pg_user WHERE usename = current_user`,
    );
    expect(row).toEqual({
      user: 'owner',
      super: true,
      database: 'app',
      major: 18,
      tcp: '',
      zone: 'UTC',
      encoding: 'UTF8',
      connections: '100',
      zeros: 'off',
      lower: 'é',
    });
    expect((await stat(socketDirOf(postgres.url))).mode & 0o777).toBe(0o700);
    expect((await stat(dataDir)).mode & 0o777).toBe(0o700);
  } finally {
    await postgres.stop();
  }
});

it('passes only what Postgres needs of our environment', async () => {
  const dataDir = await workplace.stoppedCluster();
  const secret = 'secret-of-this-process';
  const ours = { PATH: process.env.PATH, TZ: 'UTC', ADMIN_PASSWORD: secret, SMTP_URL: secret, PGPASSWORD: secret };
  const { pid } = await workplace.owner(dataDir, [], ours);
  const names = (await readFile(`/proc/${pid}/environ`, 'utf8')).split('\0').map((pair) => pair.split('=')[0]);
  expect(names).toEqual(expect.arrayContaining(['PATH', 'TZ']));
  for (const name of ['ADMIN_PASSWORD', 'SMTP_URL', 'PGPASSWORD']) expect(names).not.toContain(name);
});

it('keeps the data through a stop and a start, and leaves nothing running', async () => {
  const dataDir = await workplace.stoppedCluster();
  const first = await startEmbeddedPostgres({ dataDir, fsync: false });
  await query(first.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  await Promise.all([first.stop(), first.stop()]);
  expect(isRunning(first.pid)).toBe(false);
  await expect(stat(socketDirOf(first.url))).rejects.toThrow('ENOENT');

  const second = await startEmbeddedPostgres({ dataDir });
  try {
    expect(await query(second.url, `SELECT answer, current_setting('fsync') AS fsync FROM kept`)).toEqual([
      { answer: 42, fsync: 'on' },
    ]);
  } finally {
    await second.stop();
  }
});

it('is found by a tool beside it while it runs, and not otherwise', async () => {
  const dataDir = await workplace.stoppedCluster();
  expect(await findEmbeddedPostgres(join(dataDir, 'absent'))).toBeUndefined();
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
  expect(await findEmbeddedPostgres(dataDir)).toBe(postgres.url);
  const note = await readFile(join(clusterOf(dataDir), 'postmaster.pid'));
  const copy = await workplace.folder();
  await mkdir(clusterOf(copy));
  await writeFile(join(clusterOf(copy), 'postmaster.pid'), note);
  expect(await findEmbeddedPostgres(copy)).toBeUndefined();
  await postgres.stop();
  expect(await findEmbeddedPostgres(dataDir)).toBeUndefined();
});

it('restarts a postmaster that was killed, under the same URL', async () => {
  const output: string[] = [];
  const dataDir = await workplace.stoppedCluster();
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false, say: (line) => output.push(line) });
  try {
    const killed = postgres.pid;
    await query(postgres.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
    process.kill(killed, 'SIGKILL');
    await until(() => postgres.pid !== killed);
    expect(await query(postgres.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    expect(output.at(-1)).toBe('Postgres ended unexpectedly (SIGKILL); starting it again.');
  } finally {
    await postgres.stop();
  }
});

it('stops the Postgres that applied the log of a restored cluster', async () => {
  const dataDir = await workplace.stoppedCluster();
  await recoverCluster(dataDir);
  expect(await readdir(clusterOf(dataDir))).not.toContain('postmaster.pid');
});

it('retries a server that dies right after it has accepted a connection', async () => {
  const message = (type: string, body: Buffer): Buffer => {
    const length = Buffer.alloc(4);
    length.writeInt32BE(4 + body.length);
    return Buffer.concat([Buffer.from(type), length, body]);
  };
  const welcome = [message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))];
  const dying = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating\0\0'));
  const server = createServer((socket) => {
    socket.once('data', () => socket.end(Buffer.concat([...welcome, dying])));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await acceptsConnections(`postgresql://owner@127.0.0.1:${port}/app`)).toBe(true);
  await new Promise((resolve) => server.close(resolve));
});

it('stops a Postgres that it cannot sign in to', async () => {
  const dataDir = await workplace.stoppedCluster();
  await writeFile(join(clusterOf(dataDir), 'pg_hba.conf'), 'local all all reject\n');
  await expect(startEmbeddedPostgres({ dataDir, fsync: false })).rejects.toThrow('pg_hba.conf rejects connection');
  expect(await readdir(clusterOf(dataDir))).not.toContain('postmaster.pid');
});

it('shows the output of Postgres when it does not start, releases the folder, and keeps the previous log', async () => {
  const dataDir = await workplace.stoppedCluster();
  const configuration = join(clusterOf(dataDir), 'postgresql.conf');
  const good = await readFile(configuration);
  await writeFile(configuration, 'shared_preload_libraries = no_such_library\n');
  await expect(startEmbeddedPostgres({ dataDir, fsync: false })).rejects.toThrow(
    /^Postgres did not start:\n(.*\n)*.*could not access file "no_such_library"/,
  );
  await writeFile(configuration, good);
  await (await startEmbeddedPostgres({ dataDir, fsync: false })).stop();
  expect(await readFile(join(dataDir, 'postgres.previous.log'), 'utf8')).toContain('no_such_library');
});

it('recreates a cluster if an earlier start was killed half-way', async () => {
  const dataDir = await workplace.folder();
  await mkdir(`${clusterOf(dataDir)}.unfinished`);
  await writeFile(join(`${clusterOf(dataDir)}.unfinished`, 'PG_VERSION'), '18\n');
  await chmod(`${clusterOf(dataDir)}.unfinished`, 0o700);
  await (await startEmbeddedPostgres({ dataDir, fsync: false })).stop();
  expect(await readdir(dataDir)).not.toContain('cluster.unfinished');
});
