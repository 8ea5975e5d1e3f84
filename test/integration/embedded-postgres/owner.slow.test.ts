import { once } from 'node:events';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '../../../libs/embedded-postgres/index.js';
import { Workplace, clusterOf, copyFolder, firstLine, isRunning, postmasterPid, query, until } from './support.js';

const workplace = new Workplace();
afterEach(() => workplace.clear());

it('ends with a process that stops it on SIGTERM', async () => {
  const owner = await workplace.owner(await workplace.stoppedCluster());
  owner.child.kill('SIGTERM');
  expect(await once(owner.child, 'exit')).toEqual([0, null]);
  expect(isRunning(owner.pid)).toBe(false);
});

it('belongs to the service that has no other database, and ends with it', async () => {
  const folder = await workplace.folder();
  const dataDir = join(folder, 'postgres');
  await mkdir(dataDir);
  copyFolder(await workplace.stoppedCluster(), dataDir);
  const server = createServer().listen(0);
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  // The service is stopped during its migrations, which may produce errors.
  const command = `exec ${process.execPath} dist/src/processes/main.js 2>/dev/null`;
  const service = workplace.spawn(['sh', '-c', command], { PATH: process.env.PATH, PORT: `${port}`, DATA_DIR: folder });
  const ended = once(service, 'exit');
  await until(async () => service.exitCode !== null || (await findEmbeddedPostgres(dataDir)) !== undefined);
  expect(service.exitCode).toBeNull();
  const [pid] = (await readFile(join(clusterOf(dataDir), 'postmaster.pid'), 'utf8')).split('\n');
  service.kill('SIGTERM');
  await ended;
  await until(() => !isRunning(Number(pid)));
});

it('has a process group of its own, so that Ctrl-C ends its owner first', async () => {
  const owner = await workplace.owner(await workplace.stoppedCluster());
  const [, , group] = (await readFile(`/proc/${owner.pid}/stat`, 'utf8')).split(') ')[1]?.split(' ') ?? [];
  expect(Number(group)).toBe(owner.pid);
});

it('shuts down after kill -9 of its owner, and an immediate start waits for it', async () => {
  const dataDir = await workplace.stoppedCluster();
  const owner = await workplace.owner(dataDir);
  await query(owner.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  owner.child.kill('SIGKILL');
  await once(owner.child, 'exit');
  const next = await startEmbeddedPostgres({ dataDir, fsync: false });
  try {
    expect(isRunning(owner.pid)).toBe(false);
    expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
    const socketDir = new URL(owner.url).searchParams.get('host') ?? '';
    await expect(stat(socketDir)).rejects.toThrow('ENOENT');
  } finally {
    await next.stop();
  }
});

it('shuts down after kill -9 of its owner without a next start', async () => {
  const dataDir = await workplace.stoppedCluster();
  const owner = await workplace.owner(dataDir);
  owner.child.kill('SIGKILL');
  await until(() => !isRunning(owner.pid));
  // A clean end: Postgres removed its pid file.
  await expect(stat(join(clusterOf(dataDir), 'postmaster.pid'))).rejects.toThrow('ENOENT');
});

it('stops a Postgres that outlived its owner, and starts on its data', async () => {
  const dataDir = await workplace.stoppedCluster();
  const deafToItsParent = await workplace.environmentWith('setpriv', 'shift 3; exec "$@"');
  const owner = await workplace.owner(dataDir, [], deafToItsParent);
  await query(owner.url, 'CREATE TABLE kept AS SELECT 42 AS answer');
  owner.child.kill('SIGKILL');
  await once(owner.child, 'exit');
  expect(await findEmbeddedPostgres(dataDir)).toBe(owner.url);

  const output: string[] = [];
  const next = await startEmbeddedPostgres({ dataDir, fsync: false, say: (line) => output.push(line) });
  try {
    expect(output).toEqual([`Stopping Postgres (process ${owner.pid}), which an earlier run left behind.`]);
    expect(isRunning(owner.pid)).toBe(false);
    expect(await query(next.url, 'SELECT answer FROM kept')).toEqual([{ answer: 42 }]);
  } finally {
    await next.stop();
  }
});

it("rejects a folder whose owner is alive, and does not touch the owner's database", async () => {
  const dataDir = await workplace.stoppedCluster();
  const owner = await workplace.owner(dataDir);
  await expect(startEmbeddedPostgres({ dataDir, fsync: false })).rejects.toThrow(
    `The database in ${dataDir} is in use by process ${owner.child.pid}. Stop it, or use another folder.`,
  );
  expect(await query(owner.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
});

it('gives the folder to one of several simultaneous starts', async () => {
  const dataDir = await workplace.stoppedCluster();
  const starts = await Promise.allSettled([1, 2, 3].map(() => startEmbeddedPostgres({ dataDir, fsync: false })));
  const winners = starts.filter((start) => start.status === 'fulfilled').map((start) => start.value);
  expect(winners).toHaveLength(1);
  expect(await query(winners[0]?.url ?? '', 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  await Promise.all(winners.map((winner) => winner.stop()));
});

it.each([
  ['now belongs to another program', 'echo $$; exec sleep 60', true],
  // It ends after the shell has become a program that does not reap children.
  ['belongs to a zombie', 'sleep 0.5 & echo $!; exec sleep 60', false],
])('removes a pid file whose pid %s', async (_case, script, running) => {
  const dataDir = await workplace.stoppedCluster();
  const program = workplace.spawn(['sh', '-c', script]);
  const pid = Number(await firstLine(program));
  await until(() => isRunning(pid) === running);
  expect(process.kill(pid, 0)).toBe(true);
  await writeFile(join(clusterOf(dataDir), 'postmaster.pid'), postmasterPid(pid, clusterOf(dataDir), '/tmp/pg-none'));
  const postgres = await startEmbeddedPostgres({ dataDir, fsync: false });
  try {
    expect(isRunning(pid)).toBe(running);
    expect(await query(postgres.url, 'SELECT 1 AS one')).toEqual([{ one: 1 }]);
  } finally {
    await postgres.stop();
  }
});

it('does not affect the original when it starts on a copy of a running data directory', async () => {
  const dataDir = await workplace.stoppedCluster();
  const first = await startEmbeddedPostgres({ dataDir, fsync: false });
  const { pid } = first;
  const copy = join(await workplace.folder(), 'copy');
  try {
    await query(first.url, 'CHECKPOINT');
    copyFolder(dataDir, copy);
    const second = await startEmbeddedPostgres({ dataDir: copy, fsync: false });
    await second.stop();
    expect(first.pid).toBe(pid);
    expect(await findEmbeddedPostgres(dataDir)).toBe(first.url);
  } finally {
    await first.stop();
  }
});
