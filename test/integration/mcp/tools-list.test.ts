import { ServerResponse } from 'node:http';
import { jest } from '@jest/globals';
import { Catalogue, type Operation } from '#operations';
import { isFrozen, toolsetsOf } from '../../../src/doors/mcp/toolsets.js';
import type { Json } from '../../support/api.js';
import { keyWith, propertyOf } from '../../support/factories.js';
import { type Mcp, mcpOf } from '../../support/mcp.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let mcp: Mcp;
beforeAll(async () => {
  service = await startApp();
  mcp = mcpOf(service.url, service.key);
});
afterAll(() => service.close());

const namesOf = (tools: { name: string }[]): string[] => tools.map(({ name }) => name);
/** In the order of the list. Streams have no tool. */
const catalogue = () => {
  const all = service.app
    .get(Catalogue)
    .all()
    .filter(({ operation }) => operation.output.kind !== 'stream');
  return [...all.filter(({ operation }) => operation.everyday), ...all.filter(({ operation }) => !operation.everyday)];
};
const byName = ['findOperations', 'readByName', 'changeByName', 'destroyByName'];

describe('tools/list', () => {
  it('lists every operation, everyday ones first, then by name, in a stable order', async () => {
    const listed = await mcp.tools();
    expect(namesOf(listed)).toEqual(catalogue().map(({ operation }) => operation.name));
    expect(await mcp.tools()).toEqual(listed);
  });

  it('sends the cached bytes of a list', async () => {
    const write = jest.spyOn(ServerResponse.prototype, 'write');
    await mcp.tools();
    await mcp.tools();
    const written = write.mock.calls.map(([chunk]) => chunk as unknown).filter((chunk) => Buffer.isBuffer(chunk));
    write.mockRestore();
    expect(written).toHaveLength(2);
    expect(written[0] === written[1]).toBe(true);
  });

  it('describes a tool in full', async () => {
    const tools = await mcp.tools();
    for (const tool of tools) {
      expect(tool).toMatchObject({ title: expect.any(String), description: expect.any(String) });
      expect(tool.inputSchema.type).toBe('object');
      expect(tool.outputSchema).toBeUndefined();
      expect(tool.annotations).toEqual({
        destructiveHint: expect.any(Boolean),
        openWorldHint: expect.any(Boolean),
        readOnlyHint: expect.any(Boolean),
        ...(tool.annotations.idempotentHint !== undefined && { idempotentHint: true }),
      });
    }
    const named = new Map(tools.map((tool) => [tool.name, tool]));
    expect(named.get('listTasks').annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(['getTask', 'updateTask', 'createTask'].map((name) => named.get(name).annotations.idempotentHint)).toEqual([
      true,
      true,
      undefined,
    ]);
    expect(named.get('revokeApiKey').annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(named.get('createApiKey')._meta).toEqual({ 'property-operations/showsSecret': true });
    expect(named.get('getTask')._meta).toBeUndefined();
    expect(named.get('completeTask').inputSchema.required).toEqual(['taskId']);
  });

  it('shows the form of each id that can be passed', async () => {
    // Names that other systems and clients choose have no form of ours.
    const foreign = ['externalId', 'requestId'];
    const fields = (await mcp.tools()).flatMap((tool) =>
      Object.entries(tool.inputSchema.properties as Record<string, Json>).map(([name, schema]) => ({
        name,
        field: `${tool.name}.${name}`,
        description: String(schema.description),
      })),
    );
    const ids = fields.filter(({ name }) => name.endsWith('Id') && !foreign.includes(name));
    expect(ids.length).toBeGreaterThan(100);
    expect(ids.filter(({ description }) => !/\w_…/.test(description)).map(({ field }) => field)).toEqual([]);
  });

  it('omits what an API key has no scope for', async () => {
    const key = (await service.api.post('/api-keys', { name: 'reader', scopes: ['tasks:read'] })).body.data.key;
    const readable = catalogue().filter(({ operation: { scope } }) => scope === undefined || scope === 'tasks:read');
    expect(namesOf(await mcp.as(key).tools())).toEqual(readable.map(({ operation }) => operation.name));
    expect(readable.length).toBeGreaterThan(2);
    expect(namesOf(await mcp.tools())).toContain('createTask');
  });

  it('omits what would change or reveal something of the whole organization for a limited caller', async () => {
    const { key } = await keyWith(service.api, { propertyIds: [await propertyOf(service.api)] });
    const within = catalogue().filter(
      ({ operation: { reach, effect, showsSecret } }) =>
        reach !== 'organization' || (effect === 'read' && !showsSecret),
    );
    const limited = namesOf(await mcp.as(key).tools());
    expect(limited).toEqual(within.map(({ operation }) => operation.name));
    expect(['createRole', 'createTask', 'listRoles'].map((name) => limited.includes(name))).toEqual([
      false,
      true,
      true,
    ]);
    expect(namesOf(await mcp.tools())).toContain('createRole');
  });
});

describe('a narrowed address', () => {
  it('shows the tools of the features that it names', async () => {
    const ofProperties = catalogue().filter(({ feature }) => feature === 'properties');
    const properties = namesOf(await mcp.tools('?toolsets=properties'));
    expect(properties).toEqual([...byName, ...ofProperties.map(({ operation }) => operation.name)]);
    expect(properties).toContain('getProperty');
    expect(namesOf(await mcp.tools('?toolsets=organizations'))).toEqual(
      expect.arrayContaining([...properties, 'getMe']),
    );
    expect(namesOf(await mcp.tools('?toolsets=me,properties'))).toContain('getMe');
  });

  it('has a toolset for each subject, wherever its code is', () => {
    const listed = catalogue().map((handled) => [handled.feature, isFrozen(handled.feature)]);
    expect(listed.filter(([, isNamed]) => !isNamed)).toEqual([]);
    expect([...toolsetsOf({ feature: 'guests', operation: {} as Operation })]).toEqual(['guests', 'reservations']);
  });

  it('shows the everyday operations as core, also together with others', async () => {
    const named = (some: ReturnType<typeof catalogue>): string[] => some.map(({ operation }) => operation.name);
    const everyday = catalogue().filter(({ operation }) => operation.everyday);
    expect(namesOf(await mcp.tools('?toolsets=core'))).toEqual([...byName, ...named(everyday)]);
    const both = catalogue().filter(({ operation, folder }) => operation.everyday || folder === 'workflows');
    expect(namesOf(await mcp.tools('?toolsets=core,workflows')).sort()).toEqual([...byName, ...named(both)].sort());
  });

  it('adds the output schemas on request, without a root anyOf and without required data', async () => {
    const tools = await mcp.tools('?outputs=true');
    expect(namesOf(tools)).toEqual(namesOf(await mcp.tools()));
    for (const { outputSchema } of tools) {
      expect([outputSchema.type, outputSchema.anyOf, outputSchema.required]).toEqual(['object', undefined, ['meta']]);
      const data = JSON.stringify(outputSchema.properties.data);
      expect(data).not.toMatch(/"required":\[|"additionalProperties":false|"description":"/);
    }
    const lists = tools.find(({ name }) => name === 'listTasks').outputSchema;
    expect(Object.keys(lists.properties.meta.properties)).toEqual(['requestId', 'pagination', 'truncated']);
    expect(namesOf(await mcp.tools('?outputs=true&toolsets=core'))).toEqual(namesOf(await mcp.tools('?toolsets=core')));
  });

  it('shows only reads', async () => {
    const reads = catalogue().filter(({ operation }) => operation.effect === 'read');
    expect(namesOf(await mcp.tools('?readonly=true'))).toEqual(reads.map(({ operation }) => operation.name));
    const ofTasks = reads.filter(({ feature }) => feature === 'tasks').map(({ operation }) => operation.name);
    const readers = ['findOperations', 'readByName'];
    expect(namesOf(await mcp.tools('?readonly=true&toolsets=tasks'))).toEqual([...readers, ...ofTasks]);
    expect(ofTasks).toContain('listTasks');
    expect(namesOf(await mcp.tools('?readonly=false'))).toContain('createTask');
  });

  it.each([
    ['?toolsets=tasks,nothing', 'toolsets'],
    ['?toolsets=', 'toolsets'],
    ['?readonly=yes', 'readonly'],
    ['?outputs=1', 'outputs'],
    ['?read_only=true', 'read_only'],
  ])('rejects %s', async (query, name) => {
    const { status, body } = await service.api.post(`/mcp${query}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'validation_error', details: { issues: [{ path: [name] }] } });
  });

  it('does not serve what it does not list', async () => {
    const params = { name: 'createTask', arguments: { name: 'No' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    expect((await service.api.post('/mcp?readonly=true', message)).body.error.code).toBe(-32602);
  });
});
