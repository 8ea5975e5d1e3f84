import { conflict, invalidField, notFound, rejection, shaped } from '#errors';
import { BulkItemDetails, VersionsDetails } from './by-reference-details.dto.js';
import { connectionNotYours, referenceRefusals } from '../../tenancy/references/references.errors.js';
import { connectionIsOver } from '../connections/connections.errors.js';
import type { SourceVersion } from './source-version.js';

export const savesNothing = rejection(
  'CONNECTION_DOES_NOT_PUSH',
  'Saving by reference requires a connection with the provider push. Create one with createConnection.',
);

export const versionIsStale = (known: SourceVersion, given: SourceVersion) =>
  conflict(
    'SOURCE_VERSION_STALE',
    'A newer version of the record was saved, or different content with this version. Send the newest version.',
    shaped(VersionsDetails, { known, given }),
  );

export const versionMissing = rejection(
  'SOURCE_VERSION_MISSING',
  'This connection orders its saves by sourceVersion. Send the version of the record.',
);

export const versionOfAnotherForm = rejection(
  'SOURCE_VERSION_FORM',
  'sourceVersion has a different format than before. Send whole numbers or times, as in the first save of this connection.',
);

export const referenceNotFound = () =>
  notFound('reference', 'The connection has no record with this external id. Save it first.');

/** @param field such as `unitRef`. */
export const referencedNotFound = (field: string, externalId: string) =>
  notFound(
    `record named by ${field} ${JSON.stringify(externalId)}`,
    'The connection has no record of this type with this external id. Save that record first.',
  );

export const namedTwice = (field: string, reference: string) =>
  invalidField([reference], `Send either ${reference} or ${field}, not both.`);

export const beyondProperty = (field: string) =>
  invalidField([field], 'The connection writes to a single property, and this is a different one. Omit it.');

/** @param error why it was refused. */
export const bulkItemRefused = (index: number, error: object) =>
  conflict(
    'BULK_ITEM_REFUSED',
    'An item was rejected, so none was saved. Correct it, or send atomic: false.',
    shaped(BulkItemDetails, { index, error }),
  );

export const savedTwice = (index: number) =>
  invalidField(['items', index, 'externalId'], 'This id appears twice in items. Send each id once.');

export const tooManyAtomic = () =>
  invalidField(['items'], 'An atomic request can have at most 50 items. Send fewer, or omit atomic.');

/** Errors of a bulk save as a whole; those of its items are in their results. */
export const bulkRefusals = [connectionNotYours, connectionIsOver, savesNothing, bulkItemRefused];

/** Errors of every save by reference. */
export const savingRefusals = [
  ...referenceRefusals,
  connectionIsOver,
  savesNothing,
  versionIsStale,
  versionMissing,
  versionOfAnotherForm,
];
