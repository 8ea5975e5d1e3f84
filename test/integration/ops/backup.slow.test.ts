import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import pg from 'pg';
import { findEmbeddedPostgres, startEmbeddedPostgres } from '#embedded-postgres';
import { migrate } from '../../../src/processes/migrate.js';
import { run } from '../../../src/processes/ops/run.js';
import { type Api, apiOf, type Json } from '../../support/api.js';
import { type ChildService, startChild } from '../../support/child-service.js';
import { foundOn } from '../../support/founded.js';
import { refusalOf } from '../../support/ops.js';

// Each command is a process, and each restored folder a database of its own.
jest.setTimeout(120_000);

const place = mkdtempSync(join(tmpdir(), 'pos-backup-'));
const [dataDir, backup] = [join(place, 'data'), join(place, 'backup')];
let service: ChildService;
let api: Api;
beforeAll(async () => {
  const postgres = await startEmbeddedPostgres({ dataDir: join(dataDir, 'postgres'), fsync: false });
  await migrate(postgres.url);
  await foundOn({ url: postgres.url, drop: () => Promise.resolve() }, dataDir);
  await postgres.stop();
  service = await startChild(dataDir);
  api = apiOf(service.url, service.key);
});
afterAll(async () => {
  await service.kill('SIGKILL');
  rmSync(place, { recursive: true, force: true });
});

async function ops(folder: string, ...words: string[]): Promise<Json> {
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  const program = ['dist/src/processes/ops/main.js', ...words, '--json'];
  const { stdout } = await promisify(execFile)(process.execPath, program, { env });
  return JSON.parse(stdout) as Json;
}

/** The message of a rejected command, in this process. */
async function refusal(folder: string, ...words: string[]): Promise<string> {
  process.env.DATA_DIR = folder;
  try {
    const ended = run(words, () => Promise.reject(new Error('It needs no service')));
    return JSON.stringify((await refusalOf(ended)).details);
  } finally {
    delete process.env.DATA_DIR;
  }
}

interface Written {
  id: string;
  /** When it was acknowledged. */
  at: number;
}
const written: Written[] = [];
/** Creates tasks one after another until the work has ended. */
async function whileWriting<T>(work: Promise<T>): Promise<T> {
  let isOver = false;
  const over = work.finally(() => (isOver = true));
  do {
    const { status, body } = await api.post('/tasks', { name: `Task ${written.length}` });
    expect(status).toBe(201);
    written.push({ id: body.data.id as string, at: Date.now() });
    // Below the burst limit of a key.
    await pause(25);
  } while (!isOver);
  return await over;
}

/** The ids of all tasks in a database. */
async function tasksIn(connectionString: string | undefined): Promise<Set<string>> {
  const client = new pg.Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`select id from tasks where name like 'Task %'`);
  await client.end();
  return new Set(rows.map(({ id }) => `task_${id.replaceAll('-', '')}`));
}
const idsUntil = (time: number) => written.filter(({ at }) => at < time).map(({ id }) => id);

it('restores what was acknowledged, at any time that the backup contains', async () => {
  const task = (await api.post('/tasks', { name: 'With a photograph' })).body.data.id as string;
  const content = Buffer.from('a photograph').toString('base64');
  const attached = await api.post(`/tasks/${task}/attachments`, {
    fileName: 'a.txt',
    contentType: 'text/plain',
    content,
  });
  expect(attached.status).toBe(201);

  const first = await whileWriting(ops(dataDir, 'backup', '--to', backup));
  expect(first).toMatchObject({ folder: backup, continued: false });
  const between = Date.now();
  const second = await whileWriting(ops(dataDir, 'backup', '--to', backup));
  expect(second).toMatchObject({ continued: true, from: first.from });
  expect(Date.parse(second.until as string)).toBeGreaterThan(between);

  const earlier = join(place, 'earlier');
  await ops(earlier, 'restore', '--from', backup, '--at', new Date(between).toISOString());
  const postgres = await startEmbeddedPostgres({ dataDir: join(earlier, 'postgres'), fsync: false });
  const then = await tasksIn(postgres.url);
  await postgres.stop();
  expect(idsUntil(between).filter((id) => !then.has(id))).toEqual([]);
  expect(then.size).toBeLessThan(idsUntil(Date.parse(second.until as string)).length);

  const latest = join(place, 'latest');
  expect(await ops(latest, 'restore', '--from', backup)).toEqual({ dataDir: latest, at: second.until });
  const restored = await startChild(latest);
  try {
    const there = apiOf(restored.url, service.key);
    const ids = idsUntil(Date.parse(second.until as string));
    for (const id of [ids[0], ids.at(-1)]) expect((await there.get(`/tasks/${id}`)).status).toBe(200);
    const [file] = (await there.get(`/tasks/${task}`)).body.data.attachments as Json[];
    expect(await (await fetch(file?.url as string)).text()).toBe('a photograph');
    const now = await tasksIn(await findEmbeddedPostgres(join(latest, 'postgres')));
    expect(ids.filter((id) => !now.has(id))).toEqual([]);
  } finally {
    await restored.kill('SIGKILL');
  }
});

it.each([
  ['a time before the backup', () => ['--from', backup, '--at', '2020-01-01T00:00:00Z'], 'Pass a time from'],
  ['a folder without a backup', () => ['--from', place], 'contains no complete backup'],
])('rejects the restore of %s', async (_case, words, message) => {
  const target = join(place, 'refused');
  expect(await refusal(target, 'restore', ...words())).toContain(message);
  expect(existsSync(target)).toBe(false);
});

it('never restores over data, nor backs up into a folder with other files', async () => {
  expect(await refusal(dataDir, 'restore', '--from', backup)).toContain('is not empty');
  expect(readFileSync(join(dataDir, 'keys.json'), 'utf8')).toContain('peppers');
  const other = mkdtempSync(join(place, 'other-'));
  writeFileSync(join(other, 'mine.txt'), '');
  expect(await refusal(dataDir, 'backup', '--to', other)).toContain('contains other files');
});

it.each([
  ['backup', '--to'],
  ['restore', '--from'],
])('%s works only with the embedded database', async (command, flag) => {
  process.env.DATABASE_URL = 'postgresql://localhost:1/own';
  try {
    expect(await refusal(join(place, 'own'), command, flag, backup)).toContain('only with the embedded database');
  } finally {
    delete process.env.DATABASE_URL;
  }
});
