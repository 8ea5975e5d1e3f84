import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readableLine } from '../../../src/platform/logging/readable-line.js';
import { terminalNarrator } from '../../../src/processes/narrator.js';
import { apiOf } from '../../support/api.js';
import { freshDatabase } from '../../support/database.js';
import { until } from '../../support/feed.js';
import { freePort, unhurried } from '../../support/start-app.js';

const program = 'dist/src/processes/main.js';

const controlC = '\u0003';

it('shows a person where to sign in, with which account and what there is, and then a line for each request', async () => {
  const [database, port] = [await freshDatabase(), await freePort()];
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-data-'));
  // `script` gives the program a terminal.
  const child = spawn('script', ['-qefc', `${process.execPath} ${program}`, '/dev/null'], {
    env: {
      PATH: process.env.PATH,
      PORT: String(port),
      DATA_DIR: dataDir,
      DATABASE_URL: database.url,
      SHELL: '/bin/sh',
      ...unhurried,
    },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let shown = '';
  child.stdout.on('data', (chunk: Buffer) => (shown += chunk.toString()));
  const ended = once(child, 'close');
  const comes = (what: string | RegExp) =>
    until(
      () => Promise.resolve(shown),
      (text) => text.search(what) >= 0,
    );
  try {
    await comes('Ready.');
    const key = /API key +(sk_live_\w+)/.exec(shown)?.[1];
    expect(shown).toContain(`Sign in    http://localhost:${port}/sign-in`);
    expect(shown).toContain('Owner      owner@example.com');
    expect(shown).toMatch(/Password +\w{22} {2}\(shown only now\)/);
    expect(shown).toContain(`files in ${join(dataDir, 'mail')}`);
    expect(shown).toMatch(/Demo +\d+ properties, \d+ units, \d+ members, \d+ stays, \d+ tasks, \d+ devices/);
    expect(shown).toMatch(/✓ Preparing the organization, \d+\.\d s/);
    expect(shown).not.toContain('{"ready"');
    // The demo has people and stays to try things with, and the tasks that stays create.
    const api = apiOf(`http://localhost:${port}`, key);
    const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 10);
    expect((await api.get(`/reservations?arrivingOn=${tomorrow}`)).body.data.length).toBeGreaterThan(0);
    const { data: tasks } = (await api.get('/tasks?type=cleaning')).body;
    expect(tasks[0]).toMatchObject({ source: 'automatic', reservationId: expect.any(String) as string });
    await comes(/\d\d:\d\d:\d\d GET \/api\/v1\/tasks 200 [\d.]+ ms listTasks/);
    child.stdin.write(controlC);
    await comes('Stopping: requests in progress are finished first.');
  } finally {
    child.kill('SIGTERM');
    await ended;
    rmSync(dataDir, { recursive: true, force: true });
    await database.drop();
  }
}, 60_000);

it('shows the current step', async () => {
  const shown = jest.spyOn(process.stdout, 'write').mockReturnValue(true);
  const timers = jest.spyOn(globalThis, 'setInterval');
  const { say, during } = terminalNarrator();
  await during('Preparing', async () => {
    say('Filling the demo');
    const [show] = timers.mock.lastCall as [() => void];
    show();
  });
  const lines = shown.mock.calls.join('');
  jest.restoreAllMocks();
  expect(lines).toMatch(/ {2}Preparing … 0 s.* {2}Filling the demo … 0 s.* {2}✓ Preparing, 0\.\d s/s);
});

it('reports a port in use before anything is created', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as { port: number };
  const dataDir = join(tmpdir(), `pos-absent-${port}`);
  const env = { PATH: process.env.PATH, PORT: String(port), DATA_DIR: dataDir };
  const child = spawn(process.execPath, [program], { env, stdio: ['ignore', 'ignore', 'pipe'] });
  let told = '';
  child.stderr.on('data', (chunk: Buffer) => (told += chunk.toString()));
  expect(await once(child, 'close')).toEqual([1, null]);
  expect(told).toContain(`Port ${port} of 127.0.0.1 is in use by another program.`);
  expect(existsSync(dataDir)).toBe(false);
  other.close();
}, 30_000);

describe('a line for a person', () => {
  const at = new Date(2026, 0, 1, 16, 5, 39).getTime();
  const line = (fields: object) => readableLine(JSON.stringify({ level: 30, time: at, context: 'edge', ...fields }));

  it('shows what was requested, how it ended, and how long it took', () => {
    const request = { method: 'GET', path: '/api/v1/tasks', status: 200, durationMs: 12.34, operation: 'listTasks' };
    expect(line({ ...request, msg: 'Request' })).toBe('16:05:39 GET /api/v1/tasks 200 12 ms listTasks\n');
    expect(line({ ...request, operation: undefined, aborted: true })).toBe(
      '16:05:39 GET /api/v1/tasks aborted 12 ms\n',
    );
  });

  it('shows the rest as text, without control characters', () => {
    const failed = { level: 50, context: 'jobs', msg: 'Failed \u001b[2J', attempts: 3, err: { stack: 'Error: x' } };
    expect(line(failed)).toBe('16:05:39 error jobs: Failed ?[2J { attempts: 3 }\nError: x\n');
  });
});
