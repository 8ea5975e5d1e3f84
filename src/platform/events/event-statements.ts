import { uuidIn } from '#persistence';
import type { Actor } from '../callers/act.dto.js';
import type { Told } from './happening.js';
import { eventWork } from './event-work.js';

const columns =
  'org_id, id, type, subject_type, subject_id, actor, property_id, data, occurred_at, sequence, transaction_id';
const values = '$1::uuid, $2::uuid, $3, $4, $5, $6::jsonb, $7::uuid, $8::jsonb, $9::timestamptz';

/**
 * A delivery for each endpoint that wants the event, in the same statement. It returns the names of the kinds of work
 * that the event concerns.
 */
const fanOut = `
  wanting as (
    select e.org_id, w.id as endpoint_id, w.failing_since, e.id as event_id, e.type, e.subject_id, e.sequence, e.occurred_at
      from happened e join webhook_endpoints w on w.org_id = e.org_id
     where w.status <> 'disabled' and w.event_types && array[e.type, '*']
       -- An endpoint is not told about itself.
       and e.subject_id <> 'endpoint_' || replace(w.id::text, '-', '')
       and (w.property_ids is null or e.property_id = any(w.property_ids))
       -- One that is being deleted is waited for, and passed over when it is gone.
       for key share of w),
  told as (
    insert into webhook_deliveries (org_id, endpoint_id, event_id, event_type, subject_id, sequence, due_at, created_at)
    select org_id, endpoint_id, event_id, type, subject_id, sequence, occurred_at, occurred_at from wanting)
  select exists (select 1 from wanting where failing_since is null) as "${eventWork.deliveries}",
         exists (select 1 from wanting where failing_since is not null) as "${eventWork.failingDeliveries}",
         exists (select 1 from workflow_feeds where org_id = $1) as "${eventWork.workflowEvents}"`;

/** Records one event: $1 organization, $2 id, $3 type, $4 and $5 subject, $6 actor, $7 property, $8 data, $9 time. */
export const statementFor = (isOpening: boolean): string => (isOpening ? recordFirst : recordNext);

const recordFirst = `
  with happened as (
    insert into events (${columns}) values (${values}, 1, pg_current_xact_id()) returning *),
  ${fanOut}`;

/**
 * The counter's row is locked until the transaction ends, so that a subject's sequence has neither gaps nor duplicates.
 * The order of the feed follows the sequence: a transaction that started before the subject's last change is placed
 * after that change.
 */
const recordNext = `
  with counted as (
    insert into event_sequences as s (org_id, subject_id, sequence, transaction_id)
    values ($1::uuid, $5, 2, greatest(pg_current_xact_id(),
      (select transaction_id from events where org_id = $1 and subject_id = $5 order by transaction_id desc limit 1)))
    on conflict (org_id, subject_id) do update
      set sequence = s.sequence + 1, transaction_id = greatest(s.transaction_id, pg_current_xact_id())
    returning sequence, transaction_id),
  happened as (
    insert into events (${columns}) select ${values}, sequence, transaction_id from counted returning *),
  ${fanOut}`;

/**
 * The same for many events of as many subjects: $1 organization, $2 actor, $3 time, and lists of $4 ids, $5 types, $6 and
 * $7 subjects, $8 properties and $9 data. The counters are locked in one order, so that two of these never wait for each
 * other.
 */
export const statementForAll = (isOpening: boolean): string => (isOpening ? recordAllFirst : recordAllNext);

const given = `
  given as materialized (
    select * from unnest($4::uuid[], $5::text[], $6::text[], $7::text[], $8::uuid[], $9::text[])
      as g (id, type, subject_type, subject_id, property_id, data))`;
const givenValues =
  '$1::uuid, g.id, g.type, g.subject_type, g.subject_id, $2::jsonb, g.property_id, g.data::jsonb, $3::timestamptz';

const recordAllFirst = `
  with ${given},
  happened as (
    insert into events (${columns}) select ${givenValues}, 1, pg_current_xact_id() from given g order by g.id returning *),
  ${fanOut}`;

const recordAllNext = `
  with ${given},
  counted as (
    insert into event_sequences as s (org_id, subject_id, sequence, transaction_id)
    select $1::uuid, g.subject_id, 2, greatest(pg_current_xact_id(),
      (select transaction_id from events where org_id = $1 and subject_id = g.subject_id order by transaction_id desc limit 1))
      from given g order by g.subject_id
    on conflict (org_id, subject_id) do update
      set sequence = s.sequence + 1, transaction_id = greatest(s.transaction_id, pg_current_xact_id())
    returning subject_id, sequence, transaction_id),
  happened as (
    insert into events (${columns})
    select ${givenValues}, c.sequence, c.transaction_id from given g join counted c on c.subject_id = g.subject_id order by g.id
    returning *),
  ${fanOut}`;

/** The values of `statementFor`. */
export const valuesOf = (orgId: string, eventId: string, { type, data, change }: Told, actor: Actor): unknown[] => [
  uuidIn(orgId),
  uuidIn(eventId),
  type,
  change.target.type,
  change.target.id,
  JSON.stringify(actor),
  change.propertyId && uuidIn(change.propertyId),
  JSON.stringify(data),
  new Date().toISOString(),
];

/** The values of `statementForAll`: lists, with one of each event. */
export function listsOf(
  orgId: string,
  recorded: readonly { eventId: string; happened: Told }[],
  actor: Actor,
): unknown[] {
  const told = recorded.map(({ happened }) => happened);
  return [
    uuidIn(orgId),
    JSON.stringify(actor),
    new Date().toISOString(),
    recorded.map(({ eventId }) => uuidIn(eventId)),
    told.map(({ type }) => type),
    told.map(({ change }) => change.target.type),
    told.map(({ change }) => change.target.id),
    told.map(({ change }) => change.propertyId && uuidIn(change.propertyId)),
    told.map(({ data }) => JSON.stringify(data)),
  ];
}
