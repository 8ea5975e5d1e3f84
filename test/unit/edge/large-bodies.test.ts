import { Readable } from 'node:stream';
import type { IncomingMessage } from 'node:http';
import { DecodedBase64 } from '#bytes';
import { BodyThreads, type Threads, WorkKilled } from '#threads';
import { readJsonBody } from '../../../src/platform/http/json-body.js';
import { LargeBodies } from '../../../src/edge/input/large-bodies.js';
import { attachToTask } from '../../../src/features/tasks/attachments/attachments.operations.js';

const outcomes: string[] = [];
const settings = { threads: 1, megabytes: 128, mostWaiting: 5, mostWaitingOfOwner: 5, waitMs: 30_000 };
const threads = new BodyThreads(settings, (...ended) => void outcomes.push(ended.join(' ')));
beforeEach(() => void outcomes.splice(0));
afterAll(() => threads.close());

const chunk = 65_536;
const read = (body: string | Buffer, bodies = new LargeBodies(threads)): Promise<unknown> => {
  const bytes = Buffer.from(body);
  const chunks = Array.from({ length: Math.ceil(bytes.length / chunk) }, (_, index) =>
    bytes.subarray(index * chunk, (index + 1) * chunk),
  );
  const headers = { 'transfer-encoding': 'chunked', 'content-type': 'application/json' };
  const request = Object.assign(Readable.from(chunks), { headers }) as unknown as IncomingMessage;
  return readJsonBody(request, 8 * 1_048_576, 'org', (large, owner) => bodies.read(large, [attachToTask], owner));
};

describe('a body that is larger than usual', () => {
  it('is read in a thread', async () => {
    const fileName = 'x'.repeat(7_000_000);
    expect(await read(`{"fileName":"${fileName}"}`)).toEqual({ fileName });
    expect(outcomes).toEqual(['body performed']);
  });

  it('brings files as bytes, which are not in the memory that the event loop collects', async () => {
    const bytes = Buffer.alloc(5_000_000, 'The key sticks. ');
    const sent = Buffer.from(`{"content":"${bytes.toString('base64')}","taskId":"x"}`);
    const before = process.memoryUsage().heapUsed;
    const body = await read(sent);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(4_000_000);
    expect(body).toEqual({ taskId: 'x', content: new DecodedBase64(bytes) });
  });

  it('has no files once it is answered', async () => {
    const bodies = new LargeBodies(threads);
    const body = await read(`{"content":"${Buffer.alloc(1_000_000).toString('base64')}"}`, bodies);
    bodies.free(body);
    expect((body as { content: DecodedBase64 }).content.bytes).toHaveLength(0);
  });

  it('leaves to the rules of its fields what is not base64', async () => {
    const content = `${'x'.repeat(1_100_000)}*`;
    expect(await read(`{"content":"${content}"}`)).toEqual({ content });
  });

  it('is rejected like one of usual size', async () => {
    const text = 'x'.repeat(1_100_000);
    for (const [body, path, message] of [
      [`"${text}`, [], 'The body is not valid JSON.'],
      [`{"__proto__":"${text}"}`, ['__proto__'], 'Unknown field'],
      [`"${text}\\u0000"`, [], 'NUL'],
    ] as const) {
      const issue = { path, message: expect.stringContaining(message) as string };
      await expect(read(body)).rejects.toMatchObject({ status: 400, details: { issues: [issue] } });
    }
  });

  it('is rejected if it takes too long', async () => {
    const killing = { run: () => Promise.reject(new WorkKilled('any', 'time')) } as unknown as Threads;
    const reading = read(`"${'x'.repeat(1_100_000)}"`, new LargeBodies(killing));
    await expect(reading).rejects.toMatchObject({ status: 400 });
  });

  it('of the usual size is read here', async () => {
    expect(await read('"x"')).toBe('x');
    expect(outcomes).toEqual([]);
  });
});
