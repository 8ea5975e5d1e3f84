import { Id, Int, OneOf, Text } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { type TranslationStatus, translationStatuses } from './translation.dto.js';

/** Which text of a guide it is about, without its words, which may be for staff alone. */
export class TranslationEventData {
  @Id('guide', { about: 'The guide.' }) id: string;
  @Id('property', { about: 'The property that the guide is about, if it is one alone.', nullable: true })
  propertyId: string | null;
  @Id('translation', { about: 'The translation.' }) translationId: string;
  @Text({ about: 'The language that it is in.', max: 35 }) locale: string;
  @Text({ about: 'Which text of the guide it translates.', max: 100 }) textKey: string;
  @OneOf(translationStatuses, { about: 'What it is now.' }) status: TranslationStatus;
}

const translation = { subject: 'guide', scope: 'guides:read' as const, data: TranslationEventData };

export const translationEdited = event('translation.edited', {
  ...translation,
  says: 'A person wrote a text of a guide in one of its languages.',
});
export const translationApproved = event('translation.approved', {
  ...translation,
  says: 'A person found a translation right.',
});

export class GuideTranslatedData {
  @Id('guide', { about: 'The guide.' }) id: string;
  @Id('property', { about: 'The property that the guide is about, if it is one alone.', nullable: true })
  propertyId: string | null;
  @Text({ about: 'The language.', max: 35 }) locale: string;
  @Int({ about: 'How many texts a model has translated.', min: 0, max: 600 }) translated: number;
  @Int({ about: 'How many it has damaged, so that they were not taken.', min: 0, max: 600 }) failed: number;
}

export const guideTranslated = event('guide.translated', {
  subject: 'guide',
  scope: 'guides:read',
  data: GuideTranslatedData,
  tells: 'addition',
  says: 'A language model translated texts of a guide; nothing of it is live yet.',
});
