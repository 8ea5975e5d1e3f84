import type { IncomingMessage } from 'node:http';
import { free } from '#bytes';
import type { ReadLarge } from '#context';
import type { ServiceError } from '#errors';
import { loopTime } from '#loop-time';
import { ownTurn } from '#turns';
import { checkValue, parseJson, readJsonText, refused } from './json-text.js';

/** The maximum size of a body if its operation does not set one. */
export const usualMaxBytes = 1_048_576;
/** A larger body is parsed and checked in its own turn of the event loop. */
const smallBytes = 65_536;

/**
 * Reads a JSON body, strictly (`readJsonText`) and with a maximum size.
 *
 * @param owner to whom the reading time is attributed, such as an organization.
 * @param readLarge reads a large body, if the operation accepts one.
 * @returns undefined if there is no body.
 * @throws validation_error.
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes = usualMaxBytes,
  owner?: string,
  readLarge?: ReadLarge,
): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': transfer, 'content-type': type } = request.headers;
  if (!transfer && (length === undefined || length === '0')) return undefined;
  const bytes = await readBytes(request, maxBytes, owner);
  loopTime.enter(owner);
  if (bytes.length > smallBytes) await ownTurn();
  if (bytes.length === 0) return undefined;
  if (!isJson(type)) throw refused('Send the body as Content-Type: application/json, in UTF-8.');
  if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity') {
    throw refused('Send the body without a Content-Encoding.');
  }
  if (!readLarge || bytes.length <= usualMaxBytes) return await readUsual(bytes);
  const value = await readLarge(bytes, owner);
  loopTime.enter(owner);
  // Receiving it from its thread takes a whole turn.
  await ownTurn();
  return value;
}

/** Parsing a body with many fields takes longer than a turn should, and so does each later step. */
async function readUsual(bytes: Buffer): Promise<unknown> {
  if (bytes.length <= smallBytes) return readJsonText(bytes);
  const value = parseJson(bytes);
  await ownTurn();
  checkValue(value);
  await ownTurn();
  return value;
}

const isJson = (type: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type ?? '');

/**
 * The rest of a body that is too large is read and dropped, for as long as a request may take: closing the connection
 * would reset it, and the client might never read the error.
 */
const tooLarge = (maxBytes: number): ServiceError => refused(sizeLimit(maxBytes));

export const sizeLimit = (maxBytes: number): string => `The body can have at most ${maxBytes} bytes.`;

function joined(chunks: readonly Buffer[]): Buffer {
  const bytes = Buffer.concat(chunks);
  if (bytes.length > smallBytes) chunks.forEach(free);
  return bytes;
}

/**
 * @param owner to whom the reading time is attributed; when left out, for whom the loop works now, such as the address.
 * @throws validation_error for more bytes than allowed, or fewer than announced.
 */
export async function readBytes(request: IncomingMessage, maxBytes: number, owner = loopTime.owner): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  return await new Promise((resolve, reject) => {
    const stop = (settle: () => void): void => {
      request.off('data', take).off('end', done).off('error', fail).off('aborted', fail);
      settle();
    };
    const take = (chunk: Buffer): void => {
      loopTime.enter(owner);
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) stop(() => reject(tooLarge(maxBytes)));
    };
    const done = (): void => stop(() => resolve(joined(chunks)));
    const fail = (): void => stop(() => reject(refused('The body ended before it was complete.')));
    request.on('data', take).on('end', done).on('error', fail).on('aborted', fail);
  });
}
