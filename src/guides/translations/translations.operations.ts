import { one, operation, page } from '#operations';
import { modelBacked } from '../../models/model-jobs.operations.js';
import {
  EditTranslation,
  InitializeTranslations,
  ListTranslations,
  RetranslateTexts,
  ThisTranslation,
  TranslationView,
} from './translation.dto.js';

export const listTranslations = operation({
  name: 'listTranslations',
  route: 'GET /guides/{guideId}/translations',
  scope: 'guides:read',
  effect: 'read',
  reach: 'property',
  title: 'List the translations of a guide',
  description: 'Every text of the guide in each of its languages, missing ones too, by language and status.',
  input: ListTranslations,
  output: page(TranslationView),
});

export const editTranslation = operation({
  name: 'editTranslation',
  route: 'PATCH /guides/{guideId}/translations/{translationId}',
  scope: 'guides:write',
  effect: 'write',
  reach: 'property',
  title: 'Write a translation by hand',
  description: 'Sets the text in that language. No machine translation replaces it unless it is asked for by its key.',
  input: EditTranslation,
  output: one(TranslationView),
});

export const approveTranslation = operation({
  name: 'approveTranslation',
  route: 'POST /guides/{guideId}/translations/{translationId}/approve',
  scope: 'guides:write',
  effect: 'write',
  reach: 'property',
  title: 'Approve a translation',
  description: 'Says that a machine, edited or stale translation is right for the text as it is written now.',
  input: ThisTranslation,
  output: one(TranslationView),
});

export const initializeLanguageTranslations = modelBacked({
  name: 'initializeLanguageTranslations',
  route: 'POST /guides/{guideId}/translations/initialize',
  scope: 'guides:write',
  reach: 'property',
  title: 'Translate a guide into a language',
  description:
    'A model translates what is missing or stale in that language, which the guide gets if it has not got it. What people wrote stays, and nothing is live before publishGuide.',
  input: InitializeTranslations,
});

export const retranslateGuideText = modelBacked({
  name: 'retranslateGuideText',
  route: 'POST /guides/{guideId}/translations/retranslate',
  scope: 'guides:write',
  reach: 'property',
  title: 'Translate chosen texts anew',
  description:
    'A model translates the texts that are named once more, those that people wrote too. Nothing is live before publishGuide.',
  input: RetranslateTexts,
});
