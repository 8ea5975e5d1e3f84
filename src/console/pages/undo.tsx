import type { AuditEntryView } from '../../platform/audit/audit-entry.dto.js';
import type { UndoneChangesView } from '../../platform/undo/undo.dto.js';
import { undoChanges } from '../../platform/undo/undo.operations.js';
import { type ConsoleForm, form } from '../frame/console-page.js';
import { Act } from '../parts/act.js';
import { humanized, inWords } from '../parts/words.js';

export const undoForm: ConsoleForm = form(undoChanges, '', {
  isSensitive: true,
  outcome: outcomeOf,
  refusal: reasonsOf,
});

const undoneForMs = 7 * 24 * 60 * 60_000;

/**
 * Whether it may still be undone; only the undo itself finds out whether it can. What no request changed has nothing to
 * restore, and a decision about an approval stays.
 */
export const isOpenToUndo = ({ before, after, createdAt, logId, target }: AuditEntryView): boolean =>
  logId !== undefined &&
  target.type !== 'approval' &&
  Object.keys({ ...before, ...after }).length > 0 &&
  Date.parse(createdAt) > Date.now() - undoneForMs;

/** Undoes a request as a whole: its changes, and what followed from them. */
export const UndoRequest = ({ logId, label, of }: { logId: string; label: string; of?: string }) => (
  <Act
    does={undoChanges}
    to={{ requestId: logId }}
    label={label}
    of={of}
    ask="Undoes everything that this request changed."
  />
);

/** Undoes one change of a request and leaves the others. */
export const UndoOne = ({ id, target }: AuditEntryView) => (
  <Act
    does={undoChanges}
    to={{ auditEntryIds: id }}
    label="Undo only this"
    of={humanized(target.type)}
    ask="Restores the previous values of this record, and leaves the other changes of the request."
  />
);

function outcomeOf(data: object): string {
  const { undone, notUndoable } = data as UndoneChangesView;
  const counts = Map.groupBy(undone, ({ target }) => inWords(target.type));
  const what = [...counts].map(([kind, { length }]) => (length > 1 ? `${kind} (${length})` : kind)).join(', ');
  // Events and letters that went out are not changes, so their undo has not failed.
  const left = notUndoable.map(({ auditEntryId, target, reason }) =>
    auditEntryId === null ? reason : `Not undone: ${inWords(target.type)}. ${reason}`,
  );
  return [`Undone: ${what}.`, ...left].join(' ');
}

function reasonsOf(details: object): string | undefined {
  const { entries } = details as { entries?: readonly { reason: string }[] };
  return entries && `Nothing was undone. ${[...new Set(entries.map(({ reason }) => reason))].join(' ')}`;
}
