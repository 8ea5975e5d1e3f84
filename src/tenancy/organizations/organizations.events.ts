import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, setBackBy } from '../../platform/events/undo.js';
import { OrganizationEventData } from './organization.dto.js';

export const organizationCreated = event('organization.created', {
  subject: 'organization',
  scope: 'organization:read',
  data: OrganizationEventData,
  kind: 'opening',
  description: 'An organization was created, with its built-in roles.',
  undo: cannotBeUndone('Creating an organization cannot be undone.'),
});
export const organizationUpdated = event('organization.updated', {
  subject: 'organization',
  scope: 'organization:read',
  data: OrganizationEventData,
  description: "The organization's settings were changed.",
  undo: setBackBy('updateOrganization', {}),
});
