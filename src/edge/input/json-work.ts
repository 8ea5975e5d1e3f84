import { type Issue, ServiceError } from '#errors';
import { readJsonText } from '../../platform/http/json-text.js';

// Threads run these functions for large bodies (see LargeBodies) and load every import, so there are few imports.
// Errors lose their class on the way from a thread.
export type BodyAnswer = { value: unknown } | { issues: Issue[] };

export function readBody(bytes: ArrayBuffer): BodyAnswer {
  try {
    return { value: readJsonText(Buffer.from(bytes)) };
  } catch (error) {
    if (error instanceof ServiceError) return { issues: error.details.issues as Issue[] };
    throw error;
  }
}
