import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { ExternalRef } from '../../tenancy/references/external-ref.dto.js';
import type { GuestView } from './guest.dto.js';

/** Of the view that also has the guests who were erased. */
@Entity('guest_changes')
export class GuestChange {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('guest') }) id: string;
  @Column('timestamptz', { nullable: true }) erasedAt: string | null;
  @Column('timestamptz') updatedAt: string;
}

@Entity('guests')
export class Guest implements GuestView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('guest') }) id: string;
  @Column('text') name: string;
  @Column('text', { nullable: true }) email: string | null;
  @Column('text', { nullable: true }) phone: string | null;
  @Column('text', { nullable: true }) locale: string | null;
  @Column('text', { nullable: true }) notes: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('jsonb') externalRefs: ExternalRef[];
  /** Set in what remains of a guest who was merged into another one. */
  @Column('uuid', { nullable: true, transformer: idColumn('guest') }) mergedInto: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;
}
