import { decode, isBase64 } from '#bytes';
import { type Issue, ServiceError } from '#errors';
import { readJsonText } from '../../platform/http/json-text.js';

// Threads run these functions for large bodies (see LargeBodies) and load every import, so there are few imports.
// Errors lose their class on the way from a thread.
export type BodyAnswer = { value: unknown; decoded: Path[]; moved: ArrayBuffer[] } | { issues: Issue[] };
/** The names that lead to a value, from the outermost object on. */
export type Path = readonly string[];

/**
 * @param inBase64 where files may be. If they are valid, they are decoded here and are not in `value`, because a text of
 *   megabytes would be garbage of the event loop.
 * @returns `moved` has the bytes for each path in `decoded`.
 */
export function readBody(bytes: ArrayBuffer, inBase64: readonly Path[]): BodyAnswer {
  try {
    const value = readJsonText(Buffer.from(bytes));
    return { value, ...takeFiles(value, inBase64) };
  } catch (error) {
    if (error instanceof ServiceError) return { issues: error.details.issues as Issue[] };
    throw error;
  }
}

function takeFiles(value: unknown, inBase64: readonly Path[]): { decoded: Path[]; moved: ArrayBuffer[] } {
  const [decoded, moved]: [Path[], ArrayBuffer[]] = [[], []];
  for (const path of inBase64) {
    const { fields, name } = fieldAt(value, path);
    const text = fields?.[name];
    if (typeof text !== 'string' || !isBase64(text)) continue;
    decoded.push(path);
    moved.push(decode(text));
    delete fields?.[name];
  }
  return { decoded, moved };
}

/** A field, in the object that has it; without one if the path leads elsewhere. */
export function fieldAt(value: unknown, path: Path): { fields?: Record<string, unknown>; name: string } {
  const name = path.at(-1) as string;
  let fields: unknown = value;
  for (const outer of path.slice(0, -1)) fields = isObject(fields) ? fields[outer] : undefined;
  return isObject(fields) ? { fields, name } : { name };
}

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;
