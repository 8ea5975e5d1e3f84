import { many, one, operation, page } from '#operations';
import { modelBacked } from '../../../outside/models/model-jobs.operations.js';
import {
  EditedTranslation,
  EditTranslation,
  EditTranslations,
  InitializeTranslations,
  ListTranslations,
  RetranslateTexts,
  ThisTranslation,
  TranslationView,
} from './translation.dto.js';
import { guideIsArchived, nothingTranslated } from '../guides.errors.js';

export const listTranslations = operation({
  name: 'listTranslations',
  route: 'GET /guides/{guideId}/translations',
  scope: 'guides:read',
  effect: 'read',
  reach: 'property',
  title: 'List the translations of a guide',
  description:
    'Lists every text of the guide in each of its languages, including missing ones, by language and status.',
  askedAs: 'which texts are missing or wrong in a language',
  input: ListTranslations,
  output: page(TranslationView),
});

export const editTranslation = operation({
  name: 'editTranslation',
  route: 'PATCH /guides/{guideId}/translations/{translationId}',
  scope: 'guides:write',
  effect: 'write',
  reach: 'property',
  title: 'Write a translation',
  description: 'Sets the text in one language. A machine translation replaces it only if it is requested by its key.',
  askedAs: 'correct a wrong sentence, write it by hand in Spanish or German',
  refuses: [guideIsArchived],
  input: EditTranslation,
  output: one(TranslationView),
});

export const editTranslations = operation({
  name: 'editTranslations',
  route: 'POST /guides/{guideId}/translations/bulk',
  scope: 'guides:write',
  effect: 'write',
  reach: 'property',
  title: 'Write many translations',
  description: 'Sets up to 200 texts of a guide, with a result for each.',
  askedAs: 'correct or write several texts by hand',
  refuses: [guideIsArchived],
  input: EditTranslations,
  carriesOut: () => [editTranslation],
  output: many(EditedTranslation),
});

export const approveTranslation = operation({
  name: 'approveTranslation',
  route: 'POST /guides/{guideId}/translations/{translationId}/approve',
  scope: 'guides:write',
  effect: 'write',
  reach: 'property',
  title: 'Approve a translation',
  description: 'Approves a machine, edited or stale translation of the current text.',
  askedAs: 'sign off or confirm a checked text',
  refuses: [guideIsArchived, nothingTranslated],
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
    'A model translates every missing or stale text into a language, which is added to the guide if needed. Texts that people wrote are kept, and nothing is live before publishGuide.',
  askedAs: 'translate a guide into Spanish, add a language',
  everyday: true,
  refuses: [guideIsArchived],
  input: InitializeTranslations,
  carriesOut: () => [editTranslation],
});

export const retranslateGuideText = modelBacked({
  name: 'retranslateGuideText',
  route: 'POST /guides/{guideId}/translations/retranslate',
  scope: 'guides:write',
  reach: 'property',
  title: 'Translate chosen texts again',
  description:
    'A model translates the given texts again, including those that people wrote. Nothing is live before publishGuide.',
  askedAs: 'replace a bad translation by a machine, translate again',
  everyday: true,
  refuses: [guideIsArchived],
  input: RetranslateTexts,
  carriesOut: () => [editTranslation],
});
