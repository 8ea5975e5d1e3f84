import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import type { SectionView } from './guide-content.dto.js';
import type { GuideStatus, GuideView } from './guide.dto.js';

@Entity('guides')
export class Guide implements GuideView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('guide') }) id: string;
  @Column('text') name: string;
  @Column('text') status: GuideStatus;
  @Column('text') slug: string;
  @Column('uuid', { array: true, nullable: true, transformer: idColumn('property') }) propertyIds: string[] | null;
  @Column('text') sourceLocale: string;
  @Column('text', { array: true }) locales: string[];
  @Column('jsonb') sections: SectionView[];
  @Column('boolean') hasUnpublishedChanges: boolean;
  @Column('timestamptz', { nullable: true }) publishedAt: string | null;
  @Column('timestamptz', { nullable: true }) archivedAt: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  /** Derived from the slug when the guide is returned. */
  url = '';

  /** The languages to translate it into. */
  get targetLocales(): string[] {
    return this.locales.filter((locale) => locale !== this.sourceLocale);
  }
}

type Given = Pick<Guide, 'name' | 'slug' | 'propertyIds' | 'sourceLocale' | 'locales' | 'sections' | 'metadata'>;

export function newGuide(orgId: string, given: Given): Guide {
  const now = new Date().toISOString();
  return Object.assign(new Guide(), {
    ...given,
    orgId,
    id: newId('guide'),
    status: 'draft' as const,
    hasUnpublishedChanges: true,
    publishedAt: null,
    archivedAt: null,
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
