import { randomFillSync } from 'node:crypto';
import type { ValueTransformer } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

const idBytes = 16;
/** Random bytes for many ids: requesting those of one id takes five times as long as creating the id from them. */
const randomBytes = new Uint8Array(idBytes * 256);
let used = randomBytes.length;

function nextRandom(): Uint8Array {
  if (used === randomBytes.length) {
    randomFillSync(randomBytes);
    used = 0;
  }
  return randomBytes.subarray(used, (used += idBytes));
}

/** Ids of one millisecond are in the order in which they were made. */
const last = { msecs: 0, seq: 0 };

function newUuid(): string {
  const random = nextRandom();
  const now = Date.now();
  if (now > last.msecs) {
    last.msecs = now;
    last.seq = new DataView(random.buffer, random.byteOffset).getUint32(6) >>> 1;
  } else if ((last.seq = (last.seq + 1) | 0) === 0) last.msecs += 1;
  return uuidv7({ random, ...last });
}

/** Creates an id that sorts by creation time: the prefix and a UUIDv7 (RFC 9562) without hyphens. */
export const newId = (prefix: string): string => `${prefix}_${newUuid().replaceAll('-', '')}`;

/** The UUID within an API id, in Postgres' form. */
export const uuidIn = (id: string): string => id.slice(id.lastIndexOf('_') + 1);

/** The UUID in the form in which Postgres answers it. */
export const hyphened = (id: string): string => uuidIn(id).replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');

const withPrefix = (prefix: string, uuid: string): string => `${prefix}_${uuid.replaceAll('-', '')}`;

/** Columns store bare UUIDs. The prefix is added and removed here, for single ids, lists of them and null. */
export const idColumn = (prefix: string): ValueTransformer => ({
  to: (id: string | string[] | null | undefined) => (Array.isArray(id) ? id.map(uuidIn) : id && uuidIn(id)),
  from: (uuid: string | string[] | null) =>
    Array.isArray(uuid) ? uuid.map((item) => withPrefix(prefix, item)) : uuid && withPrefix(prefix, uuid),
});

/** The record that a row with the columns `org_id` and `id` stands for, in any organization. */
export const recordOf =
  (prefix: string) =>
  (row: Record<string, unknown>): { orgId: string; id: string } => ({
    orgId: withPrefix('org', row.org_id as string),
    id: withPrefix(prefix, row.id as string),
  });
