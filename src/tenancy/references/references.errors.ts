import { conflict, forbidden, invalidField, recordNotFound, rejection, shaped } from '#errors';
import { TakenDetails } from './reference-details.dto.js';
import { mostReferences } from './external-ref.dto.js';

export const unknownConnection = rejection(
  'EXTERNAL_REF_UNKNOWN_CONNECTION',
  'externalRefs names a connection that does not exist. Pass a connection id (connection_…) from listConnections.',
);

export const referenceTaken = (id: string) =>
  conflict(
    'EXTERNAL_REF_TAKEN',
    'Another record has this external id of the connection. Change that record instead.',
    shaped(TakenDetails, { id }),
  );

export const connectionNotYours = () =>
  forbidden(
    'Only the credentials in settings.credentialIds of the connection may write its references. Use one of them.',
    'CONNECTION_NOT_YOURS',
  );

export const connectionNotFound = recordNotFound('connection', 'listConnections');

export const externalIdOfNone = () =>
  invalidField(['connectionId'], 'Pass the connection in which the record has this externalId.');

export const tooManyReferences = () =>
  invalidField(['externalRefs'], `A record has at most ${mostReferences} references. Remove some first.`);

/** Of every operation that takes references. */
export const referenceRefusals = [connectionNotYours, referenceTaken, unknownConnection];
