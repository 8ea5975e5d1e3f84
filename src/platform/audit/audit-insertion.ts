import { uuidIn } from '#persistence';
import type { AuditEntryView } from './audit-entry.dto.js';

const columns = {
  org_id: 'uuid',
  id: 'uuid',
  actor_type: 'text',
  actor_id: 'text',
  credential: 'json',
  on_behalf_of: 'text',
  action: 'text',
  target_type: 'text',
  target_id: 'text',
  property_id: 'uuid',
  before: 'json',
  after: 'json',
  request_id: 'text',
  created_at: 'timestamptz',
  signature: 'bytea',
  log_id: 'uuid',
  undoes: 'uuid',
  approval_id: 'uuid',
};
const names = Object.keys(columns).join(', ');
const placesOf = (cast: (type: string) => string): string =>
  Object.values(columns)
    .map((type, place) => `$${place + 1}${cast(type)}`)
    .join(', ');

/** Adds an entry, by `valuesOf`. */
export const insertion = `insert into audit_entries (${names}) values (${placesOf(() => '')})`;
/** The same with a list of values for each column. */
export const insertionOfAll = `insert into audit_entries (${names}) select * from unnest(${placesOf((type) => `::${type}[]`)})`;

export const listsOf = (rows: readonly unknown[][]): unknown[][] =>
  Object.keys(columns).map((_, place) => rows.map((values) => values[place]));

/** @param signature of its content. */
export function valuesOf(orgId: string, entry: AuditEntryView, signature: Buffer): unknown[] {
  const { actor, credential, target, propertyId, before, after } = entry;
  return [
    uuidIn(orgId),
    uuidIn(entry.id),
    actor.type,
    actor.id,
    credential && JSON.stringify(credential),
    entry.onBehalfOf,
    entry.action,
    target.type,
    target.id,
    propertyId && uuidIn(propertyId),
    before && JSON.stringify(before),
    after && JSON.stringify(after),
    entry.requestId,
    entry.createdAt,
    signature,
    entry.logId && uuidIn(entry.logId),
    entry.undoes && uuidIn(entry.undoes),
    entry.approvalId && uuidIn(entry.approvalId),
  ];
}
