import { conflict, invalidField, rejection, ServiceError, shaped } from '#errors';
import { ConnectionsDetails } from './connection-details.dto.js';

export const connectionIsOver = () =>
  conflict(
    'CONNECTION_DISCONNECTED',
    'The connection is disconnected permanently. Create a new one with createConnection.',
  );

export const connectionNeedsAProperty = rejection(
  'CONNECTION_NEEDS_A_PROPERTY',
  'This credential is limited to some properties. Pass one of them as propertyId in settings.',
);

const connectionsUseIt = 'Connections still use this place. Disconnect them, then archive it.';

export const unitHasConnections = (connectionIds: string[]) =>
  conflict('UNIT_HAS_CONNECTIONS', connectionsUseIt, shaped(ConnectionsDetails, { connectionIds }));

export const propertyHasConnections = (connectionIds: string[]) =>
  conflict('PROPERTY_HAS_CONNECTIONS', connectionsUseIt, shaped(ConnectionsDetails, { connectionIds }));

const passing = (message: string): ServiceError =>
  new ServiceError({ status: 409, message, headers: { 'Retry-After': '1' } });

/** Not stored for idempotent retries, because the next sync may go through. */
export const changedMeanwhile = () =>
  passing('The connection was changed during the sync, so nothing was imported. Sync again.');

export const staysAreKept = () =>
  invalidField(['stays'], 'Only a connection with the provider push can cancel its stays. Omit this field.');
