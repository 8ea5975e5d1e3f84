import { conflict, invalidField, type Issue, recordNotFound, rejection, ServiceError, shaped } from '#errors';
import { MissingTranslationsDetails } from './guide-details.dto.js';

export const guideNotFound = recordNotFound('guide', 'listGuides');
export const translationNotFound = recordNotFound('translation', 'listTranslations');
export const placeNotFound = recordNotFound('place', 'listPlaces');

export const guideIsArchived = () =>
  conflict('GUIDE_ARCHIVED', 'The guide is archived and cannot be changed. Save a new one with saveGuide.');

export const slugIsTaken = () => conflict('GUIDE_SLUG_TAKEN', 'Another guide has this address. Choose another slug.');

export const slugIsFixed = () =>
  conflict('GUIDE_SLUG_FIXED', 'The address cannot be changed after the guide was published. Omit slug.');

export const translationsMissing = (missing: { locale: string; textKey: string }[]) =>
  conflict(
    'TRANSLATIONS_MISSING',
    'Some texts are not translated. Translate them (initializeLanguageTranslations), or publish with force to show the originals.',
    shaped(MissingTranslationsDetails, { missing: missing.slice(0, 100), missingCount: missing.length }),
  );

export const blockIsWrong = (path: Issue['path'], message: string) => invalidField(path, message);

export const guideTooLong = rejection(
  'GUIDE_TOO_LONG',
  'A guide can have at most 600 texts. Merge steps and paragraphs, or split the guide.',
);

export const sourceLocaleIsWritten = () =>
  invalidField(['locale'], 'The guide is written in this language. Choose another language to translate it into.');

export const variablesUnknown = (variables: string[]) =>
  invalidField(
    ['text'],
    `The original text does not contain ${variables.join(', ')}. Use only variables that it contains.`,
  );

export const nothingTranslated = () =>
  conflict('TRANSLATION_WITHOUT_TEXT', 'The translation has no text to approve. Write one with editTranslation first.');

export const placeLinkUnreadable = rejection(
  'PLACE_LINK_UNREADABLE',
  'The link contains no place. Pass a name, coordinates, or the full link from Google Maps, Apple Maps or OpenStreetMap.',
);

export const mapKnowsNoSuchPlace = () =>
  new ServiceError({
    status: 404,
    message: 'The place was not found on the map. Add the town to the name, pass coordinates, or add it with addPlace.',
    deterministic: true,
  });

export const mapDataUnavailable = (why: string, cause?: unknown) =>
  new ServiceError({
    status: 502,
    message: `The map data is unavailable (${why}). Try again later.`,
    cause,
  });
