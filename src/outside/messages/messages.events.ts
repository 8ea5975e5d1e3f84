import { event } from '../../platform/events/event-type.js';
import { type MessageStatus, MessageView } from '../../messages/message.dto.js';
import { SuppressionView } from '../../messages/suppression.dto.js';

const message = { subject: 'message', scope: 'messages:read' as const, data: MessageView };

export const messageQueued = event('message.queued', {
  ...message,
  tells: 'opening',
  says: 'A message is to be sent.',
});

/** How a message ends. */
export const messageBecame = {
  sent: event('message.sent', { ...message, says: 'The mail server took a message.' }),
  failed: event('message.failed', { ...message, says: 'A message could not be sent.' }),
  suppressed: event('message.suppressed', { ...message, says: 'A message was kept from a suppressed address.' }),
  unknown: event('message.outcome_lost', {
    ...message,
    says: 'The service or the line broke while a message was handed over; it may have arrived and is not sent again.',
  }),
} satisfies Partial<Record<MessageStatus, unknown>>;

export type MessageEnd = keyof typeof messageBecame;

const suppression = { subject: 'suppression', scope: 'messages:read' as const, data: SuppressionView };

export const suppressionAdded = event('suppression.added', {
  ...suppression,
  tells: 'opening',
  says: 'An address gets no messages any more, or no marketing.',
});
export const suppressionRemoved = event('suppression.removed', {
  ...suppression,
  tells: 'ending',
  says: 'An address gets messages again.',
});
