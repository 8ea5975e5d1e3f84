import { Injectable } from '@nestjs/common';
import { type Changed, TenantDatabase } from '#persistence';
import { mapInTurns } from '#turns';
import type { Actor } from '../callers/act.dto.js';
import { type Collected, Collecting } from './collecting.js';
import { EventRecords } from './event-records.js';
import type { ChangeType, EndingType, EventType, NewType } from './event-type.js';
import { type Beside, happeningOf, type Subject } from './happening.js';
import type { Originator } from './originator.js';
import { UndoSteps } from './undo-steps.repository.js';

/**
 * Events are written in the transaction of their change, with a delivery for each webhook endpoint that subscribes: all
 * of it is committed, or nothing.
 */
@Injectable()
export class EventsService {
  private readonly collecting = new Collecting();

  constructor(
    private readonly database: TenantDatabase,
    private readonly records: EventRecords,
    private readonly undoSteps: UndoSteps,
  ) {}

  /**
   * Records that a record was created, changed or deleted. Costs no round trip.
   *
   * @param after the record as it is now; only the fields of the type's data are kept.
   * @param before the record as it was, or the same object if nothing changed: a `change` then records no event.
   * @param beside effects of the change that no event shows; whoever approves the change approves them too.
   */
  record<Data extends object>(
    by: Originator,
    type: NewType<Data>,
    after: Subject<Data>,
    before?: null,
    beside?: Beside,
  ): string;
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
    beside?: Beside,
  ): string | undefined;
  record<Data extends object>(by: Originator, type: EndingType<Data>, after: null, before: Subject<Data>): string;
  record<Data extends object>(
    by: Originator,
    type: EventType<Data>,
    after: Subject<Data> | null,
    before: Subject<Data> | null = null,
    beside?: Beside,
  ): string | undefined {
    if (type.kind === 'change' && after === before) return undefined;
    const happened = { ...happeningOf(type, after, before), follows: this.collecting.isFollowing, beside };
    this.collecting.happened([happened]);
    return this.records.insertAtCommit(by, type.kind === 'opening', [happened])[0];
  }

  /** For what reads an event in the transaction that records it. Costs no round trip. */
  async writeNow(): Promise<void> {
    await this.database.writeKept();
  }

  /** Collects what `work` records, in its order; what collects around it gets it too, unless the work fails. */
  collect<T>(work: () => Promise<T>): Promise<{ result: T } & Collected> {
    return this.collecting.during(work);
  }

  /** Says how often something will happen in the background, for which a rehearsal does not wait. */
  foresee({ name: type }: EventType, count: number): void {
    this.collecting.foreseen(type, count);
  }

  /** Records keep their values for an undo some days; those that identify an erased guest are forgotten with them. */
  forgetValues({ orgId }: Originator, subjectIds: readonly string[]): void {
    this.undoSteps.forgetAtCommit(orgId, subjectIds, 'The guest’s personal data was erased.');
  }

  /** What `work` records follows from another change: an undo of that change takes care of it. */
  follow<T>(work: () => Promise<T>): Promise<T> {
    return this.collecting.follow(work);
  }

  /** Runs a part of the current transaction; if it fails, it is undone together with what it recorded. */
  async attempt<T>(work: () => Promise<T>): Promise<T> {
    return (await this.collect(() => this.database.attempt(work))).result;
  }

  /**
   * Records the changes of many records by one act: one statement for many of them, in as many turns of the event loop
   * as it takes.
   *
   * @param changes each of another record.
   */
  async recordAll<Data extends object, Of extends Subject<Data>>(
    by: Originator,
    changes: readonly Changed<Of>[],
    typeOf: (change: Changed<Of>) => ChangeType<Data>,
  ): Promise<void> {
    const typed = changes.map((change) => ({ ...change, type: typeOf(change) }));
    const differing = typed.filter(({ type, after, before }) => type.kind !== 'change' || after !== before);
    await this.recordMany(by, false, differing);
  }

  /** The same for records that are new. */
  async recordNew<Data extends object, Of extends Subject<Data>>(
    by: Originator,
    records: readonly Of[],
    type: EventType<Data, 'opening'>,
  ): Promise<void> {
    await this.recordMany(
      by,
      true,
      records.map((after) => ({ type, after, before: null })),
    );
  }

  private async recordMany<Data extends object>(
    by: Originator,
    isOpening: boolean,
    changes: readonly Became<Data>[],
  ): Promise<void> {
    const follows = this.collecting.isFollowing;
    const happened = await mapInTurns(changes, ({ type, after, before }) => ({
      ...happeningOf(type, after, before),
      follows,
    }));
    this.collecting.happened(happened);
    this.records.insertAtCommit(by, isOpening, happened);
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
    await this.records.insertAbove(after.orgId, actor, type, happeningOf(type, after, before));
  }
}

/** A record that events are about, with its organization. */
type SubjectOf<Data> = Subject<Data> & { orgId: string };

/** A record as it became, and as it was unless it is new. */
interface Became<Data extends object> {
  type: EventType<Data>;
  after: Subject<Data>;
  before: Subject<Data> | null;
}
