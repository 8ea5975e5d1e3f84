import { isAscii } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { invalidField, ServiceError } from '#errors';
import { loopTime } from '#loop-time';
import { holdsAtMost } from './json-values.js';

/** How large a body may be where its operation says nothing else. */
export const usualMaxBytes = 1_048_576;
/** A body that is larger is parsed and checked in a turn of its own. */
const smallBytes = 65_536;
const maxDepth = 64;
/** To parse and check a value takes far longer than to read a byte, so a body of few bytes could have too many of them. */
const maxValues = 20_000;

/**
 * Reads a JSON body, strictly: UTF-8, of a limited size, at most 64 levels, no NUL, no lone surrogate, no `__proto__`.
 *
 * @param owner whose time it takes to read it, such as an organization.
 * @returns undefined where there is no body.
 * @throws validation_error.
 */
export async function readJsonBody(
  request: IncomingMessage,
  maxBytes = usualMaxBytes,
  owner?: string,
): Promise<unknown> {
  const { 'content-length': length, 'transfer-encoding': transfer, 'content-type': type } = request.headers;
  if (!transfer && (length === undefined || length === '0')) return undefined;
  const bytes = await readBytes(request, maxBytes);
  if (bytes.length > smallBytes) await turnOfItsOwn();
  loopTime.enter(owner);
  if (bytes.length === 0) return undefined;
  if (!isJson(type)) throw refused('Send the body as Content-Type: application/json.');
  if (request.headers['content-encoding'] && request.headers['content-encoding'] !== 'identity') {
    throw refused('Send the body without a Content-Encoding.');
  }
  if (!holdsAtMost(bytes, maxValues)) throw refused(`The body may hold at most ${maxValues} values.`);
  const value = parse(bytes);
  checkValue(value);
  return value;
}

let lastTurn: Promise<void> = Promise.resolve();

/** One in each turn of the event loop: where several large bodies have come at once, what is small gets in between. */
const turnOfItsOwn = (): Promise<void> => (lastTurn = lastTurn.then(() => new Promise(setImmediate)));

const refused = (message: string): ServiceError => invalidField([], message);

const isJson = (type: string | undefined): boolean =>
  /^application\/json\s*(;\s*charset="?utf-8"?\s*)?$/i.test(type ?? '');

/**
 * The rest of a body that is too large is let go by, for as long as a request may take: a connection that ended under it
 * would be reset, and whoever still sends might never read the refusal.
 */
const tooLarge = (maxBytes: number): ServiceError => refused(`The body may have at most ${maxBytes} bytes.`);

/** @throws validation_error for more than so many bytes, or fewer than were announced. */
export async function readBytes(request: IncomingMessage, maxBytes: number): Promise<Buffer> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) throw tooLarge(maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  return await new Promise((resolve, reject) => {
    const stop = (settle: () => void): void => {
      request.off('data', take).off('end', done).off('error', fail).off('aborted', fail);
      settle();
    };
    const take = (chunk: Buffer): void => {
      size += chunk.length;
      chunks.push(chunk);
      if (size > maxBytes) stop(() => reject(tooLarge(maxBytes)));
    };
    const done = (): void => stop(() => resolve(Buffer.concat(chunks)));
    const fail = (): void => stop(() => reject(refused('The body ended before it was complete.')));
    request.on('data', take).on('end', done).on('error', fail).on('aborted', fail);
  });
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: false });

function parse(bytes: Buffer): unknown {
  let text: string;
  try {
    // Text that is ASCII alone, such as a file in base64, is decoded many times as fast.
    text = isAscii(bytes) ? bytes.toString('latin1') : utf8.decode(bytes);
  } catch {
    throw refused('The body is not UTF-8.');
  }
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw refused('The body is not JSON.');
  }
}

/** Refuses what no field may hold, wherever in the value it stands. */
export function checkValue(value: unknown, depth = 1): void {
  if (typeof value === 'string') return checkText(value);
  if (typeof value !== 'object' || value === null) return;
  if (depth > maxDepth) throw refused(`The body may be at most ${maxDepth} levels deep.`);
  if (Array.isArray(value)) return value.forEach((item) => checkValue(item, depth + 1));
  for (const [key, item] of Object.entries(value)) {
    checkText(key);
    if (key === '__proto__') throw invalidField(['__proto__'], 'This field is not known here; leave it out.');
    checkValue(item, depth + 1);
  }
}

export function checkText(text: string): void {
  if (text.includes('\0')) throw refused('Text may not contain the NUL character.');
  if (!text.isWellFormed()) throw refused('Text may not contain half of a surrogate pair.');
}
