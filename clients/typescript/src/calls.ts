import { inPieces } from './bulk.js';
import type { CallOptions, WriteOptions } from './methods.js';
import { valuesIn } from './streams.js';
import type { Outgoing, Transport } from './transport.js';

export type Fields = Record<string, unknown>;
type Call<Options = CallOptions, Out = Promise<unknown>> = (input?: Fields, options?: Options) => Out;

interface Page {
  data: unknown[];
  meta: { pagination: { nextCursor: string | null } };
}

/** The most entries that a page may have. */
const pageLimit = 100;

/**
 * The method of the client for one operation.
 *
 * @param address its kind, method and path, as the generated table has them: `write post /tasks`.
 */
export function callOf(transport: Transport, address: string): unknown {
  const [kind, method, path] = address.split(' ') as [string, Outgoing['method'], string];
  const read: Call = (input = {}, { signal } = {}) => transport.send({ ...outgoing(method, path, input), signal });
  switch (kind) {
    case 'read':
      return read;
    case 'list':
      return Object.assign(read, { all: allOf(read) });
    case 'stream':
      return streamOf(transport, method, path);
    default: {
      const write: Call<WriteOptions> = (input = {}, options = {}) =>
        transport.send(asWrite(outgoing(method, path, input), options));
      return kind === 'bulk' ? inPieces(write) : write;
    }
  }
}

/** The entries of every page; of the feed, which never ends, those until now. */
const allOf = (read: Call): Call<CallOptions, AsyncGenerator<unknown, void>> =>
  async function* (input = {}, options) {
    let cursor = input.cursor;
    do {
      const page = (await read({ limit: pageLimit, ...input, cursor }, options)) as Page;
      if (page.data.length === 0) return;
      yield* page.data;
      cursor = page.meta.pagination.nextCursor;
    } while (cursor);
  };

const streamOf = (
  transport: Transport,
  method: Outgoing['method'],
  path: string,
): Call<CallOptions, AsyncGenerator<unknown, void>> =>
  async function* (input = {}, { signal } = {}) {
    const body = await transport.send({ ...outgoing(method, path, input), parseAs: 'stream', signal });
    yield* valuesIn(body as ReadableStream<Uint8Array>, signal);
  };

/** Puts each field where the operation takes it: in the path, and the others in the query or in the body. */
function outgoing(method: Outgoing['method'], path: string, input: Fields): Outgoing {
  const rest = { ...input };
  const pathFields: Record<string, string> = {};
  for (const [, name = ''] of path.matchAll(/\{(\w+)\}/g)) {
    pathFields[name] = segment(name, rest[name]);
    delete rest[name];
  }
  const isInQuery = method === 'get' || method === 'delete';
  if (isInQuery) return { method, path, pathFields, query: rest, headers: {} };
  return { method, path, pathFields, query: {}, headers: {}, ...(Object.keys(rest).length > 0 && { body: rest }) };
}

/** An empty or a dotted segment would lead to another address. */
function segment(name: string, value: unknown): string {
  const text = typeof value === 'number' ? String(value) : value;
  if (typeof text === 'string' && !/^\.{0,2}$/.test(text)) return text;
  throw new TypeError(`Pass ${name}: it is part of the path.`);
}

function asWrite(request: Outgoing, { signal, idempotencyKey, ifMatch, dryRun, waitSeconds }: WriteOptions): Outgoing {
  return {
    ...request,
    signal,
    query: { ...request.query, ...(dryRun && { dryRun }) },
    headers: {
      'Idempotency-Key': idempotencyKey ?? crypto.randomUUID(),
      ...(ifMatch !== undefined && { 'If-Match': `"${ifMatch}"` }),
      ...(waitSeconds !== undefined && { Prefer: `wait=${waitSeconds}` }),
    },
  };
}
