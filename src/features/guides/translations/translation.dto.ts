import {
  BulkError,
  Id,
  Int,
  IntersectionType,
  ListOf,
  ListOfObjects,
  ObjectOf,
  OneOf,
  PageOf,
  Text,
  Timestamp,
} from '#operations';
import { ThisGuide } from '../guide.dto.js';

export const translationStatuses = ['missing', 'pending', 'machine', 'edited', 'approved', 'stale', 'failed'] as const;
export type TranslationStatus = (typeof translationStatuses)[number];

export const origins = ['machine', 'person'] as const;
export type Origin = (typeof origins)[number];

export class ListTranslations extends IntersectionType(ThisGuide, PageOf(['createdAt'])) {
  @Text({ description: 'Only translations into this language (BCP 47).', max: 35, optional: true })
  locale?: string;

  @OneOf(translationStatuses, { description: 'Only translations with this status.', optional: true })
  status?: TranslationStatus;
}

export class ThisTranslation extends ThisGuide {
  @Id('translation', { description: 'Translation id (translation_…), from listTranslations.' }) translationId: string;
}

export class EditTranslation extends ThisTranslation {
  @Text({ description: 'Text in the target language.', max: 10_000 })
  text: string;
}

export class EditedText {
  @Text({ description: 'Translation id (translation_…), from listTranslations.', max: 100 }) translationId: string;
  @Text({ description: 'Text in the target language.', max: 10_000 }) text: string;
}

export class EditTranslations extends ThisGuide {
  @ListOfObjects(() => EditedText, { description: 'Texts, each of another translation.', min: 1, max: 200 })
  texts: EditedText[];
}

export class InitializeTranslations extends ThisGuide {
  @Text({ description: 'Target language (BCP 47).', max: 35, example: 'pt' })
  locale: string;
}

export class RetranslateTexts extends InitializeTranslations {
  @ListOf(
    { text: 100 },
    { description: 'Keys of the texts, from listTranslations.', min: 1, max: 600, example: ['name'] },
  )
  textKeys: string[];
}

export class TranslationView {
  @Id('translation', { description: 'Translation id (translation_…).' }) id: string;
  @Id('guide', { description: 'Guide id (guide_…).' }) guideId: string;
  @Text({ description: 'Target language (BCP 47).', max: 35 }) locale: string;
  @Text({ description: 'Key of the text in the guide.', max: 100 }) textKey: string;
  @Text({ description: 'Current original text.', max: 10_000 }) sourceText: string;
  @Text({ description: 'Hash of the original text that was translated.', max: 64 }) sourceHash: string;
  @OneOf(translationStatuses, {
    description: 'missing, pending (in progress), machine, edited, approved, stale (of an earlier original) or failed.',
  })
  status: TranslationStatus;
  @Text({ description: 'Translated text.', max: 10_000, nullable: true }) text: string | null;
  @OneOf(origins, { description: 'Who last wrote the text.', nullable: true }) origin: Origin | null;
  @Text({ description: 'Why the last machine translation was rejected.', max: 1_000, nullable: true }) problem:
    | string
    | null;
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the original text was first seen.' }) createdAt: string;
  @Timestamp({ description: 'When the translation was last changed.' }) updatedAt: string;
}

export class EditedTranslation {
  @Text({ description: 'Translation id, as given in the request.', max: 100 }) translationId: string;
  @ObjectOf(() => TranslationView, { description: 'The changed translation.', optional: true })
  translation?: TranslationView;
  @ObjectOf(() => BulkError, { description: 'Why the text was not changed.', optional: true }) error?: BulkError;
}
