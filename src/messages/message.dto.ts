import { Flag, Id, Int, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../libs/operations/paging.js';

export const messageStatuses = ['queued', 'sending', 'sent', 'failed', 'suppressed', 'unknown'] as const;
export type MessageStatus = (typeof messageStatuses)[number];

export class ThisMessage {
  @Id('message', { about: 'The message.' }) messageId: string;
}

export class ListMessages extends PageOf(['createdAt', 'updatedAt']) {
  @Id('guest', { about: 'Only messages to this guest.', optional: true }) guestId?: string;
  @Id('reservation', { about: 'Only messages about this stay.', optional: true }) reservationId?: string;
  @Id('template', { about: 'Only messages made from this template.', optional: true }) templateId?: string;
  @OneOf(messageStatuses, { about: 'Only messages of this status.', optional: true }) status?: MessageStatus;
  @Timestamp({ about: 'Only messages that changed at this time or later.', optional: true }) updatedSince?: string;
}

/** A line of the log: who got what and what became of it. What it said is not kept once it is sent. */
export class MessageView {
  @Id('message', { about: 'The message.' }) id: string;
  @Id('guest', { about: 'The guest it is to; none once the guest is erased.', nullable: true }) guestId: string | null;
  @Id('member', { about: 'The member it is to.', nullable: true }) memberId: string | null;
  @Id('reservation', { about: 'The stay it is about.', nullable: true }) reservationId: string | null;
  @Id('property', { about: 'Where that stay is.', nullable: true }) propertyId: string | null;
  @Id('template', { about: 'What it was made from.' }) templateId: string;
  @Int({ about: 'Which version of the template.', min: 1, max: 2_147_483_647 }) templateVersion: number;
  @Flag({ about: 'Whether it advertises, so that people may ask not to get it.' }) marketing: boolean;
  @Flag({ about: 'Whether it only shows how a template looks.' }) test: boolean;
  @OneOf(messageStatuses, {
    about: 'What became of it; unknown when the service or the line broke while it was handed over: it is not resent.',
  })
  status: MessageStatus;
  @Text({ about: 'Why it was not sent.', max: 500, nullable: true }) reason: string | null;
  @Timestamp({ about: 'When the mail server took it.', nullable: true }) sentAt: string | null;
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was queued.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
