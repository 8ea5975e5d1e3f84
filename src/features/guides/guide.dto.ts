import {
  Flag,
  Id,
  Int,
  IntersectionType,
  ListOf,
  ListOfObjects,
  Metadata,
  MetadataChange,
  OneOf,
  PageOf,
  PartialType,
  Pattern,
  Text,
  Timestamp,
} from '#operations';
import { Section, SectionView } from './guide-content.dto.js';

export const guideStatuses = ['draft', 'published', 'archived'] as const;
export type GuideStatus = (typeof guideStatuses)[number];

const slugRule = {
  pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
  max: 100,
  message: 'Pass a-z and 0-9 with single hyphens between them, such as lake-house.',
};

class GuideFields {
  @Text({ description: 'Name of the guide.', max: 200, example: 'Welcome to Casa Azul' })
  name: string;

  @Text({ description: 'Language that the guide is written in (BCP 47).', max: 35, example: 'en' })
  sourceLocale: string;

  @ListOf({ text: 35 }, { description: 'Languages to translate the guide into (BCP 47).', max: 30, optional: true })
  locales?: string[];

  @Pattern({
    description: 'Last part of the public address; by default made from the name. Fixed after the first publication.',
    optional: true,
    ...slugRule,
  })
  slug?: string;

  @ListOf(
    { id: 'property' },
    {
      description: 'Properties of the guide (property_…), from listProperties; omitted or null: all that you can see.',
      optional: true,
      nullable: true,
      min: 1,
      max: 1_000,
    },
  )
  propertyIds?: string[] | null;

  @ListOfObjects(() => Section, {
    description: 'Sections in order; replaces the existing list.',
    max: 40,
    optional: true,
    example: [
      { title: 'Welcome', blocks: [{ kind: 'text', text: 'Breakfast is served in the garden of {{property.name}}.' }] },
    ],
  })
  sections?: Section[];

  @Metadata({ description: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;
}

export class SaveGuide extends GuideFields {}

export class ThisGuide {
  @Id('guide', { description: 'Guide id (guide_…), from listGuides.' }) guideId: string;
}

export class UpdateGuide extends IntersectionType(ThisGuide, PartialType(GuideFields)) {
  @MetadataChange({ description: 'Keys to set; null removes.', optional: true })
  override metadata?: Record<string, string>;
}

export class PublishGuide extends ThisGuide {
  @Flag({
    description: 'Publish although translations are missing; those texts appear in the original language.',
    optional: true,
  })
  force?: boolean;
}

export class ListGuides extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @OneOf(guideStatuses, {
    description: 'Only guides with this status; default: all except archived ones.',
    optional: true,
  })
  status?: GuideStatus;

  @Id('property', { description: 'Only guides of this property (property_…), from listProperties.', optional: true })
  propertyId?: string;

  @Text({ description: 'Only the guide with this address.', max: 100, optional: true }) slug?: string;

  @Timestamp({ description: 'Only guides changed at or after this time, including archived ones.', optional: true })
  updatedSince?: string;
}

export class GuideView {
  @Id('guide', { description: 'Guide id (guide_…).' }) id: string;
  @Text({ description: 'Name of the guide.', max: 200 }) name: string;
  @OneOf(guideStatuses, { description: 'draft, published (a version is live) or archived.' }) status: GuideStatus;
  @Text({ description: 'Last part of the public address.', max: 100 }) slug: string;
  @Text({ description: 'Public address of the published version.', max: 500 }) url: string;
  @ListOf(
    { id: 'property' },
    { description: 'Properties of the guide (property_…); null for all.', max: 1_000, nullable: true },
  )
  propertyIds: string[] | null;
  @Text({ description: 'Language that the guide is written in (BCP 47).', max: 35 }) sourceLocale: string;
  @ListOf({ text: 35 }, { description: 'Languages of the translations (BCP 47).', max: 31 }) locales: string[];
  @ListOfObjects(() => SectionView, { description: 'Sections in order.', max: 40 }) sections: SectionView[];
  @Flag({ description: 'Whether the guide has changed since the last publication.' }) hasUnpublishedChanges: boolean;
  @Timestamp({ description: 'When the guide was last published.', nullable: true }) publishedAt: string | null;
  @Timestamp({ description: 'When the guide was archived.', nullable: true }) archivedAt: string | null;
  @Metadata({ description: 'Your own keys and values.' }) metadata: Record<string, string>;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the guide was created.' }) createdAt: string;
  @Timestamp({ description: 'When the guide was last changed.' }) updatedAt: string;
}
