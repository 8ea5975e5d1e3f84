import { Injectable } from '@nestjs/common';
import { may, type RequestCaller } from '#access';
import { AuditService } from '../audit/audit.service.js';
import { type EventType, eventTypes } from '../events/event-type.js';
import { EventsService } from '../events/events.service.js';
import { PutBacks } from '../events/put-backs.js';
import { together } from '../events/together.js';
import type { RecordedChange } from './undo.repository.js';
import { UndoingOperations } from './undoing-operations.js';

/** Undoes the creation of many records together: one by one, it would hold their locks for long. */
@Injectable()
export class NewRecords {
  constructor(
    private readonly operations: UndoingOperations,
    private readonly putBacks: PutBacks,
    private readonly audit: AuditService,
    private readonly events: EventsService,
  ) {}

  /** @returns false if each has to be undone for itself, which then says why. */
  async remove(caller: RequestCaller, changes: readonly RecordedChange[]): Promise<boolean> {
    const [first] = changes;
    const event = first && removalOf(first);
    if (!event || changes.length === 1) return false;
    const feature = this.putBacks.of(first.target.type);
    const scopes = [feature.scope, this.operations.find(first.action)?.scope];
    if (!feature.removeAll || !scopes.every((scope) => !scope || may(caller, scope))) return false;
    const removeAll = feature.removeAll.bind(feature);
    const undoes = Object.fromEntries(changes.map(({ target, entryId }) => [target.id, entryId]));
    const type = eventTypes().get(event) as EventType;
    const isDone = () =>
      this.audit.undoing(undoes, () => removeAll(caller, Object.keys(undoes), type)).then(() => true);
    return (await together(this.events, isDone)) ?? false;
  }
}

/** The changes in their order; new records of one kind that one operation created one after the other are together. */
export function inRuns(changes: readonly RecordedChange[]): RecordedChange[][] {
  const runs: RecordedChange[][] = [];
  for (const change of changes) {
    const run = runs.at(-1);
    const [last] = run ?? [];
    const event = removalOf(change);
    const continues = event && last && removalOf(last) === event && last.action === change.action;
    if (continues) run?.push(change);
    else runs.push([change]);
  }
  return runs;
}

/** The event as which the removal of a new record is recorded, by the feature itself; undefined for other changes. */
function removalOf({ kept, isUndone, isReveal }: RecordedChange): string | undefined {
  const { step, changed } = kept?.step ?? {};
  const isNew = step && 'event' in step && !changed?.before;
  return isNew && !isUndone && !isReveal ? step.event : undefined;
}
