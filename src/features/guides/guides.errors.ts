import { conflict, invalidField, type Issue, notFound, rejection, ServiceError } from '#errors';

export const guideNotFound = () => notFound('guide');
export const translationNotFound = () => notFound('translation');
export const placeNotFound = () => notFound('place');

export const guideIsArchived = () => conflict('GUIDE_ARCHIVED', 'The guide is archived; it does not change any more.');

export const slugIsTaken = () => conflict('GUIDE_SLUG_TAKEN', 'Another guide has this address. Choose another slug.');

export const slugIsFixed = () =>
  conflict('GUIDE_SLUG_FIXED', 'The address is known since the guide was published; it cannot change any more.');

export const translationsMissing = (missing: { locale: string; textKey: string }[]) =>
  conflict(
    'TRANSLATIONS_MISSING',
    'Texts are not translated into all languages of the guide. Translate them (initializeLanguageTranslations), or publish with force to show them as written.',
    { missing: missing.slice(0, 100), missingCount: missing.length },
  );

export const blockIsWrong = (path: Issue['path'], message: string) => invalidField(path, message);

export const guideTooLong = rejection(
  'GUIDE_TOO_LONG',
  'A guide has 600 texts at most. Merge some of its steps and paragraphs, or make two guides of it.',
);

export const sourceLocaleIsWritten = () =>
  invalidField(['locale'], 'The guide is written in this language; choose another one to translate it into.');

export const variablesUnknown = (variables: string[]) =>
  invalidField(['text'], `The text as written has no ${variables.join(', ')}. Leave out what it does not have.`);

export const nothingTranslated = () =>
  conflict('TRANSLATION_WITHOUT_TEXT', 'There is no text to approve. Write one with editTranslation first.');

export const placeLinkUnreadable = rejection(
  'PLACE_LINK_UNREADABLE',
  'This link tells no place. Give a link of Google Maps, Apple Maps or OpenStreetMap as the browser shows it (open a short link first), a name or a coordinate.',
);

export const mapKnowsNoSuchPlace = () =>
  new ServiceError({
    status: 404,
    message: 'The map knows no such place. Add the town to its name, give a coordinate, or add it with addPlace.',
    deterministic: true,
  });

export const mapDataUnavailable = (why: string, cause?: unknown) =>
  new ServiceError({
    status: 502,
    message: `The map data cannot be asked just now (${why}). A later request may succeed.`,
    cause,
  });
