import { apiOf, type Api, type Reply } from '../../support/api.js';
import { type ChildService, newDataDir, removeDataDir, startChild } from '../../support/child-service.js';
import type { FreshDatabase } from '../../support/database.js';
import { keyWith } from '../../support/factories.js';
import { foundedDatabase } from '../../support/founded.js';
import { isLong } from '../../support/sampled.js';

/** `kill -9` of a service during keyed writes, in the long form together with its embedded database. */
const dataDir = newDataDir();
let database: FreshDatabase | undefined;
let child: ChildService | undefined;
beforeAll(async () => {
  database = isLong ? undefined : await foundedDatabase(dataDir);
});
afterAll(async () => {
  await child?.stop();
  await database?.drop();
  removeDataDir(dataDir);
});

const start = (): Promise<ChildService> => startChild(dataDir, database && { DATABASE_URL: database.url });

const wishes = Array.from({ length: 80 }, (_, index) => `task ${index}`);
const create = (api: Api, name: string): Promise<Reply> =>
  api.post('/tasks', { name }, { 'idempotency-key': `create ${name}` });

/** Creates in 8 lanes; `lost` are those that the end of the connection left without a response. */
async function createAll(api: Api, onAnswer: (answered: number) => void) {
  const answers = new Map<string, Reply>();
  const waiting = [...wishes];
  let lost = 0;
  const lane = async (): Promise<void> => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift()) {
      try {
        answers.set(name, await create(api, name));
        onAnswer(answers.size);
      } catch {
        lost += 1;
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, lane));
  return { answers, lost };
}

/** The tasks that this test creates: the first start creates some of its own. */
async function allNames(api: Api): Promise<string[]> {
  const names: string[] = [];
  for (let cursor: string | null = ''; cursor !== null;) {
    const { body }: Reply = await api.get(`/tasks?limit=100${cursor && `&cursor=${cursor}`}`);
    names.push(...(body.data as { name: string }[]).map(({ name }) => name).filter((name) => wishes.includes(name)));
    cursor = body.meta.pagination.nextCursor as string | null;
  }
  return names;
}

it('loses nothing that was acknowledged, and a retry duplicates nothing', async () => {
  child = await start();
  const { key } = await keyWith(apiOf(child.url, child.key));
  let killed: Promise<void> | undefined;
  const first = await createAll(apiOf(child.url, key), (answered) => {
    if (answered === 25) killed = child?.kill('SIGKILL');
  });
  await killed;
  expect(first.lost).toBeGreaterThan(0);
  expect(first.answers.size).toBeGreaterThanOrEqual(25);
  expect(first.answers.size + first.lost).toBe(wishes.length);

  child = await start();
  const api = apiOf(child.url, key);
  const stored = new Set(await allNames(api));
  for (const [name, { status }] of first.answers) expect([name, status, stored.has(name)]).toEqual([name, 201, true]);

  const second = await createAll(api, () => undefined);
  expect([second.lost, [...second.answers.values()].filter(({ status }) => status !== 201)]).toEqual([0, []]);
  for (const [name, { text }] of first.answers) expect(second.answers.get(name)?.text).toBe(text);
  const replayed = [...second.answers].filter(([, { headers }]) => headers.has('idempotent-replayed'));
  expect(new Set(replayed.map(([name]) => name))).toEqual(stored);
  expect((await allNames(api)).sort()).toEqual([...wishes].sort());
}, 60_000);

it('ends on SIGTERM with code 0', async () => {
  expect(await child?.stop()).toBe(0);
  child = undefined;
});
