import type { ValueTransformer } from 'typeorm';
import { v7 as uuidv7 } from 'uuid';

/** Creates an id that sorts by creation time: the prefix and a UUIDv7 (RFC 9562) without hyphens. */
export const newId = (prefix: string): string => `${prefix}_${uuidv7().replaceAll('-', '')}`;

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

/** Which record a row with the columns `org_id` and `id` is, of whatever organization. */
export const recordOf =
  (prefix: string) =>
  (row: Record<string, unknown>): { orgId: string; id: string } => ({
    orgId: withPrefix('org', row.org_id as string),
    id: withPrefix(prefix, row.id as string),
  });
