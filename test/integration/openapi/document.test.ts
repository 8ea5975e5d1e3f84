import { Catalogue, readInput } from '#operations';
import { openApiDocument } from '../../../src/doors/openapi/document.js';
import { eventTypes } from '../../../src/platform/events/event-type.js';
import type { Json } from '../../support/api.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let document: Json;
beforeAll(async () => {
  service = await startApp({ BASE_URL: 'https://api.example.org' });
  document = (await service.api.as(undefined).get('/openapi.json')).body;
});
afterAll(() => service.close());

/** Every operation object with its path and method. */
const entries = (): { path: string; method: string; entry: Json }[] =>
  Object.entries<Json>(document.paths).flatMap(([path, methods]) =>
    Object.entries<Json>(methods).map(([method, entry]) => ({ path, method, entry })),
  );

const entryOf = (name: string): Json => entries().find(({ entry }) => entry.operationId === name)?.entry;

it('is written in many turns of the event loop, so that nobody else waits for it', async () => {
  let turns = 0;
  let isWritten = false;
  const count = (): void => {
    turns += 1;
    if (!isWritten) setImmediate(count);
  };
  setImmediate(count);
  await openApiDocument(service.app.get(Catalogue).all(), { baseUrl: 'http://localhost', environment: 'live' });
  isWritten = true;
  expect(turns).toBeGreaterThan(3);
});

it('is written once for all documents and pages', async () => {
  const written = jest.spyOn(Catalogue.prototype, 'all');
  for (const path of ['/openapi.json', '/postman.json', '/llms.txt', '/docs', '/docs/tasks', '/docs/devices'])
    expect((await service.api.as(undefined).get(path)).status).toBe(200);
  // The names of the pages, at the first of them.
  expect(written.mock.calls.length).toBeLessThanOrEqual(1);
  written.mockRestore();
});

describe('GET /openapi.json', () => {
  it('is public, JSON and cacheable for a while', async () => {
    const reply = await service.api.as(undefined).get('/openapi.json');
    expect(reply.status).toBe(200);
    expect(reply.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('public, max-age=300');
    expect(reply.headers.get('x-request-id')).toBeTruthy();
  });

  it('names its version and the URL of the service', () => {
    expect(document.openapi).toBe('3.1.1');
    expect(document.info.version).toMatch(/^\d+\.\d+\.\d+/);
    expect(document.servers).toEqual([{ url: 'https://api.example.org' }]);
    const { authorizationUrl, tokenUrl, scopes } = document.components.securitySchemes.oauth2.flows.authorizationCode;
    expect([authorizationUrl, tokenUrl]).toEqual([
      'https://api.example.org/oauth/authorize',
      'https://api.example.org/oauth/token',
    ]);
    expect(scopes['tasks:write']).toBe('Create, assign and complete tasks');
  });

  it('has every operation of the catalogue, with its scope and effect', () => {
    const described = entries().map(({ path, method, entry }) => [
      entry.operationId,
      `${method.toUpperCase()} ${path}`,
      entry['x-scope'],
      entry['x-effect'],
      entry['x-model-backed'],
      entry.tags,
    ]);
    const handled = service.app.get(Catalogue).all();
    const expected = handled.map(
      ({ feature, operation: { name, method, path, scope, effect, modelBacked = false } }) => [
        name,
        `${method} /api/v1${path}`,
        scope,
        effect,
        modelBacked,
        [feature],
      ],
    );
    expect(expected.length).toBeGreaterThan(5);
    expect(described).toHaveLength(expected.length);
    expect(described).toEqual(expect.arrayContaining(expected));
  });

  it('takes a path parameter out of the body', () => {
    const { parameters, requestBody } = entryOf('updateTask');
    expect(parameters[0]).toMatchObject({ name: 'taskId', in: 'path', required: true });
    const { schema } = requestBody.content['application/json'];
    expect(Object.keys(schema.properties)).not.toContain('taskId');
    expect(schema.required).toBeUndefined();
    expect(requestBody.required).toBe(false);
    expect(entryOf('completeTask').requestBody).toBeUndefined();
  });

  it('gives reads their input as query parameters', () => {
    const { parameters, requestBody } = entryOf('listTasks');
    expect(requestBody).toBeUndefined();
    expect(parameters).toContainEqual({
      name: 'limit',
      in: 'query',
      required: false,
      description: 'Maximum number; default: 20.',
      schema: { type: 'integer', minimum: 1, maximum: 100 },
    });
  });

  it('offers Idempotency-Key on every write and If-Match where a version can be named', () => {
    const keyed = (name: string): string[] =>
      (entryOf(name).parameters ?? []).flatMap(({ $ref }: Json) => ($ref ? [$ref.split('/').at(-1)] : []));
    expect(keyed('createTask')).toEqual(['IdempotencyKey']);
    expect(keyed('updateTask')).toEqual(['IdempotencyKey', 'IfMatch']);
    expect(keyed('listTasks')).toEqual([]);
  });

  it('names the views and describes the response with its headers', () => {
    const created = entryOf('createTask').responses[201];
    const { data, meta } = created.content['application/json'].schema.properties;
    expect([data.$ref, meta.$ref]).toEqual(['#/components/schemas/TaskView', '#/components/schemas/Meta']);
    expect(Object.keys(created.headers)).toEqual([
      'X-Request-Id',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'ETag',
      'Idempotent-Replayed',
    ]);
    expect(document.components.schemas.TaskView.properties.checklist.items.$ref).toBe(
      '#/components/schemas/ChecklistItem',
    );
    const { schema } = entryOf('listTasks').responses[200].content['application/json'];
    expect(schema.properties.data.items.$ref).toBe('#/components/schemas/TaskView');
    expect(schema.properties.meta.$ref).toBe('#/components/schemas/PageMeta');
  });

  it('describes every error with the one envelope', () => {
    expect(Object.keys(entryOf('createTask').responses)).toEqual(
      [201, 202, 400, 401, 403, 404, 409, 422, 429, 500, 503].map(String),
    );
    expect(Object.keys(entryOf('getMe').responses)).toEqual([200, 400, 401, 403, 429, 500, 503].map(String));
    const { ApprovalPending: _, ...errors } = document.components.responses;
    for (const response of Object.values<Json>(errors)) {
      expect(response.content['application/json'].schema.allOf[0].$ref).toBe('#/components/schemas/ErrorEnvelope');
    }
  });

  it('lists the known errors, for programs and for readers', () => {
    const keys = document['x-rejections'].map(({ key }: Json) => key);
    expect(keys).toContain('TASK_DUE_BEFORE_START');
    expect(document.info.description).toContain('`TASK_DUE_BEFORE_START`');
  });

  it('has no dangling reference', () => {
    const references = [...JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)].map(
      ([, path]) => path as string,
    );
    expect(references.length).toBeGreaterThan(20);
    const missing = references.filter(
      (path) => path.split('/').reduce<Json>((at, step) => at?.[step], document) === undefined,
    );
    expect(missing).toEqual([]);
    const unused = Object.keys(document.components.schemas).filter(
      (name) => !references.includes(`components/schemas/${name}`),
    );
    expect(unused).toEqual([]);
  });
});

describe('the webhooks of the document', () => {
  it('describe every type of event, with the content of its deliveries', () => {
    expect(Object.keys(document.webhooks).sort()).toEqual([...eventTypes().keys()].sort());
    const { schema } = document.webhooks['task.created'].post.requestBody.content['application/json'];
    expect(schema.properties.type).toEqual({ const: 'task.created' });
    expect(JSON.stringify(schema)).toContain('#/components/schemas/TaskEventData');
  });
});

describe('the examples of bodies', () => {
  it('are accepted by the validation of their operations', () => {
    const bodies = service.app
      .get(Catalogue)
      .all()
      .flatMap(({ operation }) => {
        const { requestBody, parameters = [] } = entryOf(operation.name);
        if (!requestBody) return [];
        const inPath = parameters.filter((parameter: Json) => parameter.in === 'path');
        const path = Object.fromEntries(inPath.map(({ name, example }: Json) => [name, example]));
        return [{ operation, input: { ...path, ...requestBody.content['application/json'].example } }];
      });
    expect(bodies.length).toBeGreaterThan(3);
    for (const { operation, input } of bodies) {
      expect(() => readInput(operation.input, input)).not.toThrow();
    }
  });

  it.each(['createTask', 'createProperty', 'createApiKey'])('make %s work unchanged', async (name) => {
    const { path, method, entry } = entries().find((one) => one.entry.operationId === name) as ReturnType<
      typeof entries
    >[number];
    const { example } = entry.requestBody.content['application/json'];
    const { status, body } = await service.api.send(method.toUpperCase(), path, example);
    expect([status, body.error]).toEqual([201, undefined]);
    const { name: given } = example;
    expect(body.data.name).toBe(given);
  });
});

describe('GET /llms.txt', () => {
  it('names REST and MCP', async () => {
    const { status, headers, text } = await service.api.as(undefined).get('/llms.txt');
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(text).toContain('https://api.example.org/mcp');
    expect(text).toContain('https://api.example.org/openapi.json');
  });
});

describe('GET /postman.json', () => {
  interface Folder {
    name: string;
    item: { name: string; request: Json }[];
  }
  let reply: Awaited<ReturnType<Service['api']['get']>>;
  beforeAll(async () => {
    reply = await service.api.as(undefined).get('/postman.json');
  });
  const folders = (): Folder[] => reply.body.item;
  const requests = (): Json[] => folders().flatMap(({ item }) => item.map(({ request }) => request));

  it('is a public collection of version 2.1, smaller than 1 MB', () => {
    expect([reply.status, reply.headers.get('cache-control')]).toEqual([200, 'public, max-age=300']);
    expect(reply.text.length).toBeLessThan(1_000_000);
    expect(reply.body.info).toEqual({
      name: 'Property Operations Service',
      version: document.info.version,
      description: expect.any(String),
      schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
    });
    expect(reply.body.auth).toEqual({
      type: 'bearer',
      bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }],
    });
    expect(reply.body.variable).toEqual([
      { key: 'baseUrl', value: 'https://api.example.org' },
      { key: 'apiKey', value: '' },
    ]);
  });

  it('has a request for each operation, in the folder of its feature', () => {
    const found = folders().flatMap(({ name, item }) =>
      item.map(({ request }) => `${name} ${request.method} ${request.url.raw}`),
    );
    const expected = entries().map(
      ({ path, method, entry }) =>
        `${entry.tags[0]} ${method.toUpperCase()} {{baseUrl}}${path.replaceAll(/\{(\w+)\}/g, ':$1')}`,
    );
    expect(found.toSorted()).toEqual(expected.toSorted());
  });

  it('gives each path parameter a value, and each write a key of its own', () => {
    for (const { method, url, header, body } of requests()) {
      expect(`{{baseUrl}}/${url.path.join('/')}`).toBe(url.raw);
      const placeholders = url.path.filter((part: string) => part.startsWith(':'));
      expect(url.variable.map(({ key }: Json) => `:${key}`)).toEqual(placeholders);
      for (const { value } of url.variable) expect(value).toEqual(expect.any(String));
      expect(url.query.every(({ disabled }: Json) => disabled === true)).toBe(true);
      const path = url.raw.replace('{{baseUrl}}', '').replaceAll(/:(\w+)/g, '{$1}');
      const isRead = document.paths[path][method.toLowerCase()]['x-effect'] === 'read';
      expect(header.filter(({ value }: Json) => value === '{{$guid}}')).toHaveLength(isRead ? 0 : 1);
      expect(JSON.parse(body?.raw ?? '{}')).toEqual(expect.any(Object));
    }
  });

  it('has requests that succeed unchanged', async () => {
    const { url, body, header } = requests().find(
      ({ method, url: { raw } }) => method === 'POST' && raw.endsWith('/v1/tasks'),
    )!;
    const headers = header.filter(({ disabled }: Json) => !disabled).map(({ key, value }: Json) => [key, value]);
    const path = url.raw.replace('{{baseUrl}}', '');
    const made = await service.api.send('POST', path, body.raw, Object.fromEntries(headers));
    expect(made.status).toBe(201);
  });
});
