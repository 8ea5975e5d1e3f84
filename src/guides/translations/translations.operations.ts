import { one, operation, page } from '#operations';
import { EditTranslation, ListTranslations, ThisTranslation, TranslationView } from './translation.dto.js';

export const listTranslations = operation({
  name: 'listTranslations',
  route: 'GET /guides/{guideId}/translations',
  scope: 'guides:read',
  effect: 'read',
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
  title: 'Approve a translation',
  description: 'Says that a machine, edited or stale translation is right for the text as it is written now.',
  input: ThisTranslation,
  output: one(TranslationView),
});
