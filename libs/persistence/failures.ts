import { isNativeError } from 'node:util/types';
import pg from 'pg';
import { ServiceError, unavailable } from '#errors';

const retryAfterSeconds = 1;

/** SQLSTATE classes and codes after which the same request may simply be sent again. */
const passing = /^(08...|53...|57P0[1-4]|57014|40001|40P01|55P03|25P0[34])$/;

/** Serialization failures, deadlocks and locks that were not available in time. */
const contended = /^(40001|40P01|55P03)$/;
const late = /timeout exceeded when trying to connect|No response within/i;

const passingNode = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const passingWords = /Connection terminated|not queryable|connection is closed|Cannot use a pool/i;

/**
 * A database that is unreachable, full, restarting or that gave up on a lock is 503 with Retry-After; other errors are
 * passed on unchanged.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ServiceError || !isNativeError(error)) return error;
  const { code } = error as { code?: unknown };
  const isPassing =
    (typeof code === 'string' && (passing.test(code) || passingNode.has(code))) ||
    [passingWords, late].some((words) => words.test(error.message));
  return isPassing ? unavailable(`${reasonOf(error)} Send the request again.`, retryAfterSeconds, error) : error;
}

function reasonOf({ code, message }: Error & { code?: unknown }): string {
  if (contended.test(String(code))) return 'Other requests are changing the same records.';
  const isLate = code === '57014' || late.test(message);
  return isLate ? 'The database did not respond in time.' : 'The database is unreachable.';
}

/** True for a violation of the named unique or exclusion constraint. */
export const violates = (error: unknown, constraint: string): boolean =>
  error instanceof Error && (error as { constraint?: string }).constraint === constraint;

/** Runs what may fail because of the database. */
export async function guarded<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw asUnavailable(error);
  }
}

/** A statement that the server refused leaves the connection usable; anything else does not. */
export const isBroken = (error: unknown): boolean => !(error instanceof pg.DatabaseError) || error.severity === 'FATAL';
