import { ApiError, ConnectionError } from './errors.js';
import type { WriteOptions } from './methods.js';

type Fields = Record<string, unknown>;
type Write = (input?: Fields, options?: WriteOptions) => Promise<unknown>;
interface Results {
  data: unknown[];
}

/** What one request takes: this many items, and JSON of at most 1 MiB, of which the other fields get a little. */
const itemsPerChunk = 200;
const bytesPerChunk = 1_000_000;

/** Sends items in chunks, one after the other. A group that is atomic stays whole. */
export const inPieces =
  (write: Write): Write =>
  async (input = {}, options = {}) => {
    const { items = [], ...rest } = input as { items?: unknown[]; atomic?: boolean };
    const chunks = rest.atomic ? [items] : chunksOf(items);
    const key = options.idempotencyKey ?? crypto.randomUUID();
    const results: unknown[] = [];
    let answer = {} as Results;
    for (const [index, chunk] of chunks.entries()) {
      const idempotencyKey = chunks.length === 1 ? key : `${key}-${index + 1}`;
      try {
        answer = (await write({ ...rest, items: chunk }, { ...options, idempotencyKey })) as Results;
      } catch (error) {
        if (error instanceof ApiError || error instanceof ConnectionError) error.results = results;
        throw error;
      }
      results.push(...answer.data);
    }
    return { ...answer, data: results };
  };

function chunksOf(items: readonly unknown[]): unknown[][] {
  const encoder = new TextEncoder();
  let [chunk, bytes]: [unknown[], number] = [[], 0];
  const chunks = [chunk];
  for (const item of items) {
    const length = encoder.encode(JSON.stringify(item)).length + 1;
    if (chunk.length === itemsPerChunk || (chunk.length > 0 && bytes + length > bytesPerChunk)) {
      [chunk, bytes] = [[], 0];
      chunks.push(chunk);
    }
    chunk.push(item);
    bytes += length;
  }
  return chunks;
}
