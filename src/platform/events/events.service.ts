import { AsyncLocalStorage } from 'node:async_hooks';
import { Injectable } from '@nestjs/common';
import { type Caller, isMember } from '#access';
import { viewOf } from '#operations';
import { type Changed, newId, type Row, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { mapInTurns } from '#turns';
import { WakeUps } from '#wake-ups';
import { actOf, type AuditChange, AuditService, credentialOf } from '../audit/audit.service.js';
import { changeOf } from './change.js';
import type { Fields, Images } from './images.js';
import type { Actor } from '../callers/act.dto.js';
import type { ChangeType, EndingType, EventType, NewType } from './event-type.js';
import { differenceOf, isStep, type Undo } from './undo.js';
import { UndoSteps } from './undo-steps.repository.js';
import { eventTopic } from './event-topic.js';

/** Who caused an event: a member through a credential, or the service in one of its organizations. */
export type Originator = Caller | { readonly orgId: string };

/**
 * Events are written in the transaction of their change, with a delivery for each webhook endpoint that subscribes: all
 * of it is committed, or nothing.
 */
@Injectable()
export class EventsService {
  private readonly collecting = new AsyncLocalStorage<Collection>();
  private readonly following = new AsyncLocalStorage<boolean>();

  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly wakeUps: WakeUps,
    private readonly audit: AuditService,
    private readonly undoSteps: UndoSteps,
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
    if (type.kind === 'change' && after === before) return undefined;
    const { orgId } = by;
    const id = newId('event');
    const happened = { ...happeningOf(type, after, before), follows: this.following.getStore() ?? false };
    for (let one = this.collecting.getStore(); one; one = one.outer) one.happened.push(happened);
    let concerned: Row[] = [];
    this.database.defer(orgId, statementFor(type), valuesOf(orgId, id, happened, actorOf(by)), (rows) => {
      concerned = rows;
    });
    const entryId = this.audit.recordAtCommit(orgId, happened.change, isService(by) ? undefined : actOf(by, type.name));
    if (entryId) this.keepUndo(orgId, entryId, id, happened);
    this.database.afterCommit(() => this.wake(orgId, concerned));
    return id;
  }

  /** Collects what `work` records, in its order. */
  async collect<T>(work: () => Promise<T>): Promise<{ result: T; happened: readonly Happening[] }> {
    const happened: Happening[] = [];
    const result = await this.collecting.run({ happened, outer: this.collecting.getStore() }, work);
    return { result, happened };
  }

  /** Records keep their values for an undo some days; those that identify an erased guest are forgotten with them. */
  forgetValues({ orgId }: Originator, subjectIds: readonly string[]): void {
    this.undoSteps.forgetAtCommit(orgId, subjectIds, 'What identified a guest was erased.');
  }

  /** What `work` records follows from another change: an undo of that change takes care of it. */
  follow<T>(work: () => Promise<T>): Promise<T> {
    return this.following.run(true, work);
  }

  /** Records what became of many records by one act, in as many turns of the event loop as it takes. */
  async recordAll<Data extends object, Of extends Subject<Data>>(
    by: Originator,
    changes: readonly Changed<Of>[],
    typeOf: (change: Changed<Of>) => ChangeType<Data>,
  ): Promise<void> {
    await mapInTurns(changes, (change) => this.record(by, typeOf(change), change.after, change.before));
  }

  /**
   * The same for actions outside of an organization: what people do with their accounts, and the creation of
   * organizations.
   */
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
    const happened = happeningOf(type, after, before);
    const concerned = await this.system.rows(statementFor(type), valuesOf(orgId, newId('event'), happened, actor));
    await this.audit.record(orgId, happened.change, { action: type.name, actor });
    this.system.afterCommit(() => this.wake(orgId, concerned));
  }

  private keepUndo(orgId: string, entryId: string, eventId: string, { type, change, undo, ...rest }: Happening): void {
    const noted = { entryId, eventId, type, subjectId: change.target.id, follows: rest.follows };
    if (isStep(undo)) this.undoSteps.keepAtCommit(orgId, noted, { step: undo, changed: rest.changed });
    else this.undoSteps.keepAtCommit(orgId, noted, 'never' in undo ? undo.never : undo.remains);
  }

  /** @param concerned the answer of the statement: kinds of work, and whether the event concerns them. */
  private wake(orgId: string, [concerned]: Row[]): void {
    this.wakeUps.wake(eventTopic(orgId));
    for (const work in concerned) if (concerned[work]) this.wakeUps.wake(work);
  }
}

/** A record that events are about. */
type Subject<Data> = Data & { id: string };
/** The same, with its organization. */
type SubjectOf<Data> = Subject<Data> & { orgId: string };

/** What followers and the audit trail learn about a subject. */
interface Told {
  type: string;
  data: Fields;
  change: AuditChange & { propertyId: string | null };
  /** The fields that differ, as they are stored and as events show them. */
  changed: Images;
  undo: Undo;
}

/** The same, as part of a request. */
export interface Happening extends Told {
  /** Whether it follows from another change of the request. */
  follows: boolean;
}

interface Collection {
  readonly happened: Happening[];
  readonly outer: Collection | undefined;
}

/** For a deleted record, the data is its last state. */
function happeningOf<Data extends object>(
  type: EventType<Data>,
  after: Subject<Data> | null,
  before: Subject<Data> | null,
): Told {
  const subject = (after ?? before) as Subject<Data>;
  const shown = (record: Subject<Data> | null) => record && (viewOf(type.output, record) as Fields);
  const images = { before: shown(before), after: shown(after) };
  const target = { type: type.subject, id: subject.id };
  const change = { target, propertyId: type.at(subject), ...changeOf(type, images) };
  const stored: Images = { before, after };
  const changed = differenceOf(stored, images);
  const undo = undoOf(type, stored, changed);
  return { type: type.name, data: (images.after ?? images.before) as Fields, change, changed, undo };
}

const undoOf = ({ undo }: EventType, { before, after }: Images, { before: set }: Images): Undo =>
  typeof undo === 'function' ? undo({ after: after ?? {}, before: before ?? {}, set: set ?? {} }) : undo;

const valuesOf = (orgId: string, eventId: string, { type, data, change }: Told, actor: Actor): unknown[] => [
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

const isService = (by: Originator): by is Exclude<Originator, Caller> =>
  !('credential' in by) || by.credential.kind === 'service';

/** Events name no operators: what one does at the command line, the service does. */
function actorOf(by: Originator): Actor {
  if (!('credential' in by) || !isMember(by)) return { type: 'service' };
  return { type: 'member', id: by.memberId, credential: credentialOf(by.credential) };
}

const columns =
  'org_id, id, type, subject_type, subject_id, actor, property_id, data, occurred_at, sequence, transaction_id';
const values = '$1::uuid, $2::uuid, $3, $4, $5, $6::jsonb, $7::uuid, $8::jsonb, $9::timestamptz';

/**
 * A delivery for each endpoint that wants the event, in the same statement. It answers which kinds of work, by their
 * names, the event concerns.
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
  select exists (select 1 from wanting where failing_since is null) as "deliveries",
         exists (select 1 from wanting where failing_since is not null) as "failing-deliveries",
         exists (select 1 from workflow_feeds where org_id = $1) as "workflow-events"`;

const statementFor = ({ kind }: EventType): string => (kind === 'opening' ? recordFirst : recordNext);

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
