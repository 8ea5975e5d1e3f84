import { ServerResponse } from 'node:http';
import { jest } from '@jest/globals';
import { Catalogue } from '#operations';
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
/** What streams has no tool. */
const catalogue = () =>
  service.app
    .get(Catalogue)
    .all()
    .filter(({ operation }) => operation.output.kind !== 'stream');

describe('tools/list', () => {
  it('lists every operation, in the order of names, the same each time', async () => {
    const listed = await mcp.tools();
    expect(namesOf(listed)).toEqual(catalogue().map(({ operation }) => operation.name));
    expect(await mcp.tools()).toEqual(listed);
  });

  it('sends the bytes of a list as they are kept', async () => {
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
      expect(JSON.stringify(tool.outputSchema)).not.toContain('"description":"');
      expect(Object.keys(tool.annotations).sort()).toEqual([
        'destructiveHint',
        'idempotentHint',
        'openWorldHint',
        'readOnlyHint',
      ]);
    }
    const byName = new Map(tools.map((tool) => [tool.name, tool]));
    expect(byName.get('listTasks').annotations).toMatchObject({ readOnlyHint: true, destructiveHint: false });
    expect(byName.get('revokeApiKey').annotations).toMatchObject({ readOnlyHint: false, destructiveHint: true });
    expect(byName.get('createApiKey')._meta).toEqual({ 'property-operations/showsSecret': true });
    expect(byName.get('getTask')._meta).toBeUndefined();
    expect(byName.get('completeTask').inputSchema.required).toEqual(['taskId']);
    expect(Object.keys(byName.get('listTasks').outputSchema.properties.meta.properties)).toEqual([
      'requestId',
      'pagination',
    ]);
  });

  it('costs at most about 100 tokens a tool beside its schemas', () => {
    // English prose has four characters a token; names of tools and fields have fewer.
    for (const { operation } of catalogue()) {
      const { name, title, description } = operation;
      expect([name, Math.ceil(`${name} ${title} ${description}`.length / 3.5) <= 100]).toEqual([name, true]);
    }
  });

  it('leaves out what an API key has no scope for', async () => {
    const key = (await service.api.post('/api-keys', { name: 'reader', scopes: ['tasks:read'] })).body.data.key;
    const readable = catalogue().filter(({ operation: { scope } }) => scope === undefined || scope === 'tasks:read');
    expect(namesOf(await mcp.as(key).tools())).toEqual(readable.map(({ operation }) => operation.name));
    expect(readable.length).toBeGreaterThan(2);
    expect(namesOf(await mcp.tools())).toContain('createTask');
  });

  it('leaves out what would change or reveal something of the whole organization for a caller of some properties', async () => {
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
    expect(properties).toEqual(ofProperties.map(({ operation }) => operation.name));
    expect(properties).toContain('getProperty');
    expect(namesOf(await mcp.tools('?toolsets=organizations'))).toEqual(
      expect.arrayContaining([...properties, 'getMe']),
    );
    expect(namesOf(await mcp.tools('?toolsets=me,properties'))).toContain('getMe');
  });

  it('shows only reads', async () => {
    const reads = catalogue().filter(({ operation }) => operation.effect === 'read');
    expect(namesOf(await mcp.tools('?readonly=true'))).toEqual(reads.map(({ operation }) => operation.name));
    const ofTasks = reads.filter(({ feature }) => feature === 'tasks').map(({ operation }) => operation.name);
    expect(namesOf(await mcp.tools('?readonly=true&toolsets=tasks'))).toEqual(ofTasks);
    expect(ofTasks).toContain('listTasks');
    expect(namesOf(await mcp.tools('?readonly=false'))).toContain('createTask');
  });

  it.each([
    ['?toolsets=tasks,nothing', 'toolsets'],
    ['?toolsets=', 'toolsets'],
    ['?readonly=yes', 'readonly'],
    ['?read_only=true', 'read_only'],
  ])('refuses %s', async (query, name) => {
    const { status, body } = await service.api.post(`/mcp${query}`, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(status).toBe(400);
    expect(body.error).toMatchObject({ type: 'validation_error', details: { issues: [{ path: [name] }] } });
  });

  it('does not serve what it does not show', async () => {
    const params = { name: 'createTask', arguments: { name: 'No' } };
    const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params };
    expect((await service.api.post('/mcp?readonly=true', message)).body.error.code).toBe(-32602);
  });
});
