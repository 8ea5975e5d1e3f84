import { OmitType } from '@nestjs/swagger';
import { event } from '../../platform/events/event-type.js';
import { ConnectionView } from '../../connections/connection.dto.js';

/** A connection without its settings and errors, in which stand addresses that are as good as keys. */
export class ConnectionEventData extends OmitType(ConnectionView, [
  'settings',
  'errors',
  'simulator',
  'webhookUrl',
] as const) {}

const connection = { subject: 'connection', scope: 'connections:read' as const, data: ConnectionEventData };

export const connectionCreated = event('connection.created', {
  ...connection,
  tells: 'opening',
  says: 'Another system was connected.',
});
export const connectionUpdated = event('connection.updated', { ...connection, says: 'A connection was changed.' });
export const connectionTested = event('connection.tested', {
  ...connection,
  tells: 'occurrence',
  says: 'A provider was asked whether it answers; the status tells whether it did.',
});
export const connectionSynced = event('connection.synced', {
  ...connection,
  says: 'What another system holds was taken over.',
});
export const connectionSyncFailed = event('connection.sync_failed', {
  ...connection,
  says: 'A provider did not answer, or not as it should; it is asked again later.',
});
export const connectionDisconnected = event('connection.disconnected', {
  ...connection,
  says: 'A connection was ended, and its credentials are gone.',
});
