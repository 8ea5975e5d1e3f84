import { OmitType } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { ConnectionView } from './connection.dto.js';

/** A connection without its settings and errors, which contain addresses that work like keys. */
export class ConnectionEventData extends OmitType(ConnectionView, [
  'settings',
  'errors',
  'simulator',
  'webhookUrl',
] as const) {}

const connection = { subject: 'connection', scope: 'connections:read' as const, data: ConnectionEventData };

export const connectionCreated = event('connection.created', {
  ...connection,
  kind: 'opening',
  description: 'A connection was created.',
});
export const connectionUpdated = event('connection.updated', {
  ...connection,
  description: 'A connection was changed.',
});
export const connectionTested = event('connection.tested', {
  ...connection,
  kind: 'occurrence',
  description: 'A connection was tested; its status shows the result.',
});
export const connectionSynced = event('connection.synced', {
  ...connection,
  description: 'A connection was synced.',
});
export const connectionSyncFailed = event('connection.sync_failed', {
  ...connection,
  description: 'A sync of a connection failed; the service retries automatically.',
});
export const connectionDisconnected = event('connection.disconnected', {
  ...connection,
  description: 'A connection was disconnected and its credentials were deleted.',
});
