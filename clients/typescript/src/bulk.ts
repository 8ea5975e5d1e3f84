import { ApiError, ConnectionError } from './errors.js';
import type { WriteOptions } from './methods.js';

type Fields = Record<string, unknown>;
type Write = (input?: Fields, options?: WriteOptions) => Promise<unknown>;
interface Results {
  data: unknown[];
}

/** What one request takes: this many items, and JSON of at most 1 MiB, of which the other fields get a little. */
const itemsInPiece = 200;
const bytesInPiece = 1_000_000;

/** Sends items in pieces, one after the other. A group that is atomic stays whole. */
export const inPieces =
  (write: Write): Write =>
  async (input = {}, options = {}) => {
    const { items = [], ...rest } = input as { items?: unknown[]; atomic?: boolean };
    const pieces = rest.atomic ? [items] : piecesOf(items);
    const key = options.idempotencyKey ?? crypto.randomUUID();
    const results: unknown[] = [];
    let answer = {} as Results;
    for (const [index, piece] of pieces.entries()) {
      const idempotencyKey = pieces.length === 1 ? key : `${key}-${index + 1}`;
      try {
        answer = (await write({ ...rest, items: piece }, { ...options, idempotencyKey })) as Results;
      } catch (error) {
        if (error instanceof ApiError || error instanceof ConnectionError) error.results = results;
        throw error;
      }
      results.push(...answer.data);
    }
    return { ...answer, data: results };
  };

function piecesOf(items: readonly unknown[]): unknown[][] {
  const encoder = new TextEncoder();
  let [piece, bytes]: [unknown[], number] = [[], 0];
  const pieces = [piece];
  for (const item of items) {
    const length = encoder.encode(JSON.stringify(item)).length + 1;
    if (piece.length === itemsInPiece || (piece.length > 0 && bytes + length > bytesInPiece)) {
      [piece, bytes] = [[], 0];
      pieces.push(piece);
    }
    piece.push(item);
    bytes += length;
  }
  return pieces;
}
