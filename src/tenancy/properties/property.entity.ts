import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import { type Blocker, type Readiness, reasonsOf } from '../readiness/readiness.dto.js';
import type { ExternalRef } from '../references/external-ref.dto.js';
import type { Address, CleaningStatus, Geo, PropertyType, PropertyView } from './property.dto.js';
import type { AutomaticTask } from './work.dto.js';

@Entity('properties')
export class Property implements PropertyView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('property') }) id: string;
  @Column('text') name: string;
  @Column('text') timezone: string;
  @Column('text') type: PropertyType;
  @Column('jsonb', { nullable: true }) address: Address | null;
  @Column('jsonb', { nullable: true }) geo: Geo | null;
  @Column('text') checkInTime: string;
  @Column('text') checkOutTime: string;
  @Column('integer', { nullable: true }) capacity: number | null;
  /** Sealed; only revealWifi opens it. */
  @Column('bytea', { nullable: true }) wifi: Buffer | null;
  @Column('jsonb') automaticTasks: AutomaticTask[];
  @Column('text') cleaningStatus: CleaningStatus;
  @Column('boolean') roomStatusFollowsWork: boolean;
  @Column('text', { array: true }) tags: string[];
  @Column('jsonb') metadata: Record<string, string>;
  @Column('jsonb') externalRefs: ExternalRef[];
  /** The unguessable part of the calendar's address: sealed to be shown again, hashed to be found by. */
  @Column('bytea') feedToken: Buffer;
  @Column('bytea') feedHash: Buffer;
  @Column('timestamptz', { nullable: true }) archivedAt: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  get hasWifi(): boolean {
    return this.wifi !== null;
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
