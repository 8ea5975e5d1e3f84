import { Injectable } from '@nestjs/common';
import { may, type RequestCaller } from '#access';
import { ServiceError } from '#errors';
import { isSameValue } from '#persistence';
import { AuditService } from '../audit/audit.service.js';
import { type EventType, eventTypes } from '../events/event-type.js';
import { EventsService } from '../events/events.service.js';
import type { Happening } from '../events/happening.js';
import type { Fields, Images } from '../events/images.js';
import { CannotGo, PutBacks } from '../events/put-backs.js';
import type { KeptStep } from '../events/undo-steps.repository.js';
import { UndoneChanges } from '../events/undone-changes.js';
import { lacksPermission } from './undo.errors.js';
import { type RecordedChange, UndoRepository } from './undo.repository.js';
import { UndoingOperations } from './undoing-operations.js';

/**
 * The outcome for one change: undone, with the parts that remain; left as it is, harmlessly; or a blocker of the whole
 * undo.
 */
export type Outcome =
  | { readonly is: 'undone'; readonly reason: string | undefined; readonly heldBy?: undefined }
  | {
      readonly is: 'left' | 'blocked';
      readonly reason: string;
      /** The kind of records that refer to it, if that is why it has to stay. */
      readonly heldBy?: string;
    };

const notKept = 'It is older than 7 days, or does not change a record that can be restored. Reverse it manually.';

/** The record has changed since. */
class ChangedSince extends Error {
  constructor(readonly names: readonly string[]) {
    super(`${names.join(', ')} changed since`);
  }
}

/** Undoes one change, by an operation or by the feature itself, and makes sure that nothing else came in between. */
@Injectable()
export class SingleUndo {
  constructor(
    private readonly changes: UndoRepository,
    private readonly operations: UndoingOperations,
    private readonly putBacks: PutBacks,
    private readonly audit: AuditService,
    private readonly events: EventsService,
    private readonly undoneChanges: UndoneChanges,
  ) {}

  /** @throws authorization_error if the caller may not do what would be undone. */
  async run(caller: RequestCaller, change: RecordedChange): Promise<Outcome> {
    const { kept } = change;
    if (change.isReveal) return { is: 'blocked', reason: 'A secret that was shown cannot be hidden again.' };
    if (!kept) return { is: 'blocked', reason: notKept };
    if (change.isUndone) return { is: 'blocked', reason: await this.changedSince(caller, change, []) };
    if (!kept.step) return { is: staysBehind(kept.type) ? 'left' : 'blocked', reason: kept.reason as string };
    this.refuseUnlessPermitted(caller, this.operations.find(change.action)?.scope);
    return await this.perform(caller, change, kept.step);
  }

  /**
   * A change that followed from another one, which has been undone: if it did not follow back, it is reverted as far as
   * possible.
   *
   * @param isTouched whether the undo has changed the record.
   */
  async settle(caller: RequestCaller, change: RecordedChange, isTouched: boolean): Promise<void> {
    const step = change.kept?.step;
    if (!step || (isTouched && !step.changed.before)) return;
    await this.perform(caller, change, step).catch((error: unknown) => {
      if (!(error instanceof ServiceError) || error.status >= 500) throw error;
    });
  }

  private async perform(caller: RequestCaller, change: RecordedChange, kept: KeptStep): Promise<Outcome> {
    const undoes = { [change.target.id]: change.entryId };
    try {
      const reason = await this.events.attempt(() => this.audit.undoing(undoes, () => this.take(caller, change, kept)));
      if (reason) return { is: 'left', reason };
      this.undoneChanges.notify(caller, change);
      return { is: 'undone', reason: 'leaves' in kept.step ? kept.step.leaves : undefined };
    } catch (error) {
      if (error instanceof ChangedSince)
        return { is: 'blocked', reason: await this.changedSince(caller, change, error.names) };
      if (!(error instanceof ServiceError) || error.status === 403 || error.status >= 500) throw error;
      const names = Object.keys(kept.changed.after ?? {});
      // Fields that are put back are as the change left them, so later changes are not why the feature refuses it.
      const isAsLeft = 'event' in kept.step && names.length > 0;
      const reason = isAsLeft ? error.message : await this.changedSince(caller, change, names, error.message);
      return { is: 'blocked', reason, ...(error instanceof CannotGo && { heldBy: error.of }) };
    }
  }

  /** @returns why the record stays, if it has to. */
  private async take(
    caller: RequestCaller,
    undone: RecordedChange,
    { step, changed }: KeptStep,
  ): Promise<string | void> {
    const { target } = undone;
    if ('event' in step) return await this.putBack(caller, undone, changed, eventTypes().get(step.event) as EventType);
    const { happened } = await this.events.collect(() => this.operations.perform(caller, step.operation, step.input));
    refuseOther(
      changed,
      step.input,
      happened.filter(({ change }) => change.target.id === target.id),
    );
  }

  private async putBack(
    caller: RequestCaller,
    { target: { type, id }, propertyId }: RecordedChange,
    changed: Images,
    event: EventType,
  ): Promise<string | void> {
    const feature = this.putBacks.of(type);
    this.refuseUnlessPermitted(caller, feature.scope);
    const before = feature.stored(changed.before ?? {}) as Fields;
    const record = await feature.find(caller, { id, propertyId }, before);
    if (!record) throw new ChangedSince([]);
    const others = Object.keys(before).filter(
      (name) => !isSameValue((record as unknown as Fields)[name], changed.after?.[name]),
    );
    if (others.length > 0) throw new ChangedSince(others);
    return await feature.write(caller, record, before, event);
  }

  private refuseUnlessPermitted(caller: RequestCaller, scope: string | undefined): void {
    if (scope && !may(caller, scope)) throw lacksPermission(scope);
  }

  /** @param otherwise the sentence where nobody is found who changed it. */
  private async changedSince(
    caller: RequestCaller,
    change: RecordedChange,
    names: readonly string[],
    otherwise = 'It has changed since.',
  ): Promise<string> {
    const last = await this.changes.changedSince(caller, change, names);
    if (!last) return otherwise;
    const named = last.fields.join(', ');
    const what = last.fields.length > 1 ? `fields ${named} were` : named ? `field ${named} was` : 'record was';
    return `The ${what} changed since, by ${last.actorId ?? 'the service'} at ${last.at}.`.slice(0, 500);
  }
}

/** What followed from another change is left to the undo of that change. */
export const isPermanent = ({ isReveal, kept }: RecordedChange): boolean =>
  isReveal || !kept || (!kept.step && !kept.follows && !staysBehind(kept.type));

const staysBehind = (type: string): boolean => {
  const undo = eventTypes().get(type)?.undo;
  return typeof undo === 'object' && 'remains' in undo;
};

/**
 * The operation has locked the record, which must be as the change left it, or already as the undo sets it.
 *
 * @throws ChangedSince
 */
function refuseOther({ before, after }: Images, input: Fields, happened: readonly Happening[]): void {
  if (happened.length === 0) throw new ChangedSince([]);
  if (!before || !after) return;
  const found = Object.assign({}, ...happened.toReversed().map(({ changed }) => changed.before)) as Fields;
  const others = Object.keys(before).filter(
    (name) => name in input && name in found && !isSameValue(found[name], after[name]),
  );
  if (others.length > 0) throw new ChangedSince(others);
}
