import { Id, Int, OneOf, Text } from '#operations';
import { event } from '../../../platform/events/event-type.js';
import { cannotBeUndone, type HowUndone } from '../../../platform/events/undo.js';
import { type TranslationStatus, translationStatuses } from './translation.dto.js';

/** Which text of a guide the event is about, without its content, which may be only for staff. */
export class TranslationEventData {
  @Id('guide', { description: 'Guide id (guide_…).' }) id: string;
  @Id('property', { description: 'Property of the guide (property_…), if it has exactly one.', nullable: true })
  propertyId: string | null;
  @Id('translation', { description: 'Translation id (translation_…).' }) translationId: string;
  @Text({ description: 'Target language (BCP 47).', max: 35 }) locale: string;
  @Text({ description: 'Key of the text in the guide.', max: 100 }) textKey: string;
  @OneOf(translationStatuses, { description: 'Status of the translation.' }) status: TranslationStatus;
}

/** The text that a person had written before is written again. */
const translatedBefore: HowUndone = ({ before: { id, translationId, status, text } }) =>
  status === 'edited' && text
    ? { operation: 'editTranslation', input: { guideId: id, translationId, text } }
    : cannotBeUndone('Write the text again with editTranslation.');

const translation = { subject: 'guide', scope: 'guides:read' as const, data: TranslationEventData };

export const translationEdited = event('translation.edited', {
  ...translation,
  description: 'A person wrote a translation.',
  undo: translatedBefore,
});
export const translationApproved = event('translation.approved', {
  ...translation,
  description: 'A person approved a translation.',
  undo: translatedBefore,
});

export class GuideTranslatedData {
  @Id('guide', { description: 'Guide id (guide_…).' }) id: string;
  @Id('property', { description: 'Property of the guide (property_…), if it has exactly one.', nullable: true })
  propertyId: string | null;
  @Text({ description: 'Target language (BCP 47).', max: 35 }) locale: string;
  @Int({ description: 'Number of texts that the model translated.', min: 0, max: 600 }) translated: number;
  @Int({ description: 'Number of texts whose translation was rejected.', min: 0, max: 600 }) failed: number;
}

export const guideTranslated = event('guide.translated', {
  subject: 'guide',
  scope: 'guides:read',
  data: GuideTranslatedData,
  kind: 'addition',
  description: 'A model translated texts of a guide; publishGuide makes them public.',
  undo: cannotBeUndone('A model wrote the translations. Change them with editTranslations.'),
});
