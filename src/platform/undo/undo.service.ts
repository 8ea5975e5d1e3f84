import { Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import { loopShare } from '#turns';
import { Aftermath } from '../events/aftermath.js';
import { EventsService } from '../events/events.service.js';
import { UndoLocks } from '../events/undo-locks.js';
import { mostChanges, mostWithFollowing, type UndoChanges, type UndoneChangesView } from './undo.dto.js';
import {
  noSuchChanges,
  notUndoable,
  oneSelection,
  requestIdAmbiguous,
  sinceTooEarly,
  tooManyChanges,
} from './undo.errors.js';
import type { Blocker } from './undo-details.dto.js';
import { inRuns, NewRecords } from './new-records.service.js';
import { isPermanent, SingleUndo } from './single-undo.service.js';
import { type RecordedChange, UndoRepository } from './undo.repository.js';

const logId = /^request_[0-9a-f]{32}$/;
const longestAgoMs = 24 * 60 * 60_000;

/** Undoes changes, newest first, in the transaction of the request: all of them, or none. */
@Injectable()
export class UndoService {
  constructor(
    private readonly changes: UndoRepository,
    private readonly newRecords: NewRecords,
    private readonly single: SingleUndo,
    private readonly locks: UndoLocks,
    private readonly events: EventsService,
    private readonly aftermath: Aftermath,
  ) {}

  async undo(asked: RequestCaller, input: UndoChanges): Promise<UndoneChangesView> {
    // If-Match is about one record and an undo about many; the rules about approval have accepted the whole undo.
    const caller: RequestCaller = { ...asked, expectedVersion: undefined, rulesAbout: [] };
    const chosen = await this.chosen(caller, input);
    const isNamed = input.auditEntryIds !== undefined;
    const isFollowing = ({ kept }: RecordedChange): boolean => !isNamed && kept?.follows === true;
    const isTooLong = chosen.length > mostWithFollowing;
    if (isTooLong || chosen.filter((one) => !isFollowing(one)).length > mostChanges) throw tooManyChanges(mostChanges);
    await this.locks.lock(
      caller,
      chosen.map((one) => ({ ...one, changed: one.kept?.step?.changed })),
    );
    const result: Undone = { undone: [], left: [], blockers: [] };
    for (const ofRequest of inRequests(chosen)) {
      const follows = ofRequest.filter(isFollowing);
      const own = ofRequest.filter((one) => !isFollowing(one));
      const { happened } = await this.events.collect(() => this.undoAll(caller, own, result));
      const touched = new Set(happened.map(({ change }) => change.target.id));
      if (result.blockers.length === 0)
        for (const change of follows) await this.single.settle(caller, change, touched.has(change.target.id));
    }
    const { undone, left, blockers } = result;
    if (blockers.length > 0) throw notUndoable(blockers);
    if (undone.length === 0) throw notUndoable(left.map(blockerOf));
    return { undone, notUndoable: [...left, ...(await this.delivered(caller, chosen))] };
  }

  /** Which of these changes are undone, and which nobody can ever undo, whatever happened to their records since. */
  async closed(caller: RequestCaller, entryIds: readonly string[]): Promise<ClosedChanges> {
    const found = await this.changes.byIds(caller, entryIds);
    const idsOf = (changes: readonly RecordedChange[]) => new Set(changes.map(({ entryId }) => entryId));
    return { undone: idsOf(found.filter(({ isUndone }) => isUndone)), permanent: idsOf(found.filter(isPermanent)) };
  }

  private async undoAll(caller: RequestCaller, changes: readonly RecordedChange[], result: Undone): Promise<void> {
    const staying = new Set<string>();
    for (const run of inRuns(changes)) {
      if (await this.newRecords.remove(caller, run)) result.undone.push(...run.map(undoneOf));
      else await this.undoEach(caller, run, result, staying);
    }
  }

  /** @param staying the kinds of records that have to stay, whose reasons are also those of what they refer to. */
  private async undoEach(
    caller: RequestCaller,
    changes: readonly RecordedChange[],
    result: Undone,
    staying: Set<string>,
  ): Promise<void> {
    for (const change of changes) {
      if (loopShare.isUsedUp) await loopShare.next();
      const { entryId: auditEntryId, target } = change;
      const { is, reason, heldBy } = await this.single.run(caller, change);
      if (is === 'blocked') {
        if (!heldBy || !staying.has(heldBy)) result.blockers.push({ auditEntryId, reason });
        staying.add(target.type);
      } else if (is === 'undone') result.undone.push(undoneOf(change));
      if (is !== 'blocked' && reason) result.left.push({ auditEntryId, target, reason });
    }
  }

  /** Newest first. @throws if the input chooses nothing, or nothing clearly. */
  private async chosen(caller: RequestCaller, input: UndoChanges): Promise<RecordedChange[]> {
    const { requestId, auditEntryIds, applicationId, since } = input;
    const given = [requestId, auditEntryIds, applicationId].filter((one) => one !== undefined);
    if (given.length !== 1 || (applicationId === undefined) !== (since === undefined)) throw oneSelection();
    if (auditEntryIds) {
      const found = await this.changes.byIds(caller, [...new Set(auditEntryIds)]);
      if (found.length < new Set(auditEntryIds).size) throw noSuchChanges();
      return found;
    }
    const found = await (requestId === undefined
      ? this.ofApplication(caller, applicationId as string, since as string)
      : this.ofRequest(caller, requestId));
    if (found.length === 0) throw noSuchChanges();
    return found;
  }

  private async ofRequest(caller: RequestCaller, requestId: string): Promise<RecordedChange[]> {
    if (logId.test(requestId)) return await this.changes.byLogId(caller, requestId);
    const found = await this.changes.byRequestId(caller, requestId);
    const requests = [...new Set(found.map((change) => change.logId).filter((id) => id !== null))];
    if (requests.length > 1) throw requestIdAmbiguous(requests);
    return found;
  }

  /** What it has undone itself, or what somebody has undone since, is as it was. */
  private async ofApplication(caller: RequestCaller, applicationId: string, since: string): Promise<RecordedChange[]> {
    if (Date.parse(since) < Date.now() - longestAgoMs) throw sinceTooEarly();
    const found = await this.changes.byApplication(caller, applicationId, since);
    const ids = new Set(found.map(({ entryId }) => entryId));
    return found.filter(({ isUndone, undoes }) => !isUndone && !(undoes && ids.has(undoes)));
  }

  private async delivered({ orgId }: RequestCaller, changes: readonly RecordedChange[]) {
    const eventIds = changes.flatMap(({ kept }) => (kept ? [kept.eventId] : []));
    const deliveries = (await this.changes.delivered(orgId, eventIds)).map(({ endpointId: id, count }) => ({
      target: { type: 'webhook_endpoint', id },
      reason: `The webhook endpoint has received ${count} ${count === 1 ? 'event' : 'events'} about the changes, which cannot be taken back.`,
    }));
    const sent = await this.aftermath.wentOut(orgId, eventIds);
    return [...deliveries, ...sent].map((one) => ({ auditEntryId: null, ...one }));
  }
}

/** The ids of changes of which nothing is left to undo. */
export interface ClosedChanges {
  readonly undone: ReadonlySet<string>;
  readonly permanent: ReadonlySet<string>;
}

/** The progress of an undo. */
interface Undone {
  readonly undone: UndoneChangesView['undone'];
  readonly left: UndoneChangesView['notUndoable'];
  readonly blockers: Blocker[];
}

/** The changes of each request together, in their order. */
const inRequests = (changes: readonly RecordedChange[]): RecordedChange[][] => [
  ...Map.groupBy(changes, ({ logId: id, requestId, entryId }) => id ?? requestId ?? entryId).values(),
];

const undoneOf = ({ entryId: auditEntryId, target }: RecordedChange) => ({ auditEntryId, target });

const blockerOf = ({ auditEntryId, reason }: UndoneChangesView['notUndoable'][number]): Blocker => ({
  auditEntryId: auditEntryId as string,
  reason,
});
