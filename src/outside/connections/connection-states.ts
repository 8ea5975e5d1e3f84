import { doubling } from '#jobs';
import type { SyncCounts } from './connection.dto.js';
import type { Connection } from './connection.entity.js';

const restMs = 15 * 60_000;
/** A failing provider is called less and less often. */
const restAfter = doubling(restMs, 6 * 60 * 60_000);
const errorsKept = 5;

/** A new connection that the other system writes to. */
export const ready = {
  status: 'connected',
  reason: null,
  failures: 0,
  nextSyncAt: null,
  syncLeaseUntil: null,
} satisfies Partial<Connection>;

/** A connection that has not been synced yet with its current settings. */
export const dueNow = () =>
  ({
    status: 'connecting',
    reason: null,
    failures: 0,
    nextSyncAt: new Date().toISOString(),
    syncLeaseUntil: null,
    currentSync: null,
  }) satisfies Partial<Connection>;

/** After the end, nothing is synced and no credential is kept. */
export const disconnected = {
  status: 'disconnected',
  reason: null,
  credentials: null,
  nextSyncAt: null,
  syncLeaseUntil: null,
  currentSync: null,
} satisfies Partial<Connection>;

/** A provider that responds again is healthy. The last error stays readable. */
export const succeeded = { status: 'connected', reason: null, failures: 0 } satisfies Partial<Connection>;

export function afterSync(connection: Connection, lastSync: SyncCounts, pulls: boolean): Partial<Connection> {
  const now = Date.now();
  return {
    ...succeeded,
    lastSync,
    syncs: connection.syncs + 1,
    lastSyncAt: new Date(now).toISOString(),
    nextSyncAt: pulls ? new Date(now + restMs).toISOString() : null,
  };
}

export function failed(connection: Connection, reason: string): Partial<Connection> {
  const now = Date.now();
  const failures = connection.failures + 1;
  const error = { occurredAt: new Date(now).toISOString(), message: reason };
  return {
    status: 'degraded',
    reason,
    failures,
    errors: [error, ...connection.errors].slice(0, errorsKept),
    nextSyncAt: new Date(now + restAfter(failures)).toISOString(),
  };
}
