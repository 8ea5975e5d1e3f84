import { Catalogue } from '#operations';
import { OperationSearch } from '../../../src/doors/mcp/operation-search.js';
import { assistantIntents } from '../../intents/assistant.js';
import { secondAssistantIntents } from '../../intents/assistant-second.js';
import { unseenAssistantIntents } from '../../intents/assistant-unseen.js';
import { staffIntents } from '../../intents/staff.js';
import { unseenStaffIntents } from '../../intents/staff-unseen.js';
import { keyWith } from '../../support/factories.js';
import { type Mcp, mcpOf, type ToolReply } from '../../support/mcp.js';
import { type Service, startApp } from '../../support/start-app.js';

let service: Service;
let mcp: Mcp;
beforeAll(async () => {
  service = await startApp();
  mcp = mcpOf(service.url, (await keyWith(service.api)).key).at('?toolsets=core');
});
afterAll(() => service.close());

const operations = () =>
  service.app
    .get(Catalogue)
    .all()
    .map(({ operation }) => operation)
    .filter(({ output }) => output.kind !== 'stream');
const namesOf = ({ body }: ToolReply): string[] => body.data.map(({ name }: { name: string }) => name);
const issueOf = ({ isError, body }: ToolReply): unknown[] => {
  const { type, details } = body.error;
  return [isError, type, details.service, details.method, details.issues[0].path, details.issues[0].message];
};

describe('recall', () => {
  const shown = 5;
  const byOperation = (intents: Readonly<Record<string, readonly string[]>>) =>
    Object.entries(intents).flatMap(([name, all]) => all.map((words) => [words, name]));
  const asked = {
    'an assistant': byOperation(assistantIntents),
    'an assistant, by an author who did not know the vocabulary,': byOperation(unseenAssistantIntents),
    'an assistant, by a second author who did not know it,': byOperation(secondAssistantIntents),
    staff: staffIntents,
    'staff, by an author who did not know the vocabulary,': unseenStaffIntents,
  };

  it('is measured for each operation', () => {
    const unknown = operations().filter(({ name }) => !(name in assistantIntents));
    expect(unknown.map(({ name }) => name)).toEqual([]);
  });

  it.each([
    ['an assistant', 0.95],
    ['an assistant, by an author who did not know the vocabulary,', 0.95],
    ['an assistant, by a second author who did not know it,', 0.95],
    ['staff', 0.8],
    ['staff, by an author who did not know the vocabulary,', 0.7],
  ] as const)('is high for the requests of %s', (who, least) => {
    const [search, known] = [new OperationSearch(operations()), new Set(operations().map(({ name }) => name))];
    const found = (words: string): string[] =>
      search
        .find(words)
        .slice(0, shown)
        .map(({ name }) => name);
    const intents = asked[who].filter(([, ...wanted]) => wanted.some((name) => known.has(name)));
    const missed = intents.filter(
      ([words, ...wanted]) => !found(words as string).some((name) => wanted.includes(name)),
    );
    const recall = 1 - missed.length / intents.length;
    const misses = missed.map(([words, ...wanted]) => `  "${words}": not ${wanted.join(' or ')}`);
    process.stdout.write(
      [`recall@${shown} for ${who}: ${(100 * recall).toFixed(1)} % of ${intents.length}`, ...misses, ''].join('\n'),
    );
    expect(recall).toBeGreaterThanOrEqual(least);
  });

  it.each([
    ['a word that means several things', 'release the smart lock', 'unlockDevice'],
    ['a phrase', 'call off a maintenance job', 'cancelTask'],
  ])('finds by %s', (_, words, wanted) => {
    const found = new OperationSearch(operations()).find(words).slice(0, shown);
    expect(found.map(({ name }) => name)).toContain(wanted);
  });
});

describe('findOperations', () => {
  it('finds by words, and returns the input and the type of the result', async () => {
    const { isError, body } = await mcp.call('findOperations', { words: 'wifi password', limit: 2 });
    expect([isError, body.data.length, body.meta]).toEqual([false, 2, { requestId: expect.any(String) }]);
    const { description, inputSchema, ...found } = body.data[0];
    expect(found).toEqual({ name: 'revealWifi', effect: 'read', answer: '{ networkName: string, password: string }' });
    expect(description).toContain('The result contains a secret.');
    expect(inputSchema).toMatchObject({ type: 'object', required: ['propertyId'], additionalProperties: false });
  });

  it('finds by names, and writes lists, unions and null as types', async () => {
    const names = ['listTasks', 'countTasks', 'diffEmailTemplate'];
    const reply = await mcp.call('findOperations', { names });
    expect(namesOf(reply)).toEqual(names);
    const [tasks, counts] = reply.body.data;
    expect(tasks.answer).toMatch(/^\{ id: string, name: string, description: string \| null, .*\}\[\]$/);
    expect(tasks.answer).toContain('status: "pending" | "in_progress" | "completed" | "cancelled"');
    expect(tasks.answer).toContain('assigneeIds: string[], ');
    expect(counts.answer).toBe('{ pending: number, in_progress: number, completed: number, cancelled: number }');
  });

  it('finds operations that are not listed, but none that the caller may not use', async () => {
    const [find] = await mcp.tools();
    expect(find.description).toMatch(/Available: .*\brevealWifi\b/);
    expect(find.description).not.toContain('listTasks');
    const { key } = await keyWith(service.api, { scopes: ['tasks:read'] });
    const reader = mcp.as(key);
    expect((await reader.tools()).map(({ name }) => name)).not.toContain('destroyByName');
    expect((await reader.tools())[0].description).not.toContain('revealWifi');
    expect(namesOf(await reader.call('findOperations', { words: 'wifi password' }))).not.toContain('revealWifi');
    expect(namesOf(await reader.call('findOperations', { names: ['revealWifi', 'countTasks'] }))).toEqual([
      'countTasks',
    ]);
  });

  it('rejects a call without a query, and suggests the nearest name', async () => {
    const own = ['mcp', 'findOperations'];
    expect(issueOf(await mcp.call('findOperations'))).toEqual([
      true,
      'validation_error',
      ...own,
      ['words'],
      'Pass words or names.',
    ]);
    expect(issueOf(await mcp.call('findOperations', { names: ['listTasks', 'showWifi'] }))).toEqual([
      true,
      'validation_error',
      ...own,
      ['names', 1],
      'Unknown operation showWifi. Did you mean revealWifi? findOperations finds operations by words.',
    ]);
  });
});

describe('a call by name', () => {
  it.each([
    ['readByName', 'createTask', 'createTask changes data. Call it with changeByName.'],
    ['changeByName', 'listTasks', 'listTasks only reads. Call it with readByName.'],
    ['changeByName', 'archiveTask', 'archiveTask is destructive. Call it with destroyByName.'],
    ['destroyByName', 'createTask', 'createTask changes data. Call it with changeByName.'],
    ['readByName', 'frobnicate', 'Unknown operation frobnicate. findOperations finds operations by words.'],
  ])('by %s of %s is rejected', async (tool, operation, message) => {
    const reply = await mcp.call(tool, { operation, arguments: {} });
    expect(issueOf(reply)).toEqual([true, 'validation_error', 'mcp', tool, ['operation'], message]);
  });

  it.each(['readByName', 'changeByName', 'destroyByName'])(
    'by %s cannot write through a read-only address',
    async (tool) => {
      const walled = mcp.at('?toolsets=core&readonly=true');
      for (const { name } of operations().filter(({ effect }) => effect !== 'read')) {
        const reply = await walled.call(tool, { operation: name, arguments: {} });
        expect([name, reply.isError, reply.body.error?.details?.issues[0].path]).toEqual([name, true, ['operation']]);
      }
      expect(namesOf(await walled.call('findOperations', { words: 'create a task', limit: 20 }))).not.toContain(
        'createTask',
      );
    },
  );

  it('does not repeat a used key, not even by its own tool, and is in the trail under its own name', async () => {
    const meta = { 'property-operations/idempotencyKey': 'by-name-1' };
    const first = await mcp.call(
      'changeByName',
      { operation: 'createRole', arguments: { name: 'Night', permissions: ['tasks:read'] } },
      { meta },
    );
    const again = await mcp.at('').call('createRole', { name: 'Night', permissions: ['tasks:read'] }, { meta });
    expect(again.body).toEqual(first.body);
    expect(again.headers.get('idempotent-replayed')).toBe('true');
    const entries = (await service.api.get(`/audit-entries?targetId=${first.body.data.id}`)).body.data;
    expect(entries.map(({ action }: { action: string }) => action)).toEqual(['createRole']);
  });

  it('is offered only if some tools are omitted', async () => {
    const whole = mcp.at('');
    expect((await whole.call('readByName', { operation: 'getMe' })).body.error.code).toBe(-32602);
    expect((await mcp.at('?toolsets=tasks').call('readByName', { operation: 'getMe' })).isError).toBe(false);
  });
});
