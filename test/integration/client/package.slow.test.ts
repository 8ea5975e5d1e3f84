import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { mistakesIn, outputOf, projectWithClient } from '../../support/client-package.js';
import { freePort, type Service, startApp } from '../../support/start-app.js';

/** Each mistake must be a compiler error, and the compiler also reports an expected error that does not occur. */
const mistakes = `
import { ApiError, ConflictError, PropertyOperations, verifyWebhook } from '@property-operations/client';

const pos = new PropertyOperations({ baseUrl: '', apiKey: () => Promise.resolve('') });
// @ts-expect-error: the field is called name
await pos.createTask({ nmae: 'Change the linen' });
// @ts-expect-error: there is no such priority
await pos.createTask({ name: 'Change the linen', priority: 'soon' });
// @ts-expect-error: the id is required
await pos.getTask();
// @ts-expect-error: there is no such operation
await pos.createChore({});
// @ts-expect-error: what is read has no entries to go through
pos.getTask.all({ taskId: '' });
// @ts-expect-error: a task has no such field
for await (const task of pos.listTasks.all()) task.colour;
for await (const task of pos.listTasks.all({ limit: 5 })) task.name satisfies string;
// @ts-expect-error: only a write has a key
await pos.getMe({}, { idempotencyKey: 'key' });
const { data } = await pos.lockDevice({ deviceId: '' }, { waitSeconds: 5 });
data.status satisfies string;
verifyWebhook({ headers: new Headers(), body: '', secret: '' }).subject.id satisfies string;
for await (const event of pos.streamEvents()) event.sequence satisfies number;

const caught: unknown = undefined;
if (caught instanceof ApiError && caught.code === 'UNIT_TYPE_FULL') {
  caught.details.nights[0]?.date satisfies string | undefined;
  caught.details.explanation?.options.map(({ operation, input }) => [operation, input]);
  // @ts-expect-error: these details have no such field
  caught.details.accessCodeIds;
}
if (caught instanceof ApiError && caught.code === 'RATE_LIMITED') caught.details.rateLimit?.remaining satisfies number | undefined;
if (caught instanceof ConflictError) {
  if (caught.code === 'CHECKLIST_INCOMPLETE') caught.details.openItems.map(({ id, title }) => id + title);
  caught.requestId satisfies string | undefined;
  // @ts-expect-error: a conflict has no such code
  caught.code === 'VALIDATION_ERROR';
}
if (caught instanceof ApiError && caught.code === 'VALIDATION_ERROR') {
  caught.details.issues?.map(({ path, message }) => [path, message]);
  caught.details.key === 'STAY_TOO_LONG';
  // @ts-expect-error: there is no such key
  caught.details.key === 'STAY_TOO_NICE';
}
`;

const streams = `
import { PropertyOperations } from '@property-operations/client';

const pos = new PropertyOperations({ baseUrl: process.env.BASE_URL!, apiKey: process.env.API_KEY! });
const { data: task } = await pos.createTask({ name: 'Refill the soap' });
// The feed waits for every transaction in progress, those of other tests too.
let { data: events } = await pos.listEvents({ subject: task.id });
while (events.length === 0) ({ data: events } = await pos.listEvents({ subject: task.id }));
await pos.startTask({ taskId: task.id });
for await (const event of pos.streamEvents({ lastEventId: events[0]!.id, subject: task.id })) {
  console.log(event.type);
  break;
}
for await (const { action } of pos.exportAuditEntries({ targetId: task.id })) console.log(action);
`;

const snippets = (page: string): string[] =>
  [...readFileSync(page, 'utf8').matchAll(/```ts\n([\s\S]+?)```/g)].map(([, program]) => program as string);

/** Each but the last continues where the previous one ends. */
const [call, options, refused, follow, receive] = snippets('docs/typed-client.md') as [
  string,
  string,
  string,
  string,
  string,
];
/** One program. */
const integration = snippets('docs/integrate-a-pms.md').join('');
const [readme] = snippets('README.md') as [string];

let service: Service;
let folder: string;
beforeAll(async () => {
  [service, folder] = await Promise.all([
    startApp({ OUTBOUND_ALLOW: '127.0.0.1', ENVIRONMENT: 'test' }),
    projectWithClient(),
  ]);
  const first = readme.replace('http://localhost:3000', service.url).replace('sk_live_us_…', service.key);
  for (const [name, program] of Object.entries({
    mistakes,
    receive,
    first,
    integration,
    streams,
    program: `${call}${options}${refused}${follow}`,
  }))
    writeFileSync(join(folder, `${name}.ts`), program);
});
afterAll(() => service.close());

const installed = (...names: string[]): string => join(folder, 'node_modules/@property-operations/client', ...names);
const packageJson = (): { dependencies: object; scripts?: object } =>
  JSON.parse(readFileSync(installed('package.json'), 'utf8'));

it('is an ES module of less than 15 KB with one dependency', () => {
  const code = globSync('**/*.js', { cwd: installed() }).map((name) => readFileSync(installed(name)));
  const bytes = gzipSync(Buffer.concat(code)).length;
  expect(code.length).toBeGreaterThan(5);
  expect(bytes).toBeLessThan(15_000);
  expect(packageJson()).toMatchObject({ type: 'module', dependencies: { 'openapi-fetch': expect.any(String) } });
  expect(Object.keys(packageJson().dependencies)).toHaveLength(1);
});

it('has a method for every operation of the service, and no other', async () => {
  const { body } = await service.api.as(undefined).get('/openapi.json');
  const operations = Object.values<object>(body.paths).flatMap((item) => Object.values(item));
  const { PropertyOperations } = await import(installed('dist/index.js'));
  const client = new PropertyOperations({ baseUrl: service.url, apiKey: service.key });
  expect(Object.keys(client)).toEqual(operations.map(({ operationId }) => operationId).toSorted());
});

it('compiles as README and the guides show, and no mistake does', () => {
  expect(
    mistakesIn(folder, 'first.ts', 'integration.ts', 'streams.ts', 'program.ts', 'receive.ts', 'mistakes.ts'),
  ).toEqual([]);
});

it('behaves as README and docs/typed-client.md describe', async () => {
  expect(await outputOf(folder, 'first.ts', {})).toBe('Change the linen\n');
  const output = await outputOf(folder, 'program.ts', { BASE_URL: service.url, API_KEY: service.key });
  expect(output).toMatch(
    /^Change the linen completed\nChange the linen\n404 NOT_FOUND true\n\[ 'task.archived' \]\nTASK_NOT_OPEN\ntask.created task\nstring\n$/,
  );
});

it('behaves as docs/integrate-a-pms.md describes', async () => {
  const output = await outputOf(folder, 'integration.ts', {
    BASE_URL: service.url,
    API_KEY: service.key,
    WEBHOOK_URL: `http://127.0.0.1:${await freePort()}/hook`,
  });
  expect(output).toMatch(/^Connected to .+\n0 missing, 0 different, 0 unknown\n2 stays, 0 missed\n$/);
});

it('reads the streams of the service, and ends them when their loop ends', async () => {
  const output = await outputOf(folder, 'streams.ts', { BASE_URL: service.url, API_KEY: service.key });
  expect(output).toBe('task.started\ncreateTask\nstartTask\n');
});

it('saves any number of records in bulk, with a result for each in order', async () => {
  const { PropertyOperations } = await import(installed('dist/index.js'));
  const pos = new PropertyOperations({ baseUrl: service.url, apiKey: service.key });
  const settings = { ownsOverlaps: true, fields: 'all' };
  const connection = await pos.createConnection({ provider: 'push', kind: 'pms', name: 'Another PMS', settings });
  const items = Array.from({ length: 450 }, (_, index) => ({ externalId: `G-${index}`, name: `Guest ${index}` }));
  const save = () =>
    pos.saveGuestsInBulk({ connectionId: connection.data.id, items: [...items, { externalId: 'G-450' }] });
  const { data } = await save();
  expect(data.map(({ externalId }: { externalId: string }) => externalId)).toEqual(
    [...items, { externalId: 'G-450' }].map(({ externalId }) => externalId),
  );
  expect(data.map(({ outcome }: { outcome?: string }) => outcome)).toEqual([...items.map(() => 'created'), undefined]);
  expect(data.at(-1).error.code).toBe('VALIDATION_ERROR');
  expect((await save()).data[0].outcome).toBe('unchanged');
});
