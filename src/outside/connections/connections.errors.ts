import { conflict, notFound, rejection, ServiceError } from '#errors';
import type { Place } from '../../organizations/place-uses.js';

export const connectionNotFound = () => notFound('connection');

export const connectionIsOver = () =>
  conflict('CONNECTION_DISCONNECTED', 'The connection is disconnected for good. Create a new one.');

export const connectionNeedsAProperty = rejection(
  'CONNECTION_NEEDS_A_PROPERTY',
  'This credential is limited to some properties, so the settings must name one of them as propertyId.',
);

export const placeHasConnections = ({ unitId }: Place, connectionIds: string[]) =>
  conflict(
    unitId ? 'UNIT_HAS_CONNECTIONS' : 'PROPERTY_HAS_CONNECTIONS',
    'Connections still lead there. Disconnect them, then archive it.',
    { connectionIds },
  );

const passing = (message: string): ServiceError =>
  new ServiceError({ status: 409, message, headers: { 'Retry-After': '1' } });

/** Not kept for idempotent retries, which may find the connection free. */
export const syncIsRunning = () => passing('Another sync of this connection is under way; send it again in a moment.');
export const changedMeanwhile = () =>
  passing('The connection was changed while it was synced; nothing was taken over.');
