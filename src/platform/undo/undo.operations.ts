import { one, operation } from '#operations';
import { notUndoable, requestIdAmbiguous, tooManyChanges } from './undo.errors.js';
import { UndoChanges, UndoneChangesView } from './undo.dto.js';

export const undoChanges = operation({
  name: 'undoChanges',
  route: 'POST /changes/undo',
  scope: 'changes:undo',
  effect: 'write',
  reach: 'property',
  title: 'Undo changes',
  description:
    'Undoes one of your requests, changes by their audit entries, or what an application did since a time: all of it, or nothing with the reasons. Needs the permissions of what it undoes.',
  askedAs: 'take back, revert, roll back, that was a mistake',
  input: UndoChanges,
  output: one(UndoneChangesView),
  refuses: [notUndoable, requestIdAmbiguous, tooManyChanges],
});
