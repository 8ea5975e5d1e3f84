import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { SuppressionCovers, SuppressionReason, SuppressionView } from './suppression.dto.js';

@Entity('suppressions')
export class Suppression implements SuppressionView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('suppression') }) id: string;
  @Column('bytea') addressHash: Buffer;
  @Column('text') covers: SuppressionCovers;
  @Column('text') reason: SuppressionReason;
  @Column('timestamptz') createdAt: string;
}
