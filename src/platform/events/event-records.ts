import { Injectable } from '@nestjs/common';
import { newId, type Row, TenantDatabase } from '#persistence';
import { SystemDatabase } from '#system-database';
import { WakeUps } from '#wake-ups';
import { actOf } from '../audit/act.js';
import { AuditService } from '../audit/audit.service.js';
import type { Actor } from '../callers/act.dto.js';
import { listsOf, statementFor, statementForAll, valuesOf } from './event-statements.js';
import type { EventType } from './event-type.js';
import { eventTopic } from './event-topic.js';
import { type Happening, stepOf, type Told } from './happening.js';
import { actorOf, isService, type Originator } from './originator.js';
import { UndoSteps } from './undo-steps.repository.js';

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

  /** Costs no round trip. Returns the id of the event. */
  insertAtCommit(by: Originator, type: EventType, happened: Happening): string {
    const { orgId } = by;
    const id = newId('event');
    let concerned: Row[] = [];
    this.database.defer(orgId, statementFor(type), valuesOf(orgId, id, happened, actorOf(by)), (rows) => {
      concerned = rows;
    });
    const entryId = this.audit.recordAtCommit(orgId, happened.change, isService(by) ? undefined : actOf(by, type.name));
    if (entryId) this.undoSteps.keepAtCommit(orgId, stepOf(entryId, id, happened));
    this.database.afterCommit(() => this.wake(orgId, concerned));
    return id;
  }

  /** The same for many, all of records that are new or all of others, in one statement. */
  async insertAllAtCommit(by: Originator, isOpening: boolean, happened: readonly Happening[]): Promise<void> {
    const { orgId } = by;
    const eventIds = happened.map(() => newId('event'));
    let concerned: Row[] = [];
    this.database.defer(orgId, statementForAll(isOpening), listsOf(orgId, eventIds, happened, actorOf(by)), (rows) => {
      concerned = rows;
    });
    const entryIds = await this.audit.recordAllAtCommit(
      orgId,
      happened.map(({ type, change }) => ({ change, act: isService(by) ? undefined : actOf(by, type) })),
    );
    const steps = happened.flatMap((one, place) => {
      const entryId = entryIds[place];
      return entryId ? [stepOf(entryId, eventIds[place] as string, one)] : [];
    });
    await this.undoSteps.keepAllAtCommit(orgId, steps);
    this.database.afterCommit(() => this.wake(orgId, concerned));
  }

  /** For an action outside of an organization. */
  async insertAbove(orgId: string, actor: Actor, type: EventType, happened: Told): Promise<void> {
    const concerned = await this.system.rows(statementFor(type), valuesOf(orgId, newId('event'), happened, actor));
    await this.audit.record(orgId, happened.change, { action: type.name, actor });
    this.system.afterCommit(() => this.wake(orgId, concerned));
  }

  /** @param concerned the answer of the statement: kinds of work, and whether the event concerns them. */
  private wake(orgId: string, [concerned]: Row[]): void {
    this.wakeUps.wake(eventTopic(orgId));
    for (const work in concerned) if (concerned[work]) this.wakeUps.wake(work);
  }
}
