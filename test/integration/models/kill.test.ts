import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Keyring, newKeyringData } from '#secrets';
import type { Json } from '../../support/api.js';
import { freshDatabase } from '../../support/database.js';
import { until } from '../../support/feed.js';
import { drafts, late } from '../../support/model-server.js';
import { openModelWorld } from '../../support/model-world.js';

const here = (name: string): string => fileURLToPath(new URL(name, import.meta.url));
const wishes = Array.from({ length: 100 }, (_, index) => `Wish ${index}`);

it('does each of 100 jobs once, though a worker is killed in the middle of them', async () => {
  const secrets = newKeyringData();
  const database = await freshDatabase();
  const dataDir = mkdtempSync(join(tmpdir(), 'pos-worker-'));
  writeFileSync(join(dataDir, 'keys.json'), JSON.stringify(secrets));
  const world = await openModelWorld({ WORKER: 'off' }, { database, keyring: new Keyring(secrets) });
  const { service, model } = world;
  // Names the task as it was wished for, after a moment in which a worker can be killed.
  model.script((asked, response) => {
    const name = asked.body.messages.at(-1)?.content;
    late(new Promise((resolve) => setTimeout(resolve, 50)), drafts({ name, priority: 'low' }))(asked, response);
  });
  const worker = (): ChildProcess =>
    spawn(process.execPath, ['--import', here('../../support/runner/modules.mjs'), here('./worker.program.ts')], {
      env: {
        PATH: process.env.PATH,
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        LOG_LEVEL: 'silent',
        MODEL_BASE_URL: model.url,
        MODEL_NAME: 'stub',
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
  const [killed, other] = [worker(), worker()];
  await Promise.all([killed, other].map(({ stdout }) => once(stdout as NodeJS.ReadableStream, 'data')));

  const api = service.api.as(world.key);
  const replies = await Promise.all(wishes.map((instruction) => api.post('/tasks/draft', { instruction })));
  expect(replies.map(({ status }) => status)).toEqual(Array(100).fill(202));
  await until(
    () => Promise.resolve(model.asked.length),
    (asked) => asked >= 40,
  );
  killed.kill('SIGKILL');
  const jobs: Json[] = [];
  for (const { body } of replies) jobs.push(await world.ended(body.data.id as string));
  expect(new Set(jobs.map(({ status }) => status as string))).toEqual(new Set(['succeeded']));
  expect(jobs.filter(({ attempts }) => attempts > 1).length).toBeGreaterThan(0);
  expect((await world.taskNames()).sort()).toEqual([...wishes].sort());

  other.kill('SIGTERM');
  await once(other, 'exit');
  await world.close();
  await database.drop();
  rmSync(dataDir, { recursive: true, force: true });
}, 90_000);
