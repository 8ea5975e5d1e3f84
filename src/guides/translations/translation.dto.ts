import { IntersectionType } from '@nestjs/swagger';
import { Id, Int, ListOf, OneOf, Text, Timestamp } from '#operations';
import { PageOf } from '../../../libs/operations/paging.js';
import { ThisGuide } from '../guide.dto.js';

export const translationStatuses = ['missing', 'pending', 'machine', 'edited', 'approved', 'stale', 'failed'] as const;
export type TranslationStatus = (typeof translationStatuses)[number];

export const origins = ['machine', 'person'] as const;
export type Origin = (typeof origins)[number];

export class ListTranslations extends IntersectionType(ThisGuide, PageOf(['createdAt'])) {
  @Text({ about: 'Only this language.', max: 35, optional: true })
  locale?: string;

  @OneOf(translationStatuses, { about: 'Only translations of this status.', optional: true })
  status?: TranslationStatus;
}

export class ThisTranslation extends ThisGuide {
  @Id('translation', { about: 'The translation.' }) translationId: string;
}

export class EditTranslation extends ThisTranslation {
  @Text({ about: 'The text in that language.', max: 10_000 })
  text: string;
}

export class InitializeTranslations extends ThisGuide {
  @Text({ about: 'The language to translate into (BCP 47).', max: 35, example: 'pt' })
  locale: string;
}

export class RetranslateTexts extends InitializeTranslations {
  @ListOf({ text: 100 }, { about: 'Which texts, as listTranslations names them.', min: 1, max: 600, example: ['name'] })
  textKeys: string[];
}

export class TranslationView {
  @Id('translation', { about: 'The translation.' }) id: string;
  @Id('guide', { about: 'The guide.' }) guideId: string;
  @Text({ about: 'The language that it is in.', max: 35 }) locale: string;
  @Text({ about: 'Which text of the guide it translates.', max: 100 }) textKey: string;
  @Text({ about: 'That text as it is written now.', max: 10_000 }) sourceText: string;
  @Text({ about: 'The hash of the text that was translated.', max: 64 }) sourceHash: string;
  @OneOf(translationStatuses, {
    about: 'missing, pending (being made), machine, edited, approved, stale (of an earlier wording) or failed.',
  })
  status: TranslationStatus;
  @Text({ about: 'The translation.', max: 10_000, nullable: true }) text: string | null;
  @OneOf(origins, { about: 'Who wrote it last.', nullable: true }) origin: Origin | null;
  @Text({ about: 'Why the last machine translation was not taken.', max: 1_000, nullable: true }) problem:
    | string
    | null;
  @Int({ about: 'Rises with every change; send it as If-Match.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When the text was first seen.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
