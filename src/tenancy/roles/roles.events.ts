import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, setBackBy, undoneBy } from '../../platform/events/undo.js';
import { RoleView } from './role.dto.js';

const role = { subject: 'role', scope: 'members:read' as const, data: RoleView };

export const roleCreated = event('role.created', {
  ...role,
  kind: 'opening',
  description: 'A role was created.',
  undo: undoneBy('deleteRole', ({ id }) => ({ roleId: id })),
});
export const roleUpdated = event('role.updated', {
  ...role,
  description: 'A role was changed.',
  undo: setBackBy('updateRole', { roleId: 'id' }),
});
export const roleDeleted = event('role.deleted', {
  ...role,
  kind: 'ending',
  description: 'A role was deleted.',
  undo: cannotBeUndone('Create the role again with createRole.'),
});
