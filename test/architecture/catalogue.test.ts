import { Catalogue, classOf, fieldsOf, type JsonSchema, type Operation, schemaOf, type Shape } from '#operations';
import { permissionNames } from '../../src/platform/callers/permissions.js';
import type { RoleView } from '../../src/tenancy/roles/role.dto.js';
import { mcpOf } from '../support/mcp.js';
import { type Service, startApp } from '../support/start-app.js';

/** `checkInReservation` → ['check', 'in', 'reservation'] */
const wordsOf = (name: string): string[] => name.split(/(?=[A-Z])/).map((word) => word.toLowerCase());

const makes = new Set(['create', 'save', 'invite', 'add', 'attach', 'comment']);
const methodOf: Record<string, string> = Object.fromEntries(
  Object.entries({
    POST: [...makes],
    GET: ['list', 'get', 'count', 'export', 'stream'],
    PATCH: ['update', 'edit'],
    DELETE: ['delete', 'remove', 'hide', 'erase'],
  }).flatMap(([method, verbs]) => verbs.map((verb) => [verb, method])),
);
/** There is one of each for the requesting credential: its item has no id. */
const singletons = new Set(['/organization', '/me']);

/** A record that another system names by its own id is saved, read and cancelled at that id. */
function expectedMethod({ name, path }: Operation): string {
  const verb = wordsOf(name)[0] as string;
  if (path.endsWith('/bulk')) return 'POST';
  if (path.endsWith('/{externalId}')) return { save: 'PUT', cancel: 'DELETE' }[verb] ?? 'GET';
  return methodOf[verb] ?? 'POST';
}

/** How an operation's route differs from what its name implies. */
function routeFaults(operation: Operation): string[] {
  const { name, method, path, effect, pathParameters } = operation;
  const words = wordsOf(name);
  const verb = words[0] as string;
  const last = path.split('/').at(-1) as string;
  const expected = expectedMethod(operation);
  const isItem = last.startsWith('{') || singletons.has(path);
  const faults: [string, boolean][] = [
    [
      'its path is in kebab-case, its parameters end in Id',
      !/^(\/([a-z]+(-[a-z]+)*|\{[a-z][A-Za-z]*Id\}))+$/.test(path),
    ],
    [`its method is ${expected}`, method !== expected],
    ['what reads changes nothing, and the other way round', method === 'GET' && effect !== 'read'],
    ['a deletion is destructive', method === 'DELETE' && effect !== 'destructive'],
    ['PUT, PATCH and DELETE name an item', ['PUT', 'PATCH', 'DELETE'].includes(method) && !isItem],
    ['POST names a collection or ends in the verb', method === 'POST' && isItem],
    [
      'the verb is in the name',
      !(verb in methodOf) && method !== 'DELETE' && !last.split('-').every((word) => words.includes(word)),
    ],
    [
      'the input has its parameters',
      !pathParameters.every((parameter) => parameter in (schemaOf(operation.input).properties as object)),
    ],
  ];
  return faults.filter(([, isSo]) => isSo).map(([rule]) => `${name} (${method} ${path}): ${rule}`);
}

/** A class and its nested classes. */
function shapesOf(shape: Shape, found = new Set<Shape>()): Set<Shape> {
  if (found.has(shape)) return found;
  found.add(shape);
  for (const { schema } of fieldsOf(shape)) {
    const inner = classOf(schema);
    if (inner) shapesOf(inner, found);
  }
  return found;
}

/** The prefix of the id in a field, or in each item of a list. */
function prefixOf(schema: JsonSchema): string | undefined {
  const parts = [schema, schema.items, ...((schema.anyOf as JsonSchema[] | undefined) ?? [])] as (
    | JsonSchema
    | undefined
  )[];
  const prefix = parts.find((part) => part?.['x-id'])?.['x-id'];
  return prefix as string | undefined;
}

/** How the sentence of a field with an id differs from "Task id (task_…), from listTasks." */
function idFaults(shape: Shape, names: ReadonlySet<string>): string[] {
  return fieldsOf(shape).flatMap(({ name, schema }) => {
    const [prefix, description] = [prefixOf(schema), String(schema.description)];
    const unknown = [...description.matchAll(/\bfrom ((?:list|get)[A-Z]\w+)/g)].filter(
      ([, source]) => !names.has(source as string),
    );
    const hasForm = prefix === undefined || description.includes(`(${prefix}_…)`);
    return hasForm && unknown.length === 0 ? [] : [`${shape.name}.${name}: ${description}`];
  });
}

let service: Service;
let operations: Operation[];

beforeAll(async () => {
  service = await startApp();
  operations = service.app
    .get(Catalogue)
    .all()
    .map(({ operation }) => operation);
});

afterAll(() => service.close());

describe('the catalogue', () => {
  it('names each operation, and each route, once', () => {
    expect(operations.length).toBeGreaterThan(10);
    const names = operations.map(({ name }) => name.toLowerCase());
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
    const routes = operations.map(({ method, path }) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`);
    expect(routes.filter((route, index) => routes.indexOf(route) !== index)).toEqual([]);
  });

  it('requires existing permissions, and rarely none', () => {
    const known: readonly string[] = permissionNames;
    const unknown = operations.filter(({ scope }) => scope !== undefined && !known.includes(scope));
    expect(unknown.map(({ name, scope }) => `${name}: ${scope}`)).toEqual([]);
    // Model jobs are visible to callers with the scope of the requested operation, approvals to their requesters.
    const approvals = ['getApproval', 'listApprovals', 'withdrawApproval'];
    const ofAny = [...approvals, 'cancelModelJob', 'getMe', 'getModelJob', 'listModelJobs'].sort();
    expect(operations.filter(({ scope }) => scope === undefined).map(({ name }) => name)).toEqual(ofAny);
  });

  it('has no clock to move outside of test environments', () => {
    expect(operations.map(({ name }) => name).filter((name) => name.endsWith('Clock'))).toEqual([]);
  });

  it('never offers the permission to move it there', async () => {
    const { api, url } = service;
    const { body: made } = await api.post('/api-keys', { name: 'All', scopes: ['*'] });
    const paths = ['/openapi.json', '/llms-full.txt', '/.well-known/oauth-authorization-server', '/me', '/roles'];
    const shown = await Promise.all(paths.map(async (path) => (await api.get(path)).text));
    shown.push(made.data.scopes.join(' '), JSON.stringify(await mcpOf(url, made.data.key).tools()));
    expect(shown.map((text) => [text.includes('clock:manage'), text.includes('tasks:read')])).toEqual(
      shown.map(() => [false, true]),
    );
    const { body } = await api.post('/api-keys', { name: 'Clock', scopes: ['clock:manage'] });
    expect(body.error.details.issues).toEqual([expect.objectContaining({ path: ['scopes'] })]);
    // A key without it can still assign the roles that have everything.
    const { body: roles } = await api.get('/roles');
    const { id: roleId } = roles.data.find(({ builtIn }: RoleView) => builtIn === 'manager');
    const invited = await api.as(made.data.key).post('/members', { email: 'eva@tests.example', roleId });
    expect(invited.status).toBe(201);
  });

  it('uses every permission', () => {
    const used = new Set(operations.map(({ scope }) => scope));
    // It widens what applications:read and applications:write allow, and belongs to no operation.
    used.add('applications:manage');
    // People decide on pages; it belongs to no operation.
    used.add('approvals:decide');
    // Only test environments have a clock that can be moved.
    used.add('clock:manage');
    expect(permissionNames.filter((name) => !used.has(name))).toEqual([]);
  });

  it('requires a permission to read, or to reveal, before it shows records', () => {
    const shown = operations.filter(({ method, scope }) => method === 'GET' && scope);
    expect(shown.filter(({ scope }) => !scope?.endsWith(':read')).map(({ name }) => name)).toEqual([]);
    const reading = operations.filter(({ effect, scope }) => effect !== 'read' && scope?.endsWith(':read'));
    expect(reading.map(({ name }) => name)).toEqual([]);
  });

  it('has the routes that the names imply', () => {
    expect(operations.filter(({ modelBacked }) => !modelBacked).flatMap(routeFaults)).toEqual([]);
  });

  it('returns 201 if something is created, 202 if work may continue in the background, else 200', () => {
    const promised = ({ name, path, follow, output }: Operation): number =>
      follow
        ? 202
        : output.kind === 'saved' || path.endsWith('/bulk')
          ? 200
          : makes.has(wordsOf(name)[0] as string)
            ? 201
            : 200;
    const differs = operations.filter((operation) => operation.status !== promised(operation));
    expect(differs.map(({ name, status }) => `${name}: ${status}`)).toEqual([]);
  });

  it('describes each operation in a title, and in sentences short enough for an assistant', () => {
    for (const { name, title, description } of operations) {
      expect({ name, title }).toEqual({ name, title: expect.stringMatching(/^[A-Z].{4,59}[^.\s]$/) });
      expect({ name, description }).toEqual({ name, description: expect.stringMatching(/^[A-Z][^\n]{8,320}\.$/) });
    }
  });

  it("names the form of each id in its field's sentence, and an existing operation as its source", () => {
    const names = new Set(operations.map(({ name }) => name));
    const found = new Set(operations.flatMap(({ input, output }) => [...shapesOf(input), ...shapesOf(output.view)]));
    const shapes = [...found];
    expect(shapes.flatMap(fieldsOf).filter(({ schema }) => prefixOf(schema)).length).toBeGreaterThan(100);
    expect(shapes.flatMap((shape) => idFaults(shape, names))).toEqual([]);
    const given = new Set(operations.flatMap(({ input }) => [...shapesOf(input)]));
    const ids = [...given].flatMap(fieldsOf).filter(({ schema }) => prefixOf(schema));
    const withoutSource = ids.filter(({ schema }) => !/\bfrom (list|get|create)[A-Z]/.test(String(schema.description)));
    expect(withoutSource.map(({ name, schema }) => `${name}: ${String(schema.description)}`)).toEqual([]);
  });
});
