import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn } from '#persistence';
import type { Origin, TranslationStatus, TranslationView } from './translation.dto.js';

/** A text of a guide in one of its languages; there is a row for each, translated or not. */
@Entity('guide_translations')
export class Translation implements TranslationView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('translation') }) id: string;
  @Column('uuid', { transformer: idColumn('guide') }) guideId: string;
  @Column('text') locale: string;
  @Column('text') textKey: string;
  @Column('text') sourceHash: string;
  @Column('text') status: TranslationStatus;
  @Column('text', { nullable: true }) text: string | null;
  @Column('text', { nullable: true }) origin: Origin | null;
  @Column('text', { nullable: true }) problem: string | null;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  /** The guide's own text, added when the translation is returned. */
  sourceText = '';
}
