import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { ExternalRef } from '../references/external-ref.dto.js';
import type { UnitTypeView } from './unit-type.dto.js';

/** A kind of unit that is sold before a unit is chosen: a double room, a studio. */
@Entity('unit_types')
export class UnitType implements UnitTypeView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('unittype') }) id: string;
  @Column('uuid', { transformer: idColumn('property') }) propertyId: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) code: string | null;
  @Column('integer', { nullable: true }) capacity: number | null;
  @Column('text', { nullable: true }) bedConfiguration: string | null;
  @Column('text', { array: true }) tags: string[];
  @Column('integer') sortOrder: number;
  @Column('jsonb') externalRefs: ExternalRef[];
  @Column('timestamptz', { nullable: true }) archivedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  /** Counted when it is shown. */
  unitCount = 0;
}
