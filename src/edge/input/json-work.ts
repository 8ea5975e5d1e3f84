import { decode, isBase64 } from '#bytes';
import { type Issue, ServiceError } from '#errors';
import { readJsonText } from '../../platform/http/json-text.js';

// Threads run these functions for large bodies (see LargeBodies) and load every import, so there are few imports.
// Errors lose their class on the way from a thread.
export type BodyAnswer = { value: unknown; decoded: string[]; moved: ArrayBuffer[] } | { issues: Issue[] };

/**
 * @param inBase64 names of fields with files. If they are valid, they are decoded here and are not in `value`, because a
 *   text of megabytes would be garbage of the event loop.
 * @returns `moved` has the bytes of each name in `decoded`.
 */
export function readBody(bytes: ArrayBuffer, inBase64: readonly string[]): BodyAnswer {
  try {
    const value = readJsonText(Buffer.from(bytes));
    return { value, ...takeFiles(value, inBase64) };
  } catch (error) {
    if (error instanceof ServiceError) return { issues: error.details.issues as Issue[] };
    throw error;
  }
}

function takeFiles(value: unknown, inBase64: readonly string[]): { decoded: string[]; moved: ArrayBuffer[] } {
  const [decoded, moved]: [string[], ArrayBuffer[]] = [[], []];
  if (typeof value !== 'object' || value === null) return { decoded, moved };
  const fields = value as Record<string, unknown>;
  for (const name of inBase64) {
    const text = fields[name];
    if (typeof text !== 'string' || !isBase64(text)) continue;
    decoded.push(name);
    moved.push(decode(text));
    delete fields[name];
  }
  return { decoded, moved };
}
