import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { jest } from '@jest/globals';
import pg from 'pg';
import { startEmbeddedPostgres } from '#embedded-postgres';
import { type Api, apiOf, type Json } from '../../support/api.js';
import { type ChildService, startChild } from '../../support/child-service.js';

// Each command is a process, and each restored folder a database of its own.
jest.setTimeout(120_000);

const place = mkdtempSync(join(tmpdir(), 'pos-backup-'));
const [dataDir, backup] = [join(place, 'data'), join(place, 'backup')];
let service: ChildService;
let api: Api;
beforeAll(async () => {
  service = await startChild(dataDir);
  api = apiOf(service.url, service.key);
});
afterAll(async () => {
  await service.kill('SIGKILL');
  rmSync(place, { recursive: true, force: true });
});

async function ops(folder: string, ...words: string[]): Promise<Json> {
  const env = { PATH: process.env.PATH, DATA_DIR: folder };
  const run = promisify(execFile)(process.execPath, ['dist/src/processes/ops/main.js', ...words, '--json'], { env });
  const { stdout } = await run.catch((error: unknown) =>
    Promise.reject(new Error((error as { stderr: string }).stderr)),
  );
  return JSON.parse(stdout) as Json;
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

/** The ids of all tasks in a restored folder. */
async function tasksIn(folder: string): Promise<Set<string>> {
  const postgres = await startEmbeddedPostgres({ dataDir: join(folder, 'postgres'), fsync: false });
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query<{ id: string }>(`select id from tasks where name like 'Task %'`);
  await client.end();
  await postgres.stop();
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
  const then = await tasksIn(earlier);
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
  } finally {
    await restored.kill('SIGKILL');
  }
  const now = await tasksIn(latest);
  expect(idsUntil(Date.parse(second.until as string)).filter((id) => !now.has(id))).toEqual([]);
});

it.each([
  ['a time before the backup', () => ['--from', backup, '--at', '2020-01-01T00:00:00Z'], 'Pass a time from'],
  ['a folder without a backup', () => ['--from', place], 'contains no finished backup'],
])('refuses to restore %s', async (_case, words, message) => {
  const target = join(place, 'refused');
  await expect(ops(target, 'restore', ...words())).rejects.toThrow(message);
  expect(existsSync(target)).toBe(false);
});

it('refuses to restore over data, and to back up into a folder with other files', async () => {
  await expect(ops(dataDir, 'restore', '--from', backup)).rejects.toThrow('is not empty');
  expect(readFileSync(join(dataDir, 'keys.json'), 'utf8')).toContain('peppers');
  const other = mkdtempSync(join(place, 'other-'));
  writeFileSync(join(other, 'mine.txt'), '');
  await expect(ops(dataDir, 'backup', '--to', other)).rejects.toThrow('contains other files');
});
