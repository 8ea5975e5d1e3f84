import { OmitType } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, remains, setBackBy } from '../../platform/events/undo.js';
import { ConnectionView } from './connection.dto.js';

/** A connection without its settings and errors, which contain addresses that work like keys, and without what passes. */
export class ConnectionEventData extends OmitType(ConnectionView, [
  'settings',
  'errors',
  'currentSync',
  'simulator',
  'webhookUrl',
] as const) {}

const synced = cannotBeUndone('The other system determines what a sync imports.');

const connection = { subject: 'connection', scope: 'connections:read' as const, data: ConnectionEventData };

export const connectionCreated = event('connection.created', {
  ...connection,
  kind: 'opening',
  description: 'A connection was created.',
  undo: cannotBeUndone('Disconnect it with disconnectConnection.'),
});
export const connectionUpdated = event('connection.updated', {
  ...connection,
  description: 'A connection was changed.',
  undo: ({ set, ...change }) =>
    'credentials' in set
      ? cannotBeUndone('Its previous credentials are not stored. Set them with updateConnection.')
      : setBackBy('updateConnection', { connectionId: 'id' })({ set, ...change }),
});
export const connectionTested = event('connection.tested', {
  ...connection,
  kind: 'occurrence',
  description: 'A connection was tested; its status shows the result.',
  undo: remains('The connection was tested.'),
});
export const connectionSynced = event('connection.synced', {
  ...connection,
  description: 'A connection was synced.',
  undo: synced,
});
export const connectionSyncFailed = event('connection.sync_failed', {
  ...connection,
  description: 'A sync of a connection failed; the service retries automatically.',
  undo: synced,
});
export const connectionDisconnected = event('connection.disconnected', {
  ...connection,
  description: 'A connection was disconnected and its credentials were deleted.',
  undo: cannotBeUndone('Its credentials were deleted. Create a new connection with createConnection.'),
});
