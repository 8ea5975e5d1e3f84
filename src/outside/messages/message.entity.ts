import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { MessageStatus, MessageView } from './message.dto.js';

@Entity('messages')
export class Message implements MessageView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('message') }) id: string;
  /** The cause of the message. One cause sends one message, however often it is retried. */
  @Column('text') dedupeKey: string;
  @Column('uuid', { nullable: true, transformer: idColumn('guest') }) guestId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('member') }) memberId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('reservation') }) reservationId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  @Column('uuid', { transformer: idColumn('template') }) templateId: string;
  @Column('integer') templateVersion: number;
  @Column('boolean') marketing: boolean;
  @Column('boolean') test: boolean;
  @Column('text') status: MessageStatus;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('timestamptz', { nullable: true }) sentAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}

type Given = Pick<
  Message,
  | 'dedupeKey'
  | 'guestId'
  | 'memberId'
  | 'reservationId'
  | 'propertyId'
  | 'templateId'
  | 'templateVersion'
  | 'marketing'
  | 'test'
>;

export function newMessage(orgId: string, id: string, given: Given): Message {
  const now = new Date().toISOString();
  return Object.assign(new Message(), {
    ...given,
    orgId,
    id,
    status: 'queued' as const,
    reason: null,
    sentAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
