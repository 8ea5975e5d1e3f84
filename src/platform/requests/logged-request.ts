import { uuidIn } from '#persistence';

export const dayMs = 86_400_000;
/** How long a request is shown. */
export const requestsKeptMs = 7 * dayMs;
const slots = 10;

/** The partition of a time. */
export const slotOf = (time: number): number => Math.floor(time / dayMs) % slots;

/** The partition whose turn comes after the next one: everything in it is older than what is shown. */
export const oldestSlot = (now: number): number => slotOf(now + 2 * dayMs);

/** `2026-11-23T16:05` of an instant in UTC. */
export const minuteOf = (at: string): string => at.slice(0, 16);

/** A row of `requests`. */
export interface LoggedRequest {
  org_id: string;
  id: string;
  slot: number;
  /** Null where it is the id itself, so that only ids that clients choose are indexed. */
  request_id: string | null;
  at: string;
  door: 'rest' | 'mcp' | 'page';
  operation: string | null;
  status: number;
  code: string | null;
  credential_kind: string;
  credential_id: string;
  application_id: string | null;
  member_id: string;
  milliseconds: number;
  bytes: number | null;
  replayed: boolean;
  dry_run: boolean;
  sampled: boolean;
  invalid_fields: string[] | null;
}

/** What is counted of one minute; the rows of `request_usage` and `request_peaks` follow from it. */
export interface CountedRequests {
  org_id: string;
  at: string;
  credential_kind: string;
  credential_id: string;
  operation: string;
  requests: number;
  errors: number;
  rate_limited: number;
  milliseconds: number;
}

/** `request_0199…` → `0199…-…`, the X-Request-Id of a request whose client chose none. */
export const requestIdOfLogId = (logId: string): string =>
  uuidIn(logId).replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');

/** Ids have 48 bits for it. */
const lastTime = 2 ** 48 - 1;

/** The smallest id of a time: ids begin with their milliseconds (UUIDv7). */
export const firstIdAt = (time: number): string =>
  requestIdOfLogId(
    `${Math.min(lastTime, Math.max(0, Math.floor(time)))
      .toString(16)
      .padStart(12, '0')}${'0'.repeat(20)}`,
  );
