import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, remains, undoneBy } from '../../platform/events/undo.js';
import { type MessageStatus, MessageView } from './message.dto.js';
import { SuppressionView } from './suppression.dto.js';

const letter = remains('The email was sent, or is about to be.');

const message = { subject: 'message', scope: 'messages:read' as const, data: MessageView };

export const messageQueued = event('message.queued', {
  ...message,
  kind: 'opening',
  description: 'A message was queued.',
  undo: letter,
});

/** The final states of a message. */
export const messageBecame = {
  sent: event('message.sent', { ...message, description: 'The mail server accepted a message.', undo: letter }),
  failed: event('message.failed', { ...message, description: 'A message could not be sent.', undo: letter }),
  suppressed: event('message.suppressed', {
    ...message,
    description: 'A message was not sent because its address is suppressed.',
    undo: letter,
  }),
  unknown: event('message.outcome_lost', {
    ...message,
    description: 'The outcome of a message is unknown; it may have arrived and is not sent again.',
    undo: letter,
  }),
} satisfies Partial<Record<MessageStatus, unknown>>;

export type MessageEnd = keyof typeof messageBecame;

const suppression = { subject: 'suppression', scope: 'messages:read' as const, data: SuppressionView };

export const suppressionAdded = event('suppression.added', {
  ...suppression,
  kind: 'opening',
  description: 'An address was suppressed, for all messages or for marketing.',
  undo: undoneBy('removeSuppression', ({ id }) => ({ suppressionId: id })),
});
export const suppressionRemoved = event('suppression.removed', {
  ...suppression,
  kind: 'ending',
  description: 'The suppression of an address was removed.',
  undo: cannotBeUndone('Add the address again with addSuppression.'),
});
