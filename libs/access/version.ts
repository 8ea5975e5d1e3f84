import { conflict } from '#errors';
import type { Caller } from './caller.js';

/** Rejects a change that was prepared for an earlier version of the record (RFC 9110, If-Match). */
export function expectVersion(caller: Caller, { version }: { version: number }): void {
  if (caller.expectedVersion === undefined || caller.expectedVersion === version) return;
  throw versionMismatch(version, caller.expectedVersion);
}

export const versionMismatch = (version: number, expected: number) =>
  conflict(
    'VERSION_MISMATCH',
    `The record has changed: its version is ${version}, but If-Match is ${expected}. Read it again first.`,
    { version },
  );
