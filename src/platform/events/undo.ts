import { isSameValue } from '#persistence';
import type { Fields, Images } from './images.js';

/** What undoes a change: another operation, with its input. */
interface ByOperation {
  readonly operation: string;
  readonly input: Fields;
  /** What stays anyway, as a letter that was sent does. */
  readonly leaves?: string;
}

/** What undoes a change: the feature writes the fields as they were (`PutBacks`), and records it as this event. */
interface ByPuttingBack {
  readonly event: string;
}

/** The change cannot be undone, and a request that made it cannot either. */
interface Never {
  readonly never: string;
}

/** The change stays, as a letter that was sent does; an undo of the others names it. */
interface Remains {
  readonly remains: string;
}

export type UndoStep = ByOperation | ByPuttingBack;
export type Undo = UndoStep | Never | Remains;

/** A change of a record: all its fields after and before it, and those that it set, with their values before. */
export interface UndoneChange {
  readonly after: Fields;
  readonly before: Fields;
  readonly set: Fields;
}

/** How the changes of an event type are undone. */
export type HowUndone = Never | Remains | UndoneAsChanged;
/** Depends on the fields that changed. */
export type UndoneAsChanged = (change: UndoneChange) => Undo;

export const cannotBeUndone = (never: string): Never => ({ never });
export const remains = (reason: string): Remains => ({ remains: reason });

/** Another operation undoes it. @param input from the record as it is after the change, and as it was. */
export const undoneBy =
  (operation: string, input: (after: Fields, before: Fields) => Fields): UndoneAsChanged =>
  ({ after, before }) => ({ operation, input: input(after, before) });

/** The operation that changes such records sets the fields back. @param ids the names of its ids, and of the record's. */
export const setBackBy =
  (operation: string, ids: Readonly<Record<string, string>>): UndoneAsChanged =>
  ({ after, before, set }) =>
    'externalRefs' in set
      ? referencesStay
      : {
          operation,
          input: {
            ...set,
            ...('metadata' in set && { metadata: merging(before.metadata as Fields, after.metadata as Fields) }),
            ...Object.fromEntries(Object.entries(ids).map(([name, field]) => [name, after[field]])),
          },
        };

/** The feature writes the fields as they were. @param event as which it is recorded, such as task.updated. */
export const putBack =
  (event: string): UndoneAsChanged =>
  ({ set }) =>
    'externalRefs' in set ? referencesStay : { event };

/** Another record may have the id by now, and the other system relies on it. */
const referencesStay = cannotBeUndone(
  'Ids in other systems are not changed. Set externalRefs with the operation that updates the record.',
);

/** What sets metadata back, as a change merges it (RFC 7396). */
const merging = (before: Fields, after: Fields): Fields => ({
  ...Object.fromEntries(Object.keys(after).map((key) => [key, null])),
  ...before,
});

export const isStep = (undo: Undo): undo is UndoStep => !('never' in undo) && !('remains' in undo);

/** Whether all that a request changed can be undone; what follows from its changes follows from their undo. */
export function isUndoable(changes: readonly { undo: Undo; follows: boolean }[]): boolean {
  const own = changes.filter(({ follows }) => !follows).map(({ undo }) => undo);
  return own.some(isStep) && own.every((undo) => !('never' in undo));
}

/** Each change has them, and the records differ in them after an undo too. */
const stamps = ['version', 'updatedAt'];

/** The fields of a record that differ, as it is stored and as its events show it; null for a new or a deleted one. */
export function differenceOf(stored: Images, shown: Images): Images {
  if (!stored.before || !stored.after) return { before: null, after: null };
  const [before, after]: [Fields, Fields] = [{}, {}];
  for (const name of new Set([...Object.keys(shown.after ?? {}), ...Object.keys(stored.after)])) {
    if (stamps.includes(name)) continue;
    const [old, now] = [valueIn(name, stored.before, shown.before), valueIn(name, stored.after, shown.after)];
    if (!isSameValue(old, now)) [before[name], after[name]] = [old, now];
  }
  return { before, after };
}

const valueIn = (name: string, stored: Fields, shown: Fields | null): unknown =>
  name in stored ? stored[name] : shown?.[name];
