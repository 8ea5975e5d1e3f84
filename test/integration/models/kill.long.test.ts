import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Keyring, newKeyringData } from '#secrets';
import type { Json } from '../../support/api.js';
import { type FreshDatabase, freshDatabase } from '../../support/database.js';
import { drafts, late, type Reply } from '../../support/model-server.js';
import { type ModelWorld, openModelWorld } from '../../support/model-world.js';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const wishes = Array.from({ length: 100 }, (_, index) => `Wish ${index}`);

const secrets = newKeyringData();
const dataDir = mkdtempSync(join(tmpdir(), 'pos-worker-'));
const workers: ChildProcess[] = [];
let database: FreshDatabase;
let world: ModelWorld;
beforeAll(async () => {
  writeFileSync(join(dataDir, 'keys.json'), JSON.stringify(secrets));
  database = await freshDatabase();
  world = await openModelWorld({ WORKER: 'off' }, { database, keyring: new Keyring(secrets) });
});
afterAll(async () => {
  for (const worker of workers) worker.kill('SIGKILL');
  await world.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
});

async function startWorker(): Promise<ChildProcess> {
  const worker = spawn(
    process.execPath,
    ['--import', here('../../support/runner/modules.mjs'), here('./worker.program.ts')],
    {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'silent',
        MODEL_BASE_URL: world.model.url,
        MODEL_NAME: 'stub',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    },
  );
  workers.push(worker);
  await once(worker.stdout, 'data');
  return worker;
}

/** Names the task as requested, after a moment in which the worker can be killed. */
const asWished: Reply = (asked, response) => {
  const name = asked.body.messages.at(-1)?.content;
  const moment = new Promise((resolve) => setTimeout(resolve, 50));
  late(moment, drafts({ name, priority: 'low' }))(asked, response);
};

async function idOf(instruction: string): Promise<string> {
  const { status, text, body } = await world.service.api.as(world.key).post('/tasks/draft', { instruction });
  if (status !== 202) throw new Error(text);
  return body.data.id as string;
}

it('does each of 100 jobs once, although a worker is killed in the middle of them', async () => {
  const { model } = world;
  model.script(asWished);
  const [killed] = await Promise.all([startWorker(), startWorker()]);
  const ids: string[] = [];
  for (const wish of wishes) ids.push(await idOf(wish));
  while (model.asked.length < 40) await wait(5);
  killed.kill('SIGKILL');
  const jobs: Json[] = [];
  for (const id of ids) jobs.push(await world.ended(id));
  expect(new Set(jobs.map(({ status }) => status as string))).toEqual(new Set(['succeeded']));
  expect(jobs.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(0);
  expect((await world.taskNames()).sort()).toEqual([...wishes].sort());
}, 90_000);
