import { conflict } from '#errors';
import type { Caller } from './caller.js';

/** Refuses a change that was made up for an earlier version of the record (RFC 9110, If-Match). */
export function expectVersion(caller: Caller, { version }: { version: number }): void {
  if (caller.expectedVersion === undefined || caller.expectedVersion === version) return;
  throw conflict(
    'VERSION_MISMATCH',
    `The record has changed: it is at version ${version}, and If-Match names ${caller.expectedVersion}. Read it again first.`,
    { version },
  );
}
