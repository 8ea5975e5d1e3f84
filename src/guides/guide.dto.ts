import { IntersectionType, PartialType } from '@nestjs/swagger';
import { Flag, Id, Int, ListOf, ListOfObjects, Metadata, OneOf, Pattern, Text, Timestamp } from '#operations';
import { PageOf } from '../../libs/operations/paging.js';

export const guideStatuses = ['draft', 'published', 'archived'] as const;
export type GuideStatus = (typeof guideStatuses)[number];

export const audiences = ['guest', 'staff'] as const;
export type Audience = (typeof audiences)[number];

export const blockKinds = ['text', 'steps', 'link', 'fact'] as const;
export type BlockKind = (typeof blockKinds)[number];

export class Block {
  @Text({ about: 'The block; give it to keep its translations, leave it out for a new one.', max: 64, optional: true })
  id?: string;

  @OneOf(blockKinds, {
    about: 'text: a paragraph. steps: things to do in order. link: text and url. fact: text and value.',
  })
  kind: BlockKind;

  @Text({
    about: 'The words: the paragraph, what the link is called, what the fact is about. {{property.name}} is filled in.',
    max: 5_000,
    optional: true,
    example: 'Breakfast is served in the garden.',
  })
  text?: string;

  @ListOf({ text: 1_000 }, { about: 'The steps, in order; only of kind steps.', max: 50, optional: true })
  steps?: string[];

  @Text({ about: 'Where the link leads: https, http, mailto or tel; only of kind link.', max: 2_000, optional: true })
  url?: string;

  @Text({
    about: 'What is never translated, such as a code or a password; only of kind fact.',
    max: 500,
    optional: true,
  })
  value?: string;
}

export class Section {
  @Text({
    about: 'The section; give it to keep its translations, leave it out for a new one.',
    max: 64,
    optional: true,
  })
  id?: string;

  @Text({ about: 'What it is about.', max: 200, example: 'Welcome' })
  title: string;

  @OneOf(audiences, { about: 'guest: on the public page. staff: never there. guest when left out.', optional: true })
  audience?: Audience;

  @ListOfObjects(() => Block, { about: 'What it says.', max: 50, min: 1 })
  blocks: Block[];
}

const slugRule = {
  pattern: /^[a-z0-9]+(-[a-z0-9]+)*$/,
  max: 100,
  says: 'Give a-z and 0-9 with single hyphens between them, such as lake-house.',
};

class GuideFields {
  @Text({ about: 'What the guide is called.', max: 200, example: 'Welcome to Casa Azul' })
  name: string;

  @Text({ about: 'The language that it is written in (BCP 47).', max: 35, example: 'en' })
  sourceLocale: string;

  @ListOf({ text: 35 }, { about: 'The languages it is to be read in (BCP 47).', max: 30, optional: true })
  locales?: string[];

  @Pattern({
    about: 'The last part of its public address; made from the name when left out, fixed once it was published.',
    optional: true,
    ...slugRule,
  })
  slug?: string;

  @ListOf(
    { id: 'property' },
    {
      about: 'The properties it is about; all that you see when left out or null.',
      optional: true,
      nullable: true,
      min: 1,
      max: 1_000,
    },
  )
  propertyIds?: string[] | null;

  @ListOfObjects(() => Section, {
    about: 'What it says; a list that is given replaces the one there.',
    max: 40,
    optional: true,
    example: [
      { title: 'Welcome', blocks: [{ kind: 'text', text: 'Breakfast is served in the garden of {{property.name}}.' }] },
    ],
  })
  sections?: Section[];

  @Metadata({ about: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;
}

export class SaveGuide extends GuideFields {}

export class ThisGuide {
  @Id('guide', { about: 'The guide.' }) guideId: string;
}

export class UpdateGuide extends IntersectionType(ThisGuide, PartialType(GuideFields, { skipNullProperties: false })) {}

export class PublishGuide extends ThisGuide {
  @Flag({ about: 'Publish although translations are missing; those texts are shown as written.', optional: true })
  force?: boolean;
}

export class ListGuides extends PageOf(['createdAt', 'updatedAt', 'name']) {
  @OneOf(guideStatuses, { about: 'Only guides of this status; all but archived ones when left out.', optional: true })
  status?: GuideStatus;

  @Id('property', { about: 'Only guides about this property.', optional: true })
  propertyId?: string;

  @Timestamp({ about: 'Only guides that changed at this time or later, archived ones included.', optional: true })
  updatedSince?: string;
}

export class BlockView {
  @Text({ about: 'The block.', max: 64 }) id: string;
  @OneOf(blockKinds, { about: 'What it is.' }) kind: BlockKind;
  @Text({ about: 'The words.', max: 5_000, optional: true }) text?: string;
  @ListOf({ text: 1_000 }, { about: 'The steps.', max: 50, optional: true }) steps?: string[];
  @Text({ about: 'Where the link leads.', max: 2_000, optional: true }) url?: string;
  @Text({ about: 'What is never translated.', max: 500, optional: true }) value?: string;
}

export class SectionView {
  @Text({ about: 'The section.', max: 64 }) id: string;
  @Text({ about: 'What it is about.', max: 200 }) title: string;
  @OneOf(audiences, { about: 'Who reads it.' }) audience: Audience;
  @ListOfObjects(() => BlockView, { about: 'What it says.', max: 50 }) blocks: BlockView[];
}

export class GuideView {
  @Id('guide', { about: 'The guide.' }) id: string;
  @Text({ about: 'What it is called.', max: 200 }) name: string;
  @OneOf(guideStatuses, { about: 'draft, published (some version is live) or archived.' }) status: GuideStatus;
  @Text({ about: 'The last part of its public address.', max: 100 }) slug: string;
  @Text({ about: 'Its public address, where guests read what is published.', max: 500 }) url: string;
  @ListOf({ id: 'property' }, { about: 'The properties it is about.', max: 1_000, nullable: true })
  propertyIds: string[] | null;
  @Text({ about: 'The language that it is written in.', max: 35 }) sourceLocale: string;
  @ListOf({ text: 35 }, { about: 'The languages it is to be read in.', max: 31 }) locales: string[];
  @ListOfObjects(() => SectionView, { about: 'What it says.', max: 40 }) sections: SectionView[];
  @Flag({ about: 'Whether something changed since it was published last.' }) hasUnpublishedChanges: boolean;
  @Timestamp({ about: 'When it was published last.', nullable: true }) publishedAt: string | null;
  @Timestamp({ about: 'When it was archived.', nullable: true }) archivedAt: string | null;
  @Metadata({ about: 'Your own keys and values.' }) metadata: Record<string, string>;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was saved first.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
