import { Injectable } from '@nestjs/common';
import { newId, type Row, TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import { WakeUps } from '#wake-ups';
import { actOf } from '../audit/act.js';
import type { AuditEntryView } from '../audit/audit-entry.dto.js';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../callers/act.dto.js';
import { listsOf, statementFor, statementForAll, valuesOf } from './event-statements.js';
import type { EventType } from './event-type.js';
import { eventTopic } from './event-topic.js';
import { type Happening, stepOf, type Told } from './happening.js';
import { actorOf, isService, type Originator } from './originator.js';
import { UndoSteps } from './undo-steps.repository.js';

/** More events need another statement, since a statement holds the event loop while it is written. */
const mostAtOnce = 100;

/** What is stored of an event. */
interface Recorded {
  by: Originator;
  /** Whether its subject is new. */
  isOpening: boolean;
  eventId: string;
  happened: Happening;
  entry: AuditEntryView | undefined;
}

/**
 * What is stored of an event: its row with the deliveries to webhook endpoints, its entry of the audit trail, and what
 * an undo needs. The work that it concerns wakes once it is committed.
 */
@Injectable()
export class EventRecords {
  constructor(
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly wakeUps: WakeUps,
    private readonly audit: AuditService,
    private readonly undoSteps: UndoSteps,
  ) {}

  /** Written at the end of the transaction, with all else that it records. @returns the ids of the events. */
  insertAtCommit(by: Originator, isOpening: boolean, happened: readonly Happening[]): string[] {
    const recorded = happened.map((one): Recorded => {
      const act = isService(by) ? undefined : actOf(by, one.type);
      return { by, isOpening, eventId: newId('event'), happened: one, entry: this.audit.entryOf(one.change, act) };
    });
    this.database.keep(this.write, recorded);
    return recorded.map(({ eventId }) => eventId);
  }

  /** For an action outside of an organization. */
  async insertAbove(orgId: string, actor: Actor, type: EventType, happened: Told): Promise<void> {
    const isOpening = type.kind === 'opening';
    const concerned = await this.system.rows(statementFor(isOpening), valuesOf(orgId, newId('event'), happened, actor));
    await this.audit.record(orgId, happened.change, { action: type.name, actor });
    this.system.afterCommit(() => this.wake(orgId, concerned));
  }

  private readonly write = async (recorded: readonly Recorded[]): Promise<void> => {
    for (const some of inStatements(recorded)) await this.insert(some);
  };

  private async insert(recorded: readonly Recorded[]): Promise<void> {
    const [{ by, isOpening, eventId, happened }] = recorded as [Recorded];
    const { orgId } = by;
    const [text, values] =
      recorded.length === 1
        ? [statementFor(isOpening), valuesOf(orgId, eventId, happened, actorOf(by))]
        : [statementForAll(isOpening), listsOf(orgId, recorded, actorOf(by))];
    let concerned: Row[] = [];
    this.database.defer(orgId, text, values, (rows) => {
      concerned = rows;
    });
    await this.audit.insertAtCommit(
      orgId,
      recorded.flatMap(({ entry }) => entry ?? []),
    );
    await this.undoSteps.keepAtCommit(
      orgId,
      recorded.flatMap((one) => (one.entry ? [stepOf(one.entry.id, one.eventId, one.happened)] : [])),
    );
    this.database.afterCommit(() => this.wake(orgId, concerned));
  }

  /** @param concerned the answer of the statement: kinds of work, and whether the event concerns them. */
  private wake(orgId: string, [concerned]: Row[]): void {
    this.wakeUps.wake(eventTopic(orgId));
    for (const work in concerned) if (concerned[work]) this.wakeUps.wake(work);
  }
}

/** In their order: those of one actor, all of records that are new or all of others, each of another record. */
function inStatements(recorded: readonly Recorded[]): Recorded[][] {
  const statements: Recorded[][] = [];
  let subjects = new Set<string>();
  for (const one of recorded) {
    const [last, { id }] = [statements.at(-1), one.happened.change.target];
    const fits = last?.[0]?.by === one.by && last[0].isOpening === one.isOpening && !subjects.has(id);
    if (fits && last.length < mostAtOnce) last.push(one);
    else {
      statements.push([one]);
      subjects = new Set();
    }
    subjects.add(id);
  }
  return statements;
}
