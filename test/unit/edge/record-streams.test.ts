import { RequestContext } from '#context';
import { lines, type Operation, stream, Text } from '#operations';
import type { CredentialsService } from '../../../src/auth/bearer/credentials.service.js';
import { RecordStreams } from '../../../src/edge/answers/record-streams.js';
import { Readiness } from '../../../src/platform/health/readiness.js';

class Line {
  @Text({ description: 'An id.', max: 100 }) id: string;
}

const context = new RequestContext('rest', 'request', 'request', () => Promise.reject(new Error('Nothing is read')));
/** Streams as short as these do not look their credential up again. */
const streams = new RecordStreams(new Readiness(), {} as CredentialsService);

async function* all<T>(records: T[]): AsyncGenerator<T> {
  yield* await Promise.resolve(records);
}

const chunksOf = async (file: { getStream(): AsyncIterable<unknown> }): Promise<string[]> => {
  const chunks: string[] = [];
  for await (const chunk of file.getStream()) chunks.push(String(chunk));
  return chunks;
};

it('sends all simultaneous lines in few chunks', async () => {
  const records = Array.from({ length: 5_000 }, (_, n) => ({ id: `line ${n}` }));
  const chunks = await chunksOf(streams.lines(context, { output: lines(Line) } as unknown as Operation, all(records)));
  expect(
    chunks
      .join('')
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as object),
  ).toEqual(records);
  expect(chunks.length).toBeLessThan(20);
});

it('sends simultaneous events in one chunk, before it waits for the next', async () => {
  const records = [{ id: 'event_1' }, { id: 'event_2' }, undefined, { id: 'event_3' }, undefined];
  const chunks = await chunksOf(
    streams.events(context, { output: stream(Line) } as unknown as Operation, all(records)),
  );
  expect(chunks.slice(1).map((chunk) => chunk.match(/event_\d(?=\n)/g))).toEqual([['event_1', 'event_2'], ['event_3']]);
});
