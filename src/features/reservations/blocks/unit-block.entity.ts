import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { CleaningStatus } from '../../../tenancy/properties/property.dto.js';
import type { BlockKind, UnitBlockView } from './unit-block.dto.js';

/** Nights on which a unit, or a whole property, is not for guests. */
@Entity('unit_blocks')
export class UnitBlock implements UnitBlockView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('block') }) id: string;
  @Column('uuid', { transformer: idColumn('property') }) propertyId: string;
  @Column('uuid', { nullable: true, transformer: idColumn('unit') }) unitId: string | null;
  @Column('date', { name: 'from_date' }) from: string;
  @Column('date', { name: 'until_date', nullable: true }) until: string | null;
  @Column('text') kind: BlockKind;
  @Column('text', { nullable: true }) reason: string | null;
  @Column('text') returnStatus: CleaningStatus;
  @Column('uuid', { nullable: true, transformer: idColumn('task') }) taskId: string | null;
  @Column('timestamptz', { nullable: true }) endedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
