import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { CleaningStatus } from '../properties/property.dto.js';
import { type Blocker, type Readiness, reasonsOf } from '../readiness/readiness.dto.js';
import type { ExternalRef } from '../references/external-ref.dto.js';
import type { UnitView } from './unit.dto.js';

/** A part of a property that is rented separately: a room, an apartment of a house. */
@Entity('units')
export class Unit implements UnitView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('unit') }) id: string;
  @Column('uuid', { transformer: idColumn('property') }) propertyId: string;
  @Column('uuid', { nullable: true, transformer: idColumn('unittype') }) unitTypeId: string | null;
  @Column('text') name: string;
  @Column('text', { nullable: true }) floor: string | null;
  @Column('integer') sortOrder: number;
  @Column('uuid', { array: true, transformer: idColumn('unit') }) connectsTo: string[];
  @Column('integer', { nullable: true }) capacity: number | null;
  @Column('text') cleaningStatus: CleaningStatus;
  /** Flags of the guests, which count until then. */
  @Column('timestamptz', { nullable: true }) doNotDisturbUntil: string | null;
  @Column('timestamptz', { nullable: true }) makeUpRoomUntil: string | null;
  @Column('text', { array: true }) tags: string[];
  @Column('jsonb') metadata: Record<string, string>;
  @Column('jsonb') externalRefs: ExternalRef[];
  @Column('timestamptz', { nullable: true }) archivedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  get doNotDisturb(): boolean {
    return isToCome(this.doNotDisturbUntil);
  }

  get makeUpRoom(): boolean {
    return isToCome(this.makeUpRoomUntil);
  }

  /** What else keeps guests from being let in, noted before it is shown. */
  blockers: readonly Blocker[] = [];

  get notReadyBecause(): Blocker[] {
    return reasonsOf(this);
  }

  get readiness(): Readiness {
    return this.notReadyBecause.length === 0 ? 'ready' : 'not_ready';
  }
}

const isToCome = (moment: string | null): boolean => moment !== null && Date.parse(moment) > Date.now();

export function newUnit(orgId: string, given: Partial<Unit> & Pick<Unit, 'propertyId' | 'name'>): Unit {
  const now = new Date().toISOString();
  return Object.assign(new Unit(), {
    unitTypeId: null,
    floor: null,
    sortOrder: 0,
    connectsTo: [],
    capacity: null,
    cleaningStatus: 'clean' as const,
    doNotDisturbUntil: null,
    makeUpRoomUntil: null,
    tags: [],
    metadata: {},
    externalRefs: [],
    ...given,
    orgId,
    id: newId('unit'),
    archivedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
