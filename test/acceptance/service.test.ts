import type { Json } from '../support/api.js';
import { anotherOrganization } from '../support/behind-the-api.js';
import { keyWith, propertyOf, taskOf, absentId } from '../support/factories.js';
import { startApp } from '../support/start-app.js';
import { doorNames, onlyHere, openTarget, type Target } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

describe('SVC', () => {
  it('answers a task that one door made at the other, byte for byte', async () => {
    const { body } = await target.ask.MCP('createTask', { name: 'Made over MCP', metadata: { a: '1' } });
    const rest = await target.ask.REST('getTask', { taskId: body.data.id });
    const mcp = await target.ask.MCP('getTask', { taskId: body.data.id });
    expect(rest.body.data).toEqual(body.data);
    expect(mcp.body.data).toEqual(body.data);
  });

  it('names every operation of this suite as a tool', async () => {
    const tools = (await target.mcp.tools()).map(({ name }) => name as string);
    expect(tools).toEqual(
      expect.arrayContaining([
        'getMe',
        'createTask',
        'listTasks',
        'getTask',
        'updateTask',
        'completeTask',
        'createApiKey',
      ]),
    );
  });

  it.each(['initializeLanguageTranslations', 'retranslateGuideText', 'importGuidePlace'])(
    'offers %s at both doors, with an example that fits a fresh guide',
    async (operation) => {
      const bodyOf = (entry: Json): Json => entry.requestBody.content['application/json'].example;
      const { paths } = (await (await fetch(`${target.url}/openapi.json`)).json()) as Json;
      const entries = Object.entries<Json>(paths).flatMap(([path, { post }]) => (post ? [[path, post] as const] : []));
      const [path, entry] = entries.find(([, { operationId }]) => operationId === operation) as [string, Json];
      expect(entry['x-model-backed']).toBe(true);
      const { data } = (await target.api.post('/guides', bodyOf(paths['/api/v1/guides'].post))).body;
      const here = path.replace('/api/v1', '').replace('{guideId}', data.id);
      const rest = await target.api.post(here, bodyOf(entry));
      const mcp = await target.mcp.call(operation, { guideId: data.id, ...bodyOf(entry) });
      // Without a language model the operation says so; nothing is made up in its place.
      const { error, data: job } = rest.body;
      const isFollowed = rest.headers.get('location')?.endsWith(`/model-jobs/${job?.id}`) ?? false;
      expect([
        [202, undefined, true],
        [500, 'NON_RETRYABLE', false],
      ]).toContainEqual([rest.status, error?.code, isFollowed]);
      expect((mcp.body as Json).error?.code).toBe(error?.code);
    },
  );

  it('takes and gives JSON, in one of the regions', async () => {
    const { headers, body } = await target.api.get('/me');
    expect(headers.get('content-type')).toMatch(/^application\/json/);
    expect(['us', 'eu', 'apac']).toContain(body.data.region);
    const form = await target.api.post('/tasks', 'name=x', { 'content-type': 'application/x-www-form-urlencoded' });
    expect(form.status).toBe(400);
  });
});

describe.each(doorNames)('SVC over %s', (door) => {
  it('creates and lists tasks', async () => {
    const { status, body } = await target.ask[door]('createTask', { name: `Listed over ${door}` });
    expect(status).toBe(201);
    const listed = await target.ask[door]('listTasks', { limit: 100 });
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toContain(body.data.id);
  });

  it('acts as a machine member of the one organization', async () => {
    const { body } = await target.ask[door]('getMe');
    expect(body.data.member.kind).toBe('machine');
    expect(body.data.organization.id).toMatch(/^org_/);
  });

  it('keeps a restricted credential to its properties', async () => {
    const [here, elsewhere] = [await propertyOf(target.api), await propertyOf(target.api)];
    const { key } = await keyWith(target.api, { propertyIds: [here] });
    const [mine, theirs] = [
      await taskOf(target.api, { propertyId: here }),
      await taskOf(target.api, { propertyId: elsewhere }),
    ];
    expect((await target.ask[door]('getTask', { taskId: mine }, { key })).status).toBe(200);
    expect((await target.ask[door]('getTask', { taskId: theirs }, { key })).status).toBe(404);
    const { body } = await target.ask[door]('listTasks', {}, { key });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([mine]);
  });
});

describe('SVC organizations', () => {
  onlyHere('a second organization is made behind the API')('keeps a credential inside one organization', async () => {
    const service = await startApp();
    try {
      const stranger = await anotherOrganization(service);
      const [mine, theirs] = [await taskOf(service.api), await taskOf(stranger)];
      expect((await service.api.get(`/tasks/${theirs}`)).status).toBe(404);
      expect((await stranger.get(`/tasks/${mine}`)).status).toBe(404);
      expect((await stranger.patch(`/tasks/${mine}`, { name: 'x' })).status).toBe(404);
      expect((await stranger.get('/tasks')).body.data.map(({ id }: { id: string }) => id)).toEqual([theirs]);
      const [foreign, absent] = [theirs, absentId('task')].map((id) => service.api.get(`/tasks/${id}`));
      expect((await foreign)?.body.error).toEqual((await absent)?.body.error);
    } finally {
      await service.close();
    }
  });
});
