import { Flag, Id, Int, OneOf, PageOf, Text, Timestamp } from '#operations';

export const messageStatuses = ['queued', 'sending', 'sent', 'failed', 'suppressed', 'unknown'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export class ThisMessage {
  @Id('message', { description: 'Message id (message_…), from listMessages.' }) messageId: string;
}

export class ListMessages extends PageOf(['createdAt', 'updatedAt']) {
  @Id('guest', { description: 'Only messages to this guest (guest_…), from listGuests.', optional: true })
  guestId?: string;
  @Id('reservation', {
    description: 'Only messages about this stay (reservation_…), from listReservations.',
    optional: true,
  })
  reservationId?: string;
  @Id('template', {
    description: 'Only messages from this template (template_…), from listEmailTemplates.',
    optional: true,
  })
  templateId?: string;
  @OneOf(messageStatuses, { description: 'Only messages with this status.', optional: true }) status?: MessageStatus;
  @Timestamp({ description: 'Only messages changed at or after this time.', optional: true })
  updatedSince?: string;
}

/** A log entry: the recipient and the outcome. The content is deleted once the message is sent. */
export class MessageView {
  @Id('message', { description: 'Message id (message_…).' }) id: string;
  @Id('guest', { description: 'Recipient, if a guest (guest_…); null after the guest is erased.', nullable: true })
  guestId: string | null;
  @Id('member', { description: 'Recipient, if a member (member_…).', nullable: true }) memberId: string | null;
  @Id('reservation', { description: 'Stay that the message is about (reservation_…).', nullable: true }) reservationId:
    | string
    | null;
  @Id('property', { description: 'Property of that stay (property_…).', nullable: true }) propertyId: string | null;
  @Id('template', { description: 'Template of the message (template_…).' }) templateId: string;
  @Int({ description: 'Version of the template.', min: 1, max: 2_147_483_647 }) templateVersion: number;
  @Flag({ description: 'Whether this is marketing, which people can unsubscribe from.' }) marketing: boolean;
  @Flag({ description: 'Whether this is a test message.' }) test: boolean;
  @OneOf(messageStatuses, {
    description:
      'Delivery status; unknown: the connection to the mail server broke during the handover, and the message is not sent again.',
  })
  status: MessageStatus;
  @Text({ description: 'Why the message was not sent.', max: 500, nullable: true }) reason: string | null;
  @Timestamp({ description: 'When the mail server accepted the message.', nullable: true }) sentAt: string | null;
  @Int({ description: 'Version, increased by every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ description: 'When the message was queued.' }) createdAt: string;
  @Timestamp({ description: 'When the message was last changed.' }) updatedAt: string;
}
