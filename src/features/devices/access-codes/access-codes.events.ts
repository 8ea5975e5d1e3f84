import { event } from '../../../platform/events/event-type.js';
import { cannotBeUndone, remains, setBackBy, undoneBy, type HowUndone } from '../../../platform/events/undo.js';
import { AccessCodeEventData } from './access-code.dto.js';

const atDevice = remains('The device determines the status of its codes.');
const codeIsGone = cannotBeUndone('A removed code cannot be restored. Create a new one with createAccessCode.');
/** Devices forget digits and codes that were removed. */
const codeSetBack: HowUndone = (change) => {
  if ('sealed' in change.set)
    return cannotBeUndone('The previous digits are not restored. Pass them to updateAccessCode.');
  return 'status' in change.set ? codeIsGone : setBackBy('updateAccessCode', { accessCodeId: 'id' })(change);
};

const code = { subject: 'access_code', scope: 'access-codes:read' as const, data: AccessCodeEventData };

export const codeCreated = event('access_code.created', {
  ...code,
  kind: 'opening',
  description: 'An access code was created; it is set at the device one day before it becomes valid.',
  undo: undoneBy('removeAccessCode', ({ id }) => ({ accessCodeId: id })),
});
export const codeUpdated = event('access_code.updated', {
  ...code,
  description: 'An access code was changed, or its removal was requested.',
  undo: codeSetBack,
});
export const codeSet = event('access_code.set', {
  ...code,
  description: 'An access code was set at its device.',
  undo: atDevice,
});
export const codeFailed = event('access_code.failed', {
  ...code,
  description:
    'An access code failed for the reason in failedBecause; after connection_ended the device may still accept it.',
  undo: atDevice,
});
export const codeRemoved = event('access_code.removed', {
  ...code,
  description: 'An access code was removed and no longer opens the device.',
  undo: codeIsGone,
});
