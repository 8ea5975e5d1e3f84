import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { CallerSnapshot } from '../../platform/callers/caller-snapshot.js';
import type { ApprovalEventData, ApprovalStatus } from './approval.dto.js';

export interface AskingCaller extends CallerSnapshot {
  /** The person who made the key that asks. */
  readonly madeBy?: string;
}

@Entity('approvals')
export class Approval implements ApprovalEventData {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('approval') }) id: string;
  @Column('text') status: ApprovalStatus;
  /** Who asked: the API key, or the pair of application and person. */
  @Column('text') principal: string;
  @Column('text') fingerprint: string;
  @Column('text', { nullable: true }) idempotencyKey: string | null;
  /** Other keys with which the same request came while it waited: they stand for it too. */
  @Column('text', { array: true }) joinedKeys: string[];
  @Column('text') operation: string;
  @Column('text') summary: string;
  @Column('text', { nullable: true }) reason: string | null;
  /** Who asked, as they were then; what they may do is looked at again. */
  @Column('jsonb') caller: AskingCaller;
  @Column('uuid', { transformer: idColumn('member') }) requestedBy: string;
  /** The request, and the response to it once it is carried out: sealed, and removed a day after the end. */
  @Column('bytea', { nullable: true }) input: Buffer | null;
  @Column('bytea', { nullable: true }) response: Buffer | null;
  /** The properties that it would change something at. */
  @Column('uuid', { array: true, transformer: idColumn('property') }) propertyIds: string[];
  @Column('text') effectsHash: string;
  @Column('integer') effectsTotal: number;
  @Column('text', { nullable: true }) note: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('member') }) decidedBy: string | null;
  @Column('timestamptz', { nullable: true }) decidedAt: string | null;
  @Column('timestamptz', { nullable: true }) endedAt: string | null;
  @Column('timestamptz') expiresAt: string;
  @Column('integer') attempts: number;
  /** When it expires, is to be carried out, or its content is to be removed. */
  @Column('timestamptz', { nullable: true }) dueAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
