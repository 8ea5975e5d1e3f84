import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { AccessCodeStatus, AccessCodeType, AccessCodeView, CodeFailure } from './access-code.dto.js';

@Entity('access_codes')
export class AccessCode implements AccessCodeView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('code') }) id: string;
  @Column('uuid', { transformer: idColumn('device') }) deviceId: string;
  /** The property of the device, with which it moves until it is removed. */
  @Column('uuid', { nullable: true, transformer: idColumn('property') }) propertyId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('reservation') }) reservationId: string | null;
  @Column('text') name: string;
  @Column('text') type: AccessCodeType;
  @Column('text') status: AccessCodeStatus;
  /** The digits, sealed for this row; only revealAccessCode shows them. */
  @Column('bytea') sealed: Buffer;
  @Column('timestamptz', { nullable: true }) startsAt: string | null;
  @Column('timestamptz', { nullable: true }) endsAt: string | null;
  @Column('text', { nullable: true }) failedBecause: CodeFailure | null;
  /** It ended with its stay, with which it comes back. */
  @Column('boolean') calledOff: boolean;
  @Column('text', { nullable: true }) providerRef: string | null;
  /** The provider was asked to set it, with unknown outcome: the service looks for it before it is set again. */
  @Column('boolean') asked: boolean;
  /** The provider has it with other digits, and it is removed before it is set again. */
  @Column('boolean') renewed: boolean;
  /** Increases with every attempt; the holder of an earlier attempt may not write any more. */
  @Column('integer') attempt: number;
  /** How often in a row it did not work out. */
  @Column('integer') failures: number;
  /** When the next work at the provider is due; null if there is no work. */
  @Column('timestamptz', { nullable: true }) dueAt: string | null;
  /** Until when somebody is at it. */
  @Column('timestamptz', { nullable: true }) leaseUntil: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  get code(): string {
    return '••••';
  }
}

/** Whether it occupies a slot of its device, now or later. */
export const isLive = ({ status }: Pick<AccessCodeView, 'status'>): boolean =>
  status !== 'removed' && status !== 'failed';
