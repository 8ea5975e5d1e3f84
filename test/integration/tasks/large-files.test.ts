import { jest } from '@jest/globals';
import { DecodedBase64 } from '#bytes';
import type { Json } from '../../support/api.js';
import { mcpOf } from '../../support/mcp.js';
import { ApprovalWorld } from '../approvals/approval-world.js';

let world: ApprovalWorld;
beforeAll(async () => {
  world = await ApprovalWorld.start();
});
afterAll(() => world.tenant.close());

// A body of more than a MiB is read in a thread, which decodes the file.
const bytes = Buffer.alloc(2_000_000, 'The key sticks. ');
const photo = Buffer.concat([Buffer.from('ffd8ffe0', 'hex'), Buffer.alloc(2_000_000, 1)]);
const file = { fileName: 'note.txt', contentType: 'text/plain', content: bytes.toString('base64') };
const attach = (taskId: string, fields: object = file, headers = {}, api = world.tenant.api) =>
  api.send('POST', `/tasks/${taskId}/attachments`, fields, headers);
const download = async (attachment: Json): Promise<Buffer> =>
  Buffer.from(await (await fetch(attachment.url as string)).arrayBuffer());

it('keeps a large file as it was sent', async () => {
  const { status, body } = await attach(await world.newTask());
  expect([status, body.data.attachments[0].sizeBytes]).toEqual([201, bytes.length]);
  expect((await download(body.data.attachments[0])).equals(bytes)).toBe(true);
});

it('frees its memory once it is answered', async () => {
  const freed = jest.spyOn(DecodedBase64.prototype, 'free');
  await attach(await world.newTask());
  await attach(await world.newTask(), { ...file, contentType: 'application/pdf' });
  expect(freed.mock.contexts.map((decoded) => (decoded as DecodedBase64).bytes.length)).toEqual([0, 0]);
});

describe('over MCP', () => {
  it.each([
    ['its own tool', '', 'attachToTask', (args: object) => args],
    ['the operation by its name', '?toolsets=guides', 'changeByName', (args: object) => byName('attachToTask', args)],
  ])('keeps one that is sent to %s, and frees its memory', async (_, address, tool, argsOf) => {
    const freed = jest.spyOn(DecodedBase64.prototype, 'free');
    freed.mockClear();
    const taskId = await world.newTask();
    const { isError, body } = await mcp()
      .at(address)
      .call(tool, argsOf({ taskId, ...file }));
    expect([isError, body.data.attachments[0].sizeBytes]).toEqual([false, bytes.length]);
    expect((await download(body.data.attachments[0])).equals(bytes)).toBe(true);
    expect(freed.mock.contexts.map((decoded) => (decoded as DecodedBase64).bytes.length)).toEqual([0]);
  });

  it('accepts files of 5 MiB, and reports what is larger as over REST', async () => {
    const sent = async (size: number) => {
      const content = Buffer.alloc(size, 'The key sticks. ').toString('base64');
      return await mcp().call('attachToTask', { taskId: await world.newTask(), ...file, content });
    };
    expect((await sent(5_242_880)).isError).toBe(false);
    const { isError, body } = await sent(5_242_881);
    expect([isError, body.error.type]).toEqual([true, 'validation_error']);
  });

  it('accepts no more than usual for other operations, and answers with the id of the request', async () => {
    for (const [tool, args] of [
      ['createTask', { name: 'x', description: file.content }],
      ['changeByName', byName('createTask', { name: 'x', description: file.content })],
      ['findOperations', { words: file.content }],
    ] as const) {
      const { body } = await mcp()
        .at(tool === 'createTask' ? '' : '?toolsets=guides')
        .call(tool, args);
      const error = { code: -32602, message: 'The body can have at most 1048576 bytes.' };
      expect(body).toMatchObject({ id: 1, error });
    }
  });
});

const mcp = () => mcpOf(world.tenant.service.url, world.tenant.key);
const byName = (operation: string, args: object) => ({ operation, arguments: args });

it('attaches it once for an Idempotency-Key, and rejects another file with the same key', async () => {
  const [taskId, key] = [await world.newTask(), { 'idempotency-key': 'large' }];
  const first = await attach(taskId, file, key);
  const again = await attach(taskId, file, key);
  expect([again.status, again.body]).toEqual([201, first.body]);
  const other = { ...file, content: `QQ${file.content.slice(2)}` };
  expect((await attach(taskId, other, key)).status).toBe(422);
  expect((await world.tenant.api.get(`/tasks/${taskId}`)).body.data.attachments).toHaveLength(1);
});

it.each([
  ['is not base64', { content: `${file.content}*` }, [{ path: ['content'] }]],
  ['is not of its type', { contentType: 'application/pdf' }, []],
  ['has an unknown field', { note: 'x' }, [{ path: ['note'] }]],
])('rejects one that %s', async (_, fields, issues) => {
  const { status, body } = await attach(await world.newTask(), { ...file, ...fields });
  expect([status, body.error.type]).toEqual([400, 'validation_error']);
  expect(body.error.details.issues ?? []).toMatchObject(issues);
});

it('attaches it once a person has approved', async () => {
  const { key, api } = await world.asking('attachToTask');
  const taskId = await world.newTask();
  const fields = { fileName: 'damage.jpg', contentType: 'image/jpeg', content: photo.toString('base64') };
  const held = await attach(taskId, fields, { 'idempotency-key': 'photo' }, api);
  expect(held.status).toBe(202);
  await world.decide(held.body, 'approve');
  expect(await world.outcomeOf(held.body.data.id as string, key)).toMatchObject({ status: 'done' });
  const { body } = await world.tenant.api.get(`/tasks/${taskId}`);
  expect((await download(body.data.attachments[0])).equals(photo)).toBe(true);
});
