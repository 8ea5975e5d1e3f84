import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { viewOf } from '#operations';
import { newId, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { isOperator } from '../../organizations/operator.js';
import { actOf, type AuditChange, AuditService, credentialOf } from '../audit/audit.service.js';
import { changeOf, type Fields } from './change.js';
import type { Actor } from '../../events/event.dto.js';
import type { ChangeType, EndingType, EventType, NewType } from './event-type.js';
import { WakeUps } from './wake-ups.js';

/** Who caused an event: a member through a credential, or the service in one of its organizations. */
export type Originator = Caller | { readonly orgId: string };

/**
 * Events are written in the transaction of the change that they tell of, with a delivery for each webhook endpoint that
 * wants it: all of it commits, or nothing.
 */
@Injectable()
export class EventsService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly wakeUps: WakeUps,
    private readonly audit: AuditService,
  ) {}

  /**
   * Records that something new is there, that a record changed, or that it is gone. Costs no round trip.
   *
   * @param after the record as it is now; only the fields of the type's data are kept.
   * @param before the record as it was, and the same object where nothing changed: a `change` then tells nothing.
   */
  record<Data extends object>(by: Originator, type: NewType<Data>, after: Subject<Data>): string;
  record<Data extends object>(
    by: Originator,
    type: EventType<Data, 'occurrence'>,
    after: Subject<Data>,
    before: Subject<Data>,
  ): string;
  record<Data extends object>(
    by: Originator,
    type: ChangeType<Data>,
    after: Subject<Data>,
    before: Subject<Data>,
  ): string | undefined;
  record<Data extends object>(by: Originator, type: EndingType<Data>, after: null, before: Subject<Data>): string;
  record<Data extends object>(
    by: Originator,
    type: EventType<Data>,
    after: Subject<Data> | null,
    before: Subject<Data> | null = null,
  ): string | undefined {
    if (type.tells === 'change' && after === before) return undefined;
    const { orgId } = by;
    const id = newId('event');
    const actor = actorOf(by);
    const happened = tellingOf(type, after, before);
    this.database.defer(orgId, statementFor(type), valuesOf(orgId, id, happened, actor));
    const act = actor.type === 'member' ? actOf(type.name, by as Caller) : undefined;
    this.audit.recordAtCommit(orgId, happened.change, act);
    this.database.afterCommit(() => this.wakeUps.tell(orgId));
    return id;
  }

  /** The same of what is done above the organizations: what people do with their accounts, and founding. */
  async recordAbove<Data extends object>(actor: Actor, type: NewType<Data>, after: SubjectOf<Data>): Promise<void>;
  async recordAbove<Data extends object>(
    actor: Actor,
    type: ChangeType<Data>,
    after: SubjectOf<Data>,
    before: SubjectOf<Data>,
  ): Promise<void>;
  async recordAbove<Data extends object>(
    actor: Actor,
    type: EventType<Data>,
    after: SubjectOf<Data>,
    before: SubjectOf<Data> | null = null,
  ): Promise<void> {
    const { orgId } = after;
    const happened = tellingOf(type, after, before);
    await this.system.rows(statementFor(type), valuesOf(orgId, newId('event'), happened, actor));
    await this.audit.record(orgId, happened.change, { action: type.name, actor });
    this.system.afterCommit(() => this.wakeUps.tell(orgId));
  }
}

/** A record that events are about. */
type Subject<Data> = Data & { id: string };
/** The same, with its organization. */
type SubjectOf<Data> = Subject<Data> & { orgId: string };

/** What is told of a subject, to those who follow and to the audit trail. */
interface Telling {
  type: string;
  data: object;
  change: AuditChange & { propertyId: string | null };
}

/** Of a record that is gone, what is told is how it was. */
function tellingOf<Data extends object>(
  type: EventType<Data>,
  after: Subject<Data> | null,
  before: Subject<Data> | null,
): Telling {
  const subject = (after ?? before) as Subject<Data>;
  const shown = (record: Subject<Data> | null) => record && (viewOf(type.output, record) as Fields);
  const images = { before: shown(before), after: shown(after) };
  const target = { type: type.subject, id: subject.id };
  const change = { target, propertyId: type.at(subject), ...changeOf(type, images) };
  return { type: type.name, data: (images.after ?? images.before) as Fields, change };
}

const valuesOf = (orgId: string, eventId: string, { type, data, change }: Telling, actor: Actor): unknown[] => [
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

function actorOf(by: Originator): Actor {
  if (!('memberId' in by) || isOperator(by)) return { type: 'service' };
  return { type: 'member', id: by.memberId, credential: credentialOf(by.credential) };
}

const columns =
  'org_id, id, type, subject_type, subject_id, actor, property_id, data, occurred_at, sequence, transaction_id';
const values = '$1::uuid, $2::uuid, $3, $4, $5, $6::jsonb, $7::uuid, $8::jsonb, $9::timestamptz';

/** A delivery for each endpoint that wants the event, in the same statement. */
const fanOut = `
  insert into webhook_deliveries (org_id, endpoint_id, event_id, event_type, subject_id, sequence, due_at, created_at)
  select e.org_id, w.id, e.id, e.type, e.subject_id, e.sequence, e.occurred_at, e.occurred_at
    from happened e join webhook_endpoints w on w.org_id = e.org_id
   where w.status <> 'disabled' and w.event_types && array[e.type, '*']
     -- An endpoint is not told about itself.
     and e.subject_id <> 'endpoint_' || replace(w.id::text, '-', '')
     and (w.property_ids is null or e.property_id = any(w.property_ids))
     -- One that is being deleted is waited for, and passed over when it is gone.
     for key share of w`;

const statementFor = ({ tells }: EventType): string => (tells === 'opening' ? recordFirst : recordNext);

const recordFirst = `
  with happened as (
    insert into events (${columns}) values (${values}, 1, pg_current_xact_id()) returning *)
  ${fanOut}`;

/**
 * The counter's row is locked until the transaction ends, so that a subject's sequence has neither gaps nor doubles. The
 * feed's order follows the sequence too: a transaction that began before the one that changed the subject last takes its
 * place behind that one.
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
    insert into events (${columns}) select ${values}, sequence, transaction_id from counted returning *)
  ${fanOut}`;
