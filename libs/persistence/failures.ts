import { isNativeError } from 'node:util/types';
import pg from 'pg';
import { ServiceError, unavailable } from '#errors';

const retryAfterSeconds = 1;

/** SQLSTATE classes and codes after which the same request may simply be sent again. */
const passing = /^(08...|53...|57P0[1-4]|57014|40001|40P01|55P03|25P0[34])$/;

const passingNode = new Set(['ECONNREFUSED', 'ECONNRESET', 'ENOENT', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']);
const passingWords =
  /timeout exceeded when trying to connect|Connection terminated|not queryable|connection is closed|Cannot use a pool|No response within/i;

/**
 * A database that is unreachable, full, restarting or that gave up on a lock is 503 with Retry-After; other errors are
 * passed on unchanged.
 */
export function asUnavailable(error: unknown): unknown {
  if (error instanceof ServiceError || !isNativeError(error)) return error;
  const { code } = error as { code?: unknown };
  const isPassing =
    (typeof code === 'string' && (passing.test(code) || passingNode.has(code))) || passingWords.test(error.message);
  return isPassing
    ? unavailable('The database is unreachable. Send the request again.', retryAfterSeconds, error)
    : error;
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
