import { randomUUID } from 'node:crypto';
import type { Json } from '../support/api.js';
import { keyWith, propertyOf, taskOf, absentId } from '../support/factories.js';
import { openWorld } from '../support/oauth-world.js';
import { asking, doorNames, openTarget, type Target, TARGET_MCP_URL, withOps } from '../support/target.js';

let target: Target;
beforeAll(async () => {
  target = await openTarget();
});
afterAll(() => target.close());

const openApi = async (): Promise<Json> => (await target.api.get('/openapi.json')).body;

describe('SVC', () => {
  it('returns the same bytes over REST and MCP for a task', async () => {
    const { body } = await target.ask.MCP('createTask', { name: 'Made over MCP', metadata: { a: '1' } });
    const rest = await target.ask.REST('getTask', { taskId: body.data.id });
    const mcp = await target.ask.MCP('getTask', { taskId: body.data.id });
    expect(rest.body.data).toEqual(body.data);
    expect(mcp.body.data).toEqual(body.data);
  });

  it('has a tool for each operation of the document, with the same input, and no others', async () => {
    const { paths, components } = await openApi();
    const shared = (kind: string, { $ref, ...own }: Json): Json =>
      $ref ? components[kind][$ref.split('/').pop()] : own;
    const fieldsOf = ({ parameters = [], requestBody }: Json): string[] => {
      const body = shared('schemas', requestBody?.content['application/json'].schema ?? {});
      const asked = (parameters as Json[]).map((parameter) => shared('parameters', parameter));
      const given = asked.filter(({ in: where }) => where !== 'header').map(({ name }) => name);
      return [...given, ...Object.keys(body.properties ?? {})].sort();
    };
    const operations = Object.values<Json>(paths)
      .flatMap((path) => Object.values<Json>(path))
      // A stream that stays open is not a tool; assistants use listEvents.
      .filter(({ operationId }) => operationId !== 'streamEvents')
      .map((operation) => [operation.operationId, fieldsOf(operation)]);
    const tools = (await target.mcp.tools()).map(({ name, inputSchema }) => [
      name,
      Object.keys(inputSchema.properties ?? {}).sort(),
    ]);
    expect(Object.fromEntries(tools)).toEqual(Object.fromEntries(operations));
  });

  it.each([
    ['initializeLanguageTranslations', '/guides', 'guideId'],
    ['retranslateGuideText', '/guides', 'guideId'],
    ['importGuidePlace', '/guides', 'guideId'],
    ['create_email_template', '/email-templates', 'templateId'],
    ['modify_email_template', '/email-templates', 'templateId'],
    ['create_workflow', '/workflows', 'workflowId'],
    ['modify_workflow', '/workflows', 'workflowId'],
  ])(
    'offers %s over REST and MCP, with an example that fits a new record',
    async (operation, collection, parameter) => {
      const bodyOf = (entry: Json): Json => entry.requestBody.content['application/json'].example;
      const { paths } = await openApi();
      const entries = Object.entries<Json>(paths).flatMap(([path, { post }]) => (post ? [[path, post] as const] : []));
      const [path, entry] = entries.find(([, { operationId }]) => operationId === operation) as [string, Json];
      expect(entry['x-model-backed']).toBe(true);
      const { data } = (await target.api.post(collection, bodyOf(paths[`/api/v1${collection}`].post))).body;
      const here = path.replace('/api/v1', '').replace(`{${parameter}}`, data.id);
      // One key for both doors, because an organization has ten such calls a minute.
      const headers = { 'idempotency-key': randomUUID() };
      const rest = await target.api.post(here, bodyOf(entry), headers);
      const addressed = path.includes('{') ? { [parameter]: data.id } : {};
      const mcp = await target.mcp.call(operation, { ...addressed, ...bodyOf(entry) }, { headers });
      // Without a language model the operation returns an error instead of an invented result.
      const { error, data: job } = rest.body;
      const isFollowed = rest.headers.get('location')?.endsWith(`/model-jobs/${job?.id}`) ?? false;
      expect([
        [202, undefined, true],
        [500, 'NON_RETRYABLE', false],
      ]).toContainEqual([rest.status, error?.code, isFollowed]);
      expect((mcp.body as Json).error?.code).toBe(error?.code);
    },
  );

  it('reads and writes JSON, in one of the regions', async () => {
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

  it('books and finds a reservation', async () => {
    const propertyId = await propertyOf(target.api);
    const nights = { checkInDate: '2031-05-01', checkOutDate: '2031-05-04' };
    const booked = await target.ask[door]('createReservation', { propertyId, ...nights });
    expect(booked.status).toBe(201);
    const listed = await target.ask[door]('listReservations', { propertyId });
    expect(listed.body.data.map(({ id }: { id: string }) => id)).toEqual([booked.body.data.id]);
  });

  it('connects a property management system and a lock vendor', async () => {
    const propertyId = await propertyOf(target.api);
    const connect = (kind: string, provider = 'simulator') =>
      target.ask[door]('createConnection', { provider, kind, name: kind, credentials: {}, settings: { propertyId } });
    const [pms, locks, unknown] = [await connect('pms'), await connect('device'), await connect('device', 'nowhere')];
    const stays = await target.ask[door]('listReservations', { propertyId });
    expect([pms.status, stays.body.data.length]).toEqual([201, 3]);
    const devices = await target.ask[door]('listDevices', { connectionId: locks.body.data.id });
    expect(devices.body.data.map(({ type }: { type: string }) => type)).toContain('lock');
    expect(JSON.stringify(unknown.body.error)).toContain('seam');
  });

  it('acts as a machine member of the one organization', async () => {
    const { body } = await target.ask[door]('getMe');
    expect(body.data.member.kind).toBe('machine');
    expect(body.data.organization.id).toMatch(/^org_/);
  });

  it('limits a restricted credential to its properties', async () => {
    const [here, elsewhere] = [await propertyOf(target.api), await propertyOf(target.api)];
    const { key } = await keyWith(target.api, { propertyIds: [here] });
    const [mine, theirs] = [
      await taskOf(target.api, { propertyId: here }),
      await taskOf(target.api, { propertyId: elsewhere }),
    ];
    expect((await target.ask[door]('getTask', { taskId: mine }, { key })).status).toBe(200);
    expect((await target.ask[door]('getTask', { taskId: theirs }, { key })).status).toBe(404);
    expect((await target.ask[door]('completeTask', { taskId: theirs }, { key })).status).toBe(404);
    const { body: properties } = await target.ask[door]('listProperties', {}, { key });
    expect(properties.data.map(({ id }: { id: string }) => id)).toEqual([here]);
    const { body } = await target.ask[door]('listTasks', {}, { key });
    expect(body.data.map(({ id }: { id: string }) => id)).toEqual([mine]);
  });
});

describe('SVC organizations', () => {
  withOps('a second organization is made')('keeps a credential inside one organization', async () => {
    const world = await openWorld();
    const keyIn = async (orgId: string) =>
      (await world.ops(`api-key create --org ${orgId} --name Acceptance --scopes *`)).key as string;
    try {
      const [key, foreignKey] = [await keyIn(world.lakeside), await keyIn(world.alpine)];
      const [mine, theirs] = [await taskOf(world.rest(key)), await taskOf(world.rest(foreignKey))];
      const { url } = world.service;
      const mcpUrl = TARGET_MCP_URL ?? url;
      for (const door of doorNames) {
        const [own, foreign] = [key, foreignKey].map((one) => asking(url, mcpUrl, one)[door]);
        if (!own || !foreign) throw new Error('There are two organizations');
        expect((await own('getTask', { taskId: theirs })).status).toBe(404);
        expect((await foreign('getTask', { taskId: mine })).status).toBe(404);
        expect((await foreign('updateTask', { taskId: mine, name: 'x' })).status).toBe(404);
        const listed = (await foreign('listTasks')).body.data as { id: string }[];
        expect(listed.map(({ id }) => id)).toEqual([theirs]);
        const [hidden, absent] = [theirs, absentId('task')].map((taskId) => own('getTask', { taskId }));
        expect((await hidden)?.body.error).toEqual((await absent)?.body.error);
      }
    } finally {
      await world.close();
    }
  });
});
