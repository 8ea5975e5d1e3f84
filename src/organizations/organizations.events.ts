import { OmitType } from '@nestjs/swagger';
import { event } from '../platform/events/event-type.js';
import { MemberView } from './member.dto.js';
import { OrganizationEventData } from './organization.dto.js';
import { PropertyView } from './property.dto.js';
import { RoleView } from './role.dto.js';
import { UnitView } from './unit.dto.js';

/** A member without the address, which getMember tells those who may read members. */
export class MemberEventData extends OmitType(MemberView, ['email'] as const) {}

export const organizationCreated = event('organization.created', {
  subject: 'organization',
  scope: 'organization:read',
  data: OrganizationEventData,
  tells: 'opening',
  says: 'The organization was founded, with its built-in roles.',
});
export const organizationUpdated = event('organization.updated', {
  subject: 'organization',
  scope: 'organization:read',
  data: OrganizationEventData,
  says: "The organization's settings were changed.",
});

const member = { subject: 'member', scope: 'members:read' as const, data: MemberEventData };

export const memberInvited = event('member.invited', { ...member, tells: 'opening', says: 'Somebody was invited.' });
export const memberAdded = event('member.added', {
  ...member,
  tells: 'opening',
  says: 'A person or a machine was added.',
});
export const memberJoined = event('member.joined', { ...member, says: 'Somebody who was invited joined.' });
export const memberUpdated = event('member.updated', { ...member, says: 'What a member is or may do was changed.' });
export const memberSuspended = event('member.suspended', { ...member, says: 'A member may not act for now.' });
export const memberReinstated = event('member.reinstated', { ...member, says: 'A suspended member may act again.' });
export const memberRemoved = event('member.removed', { ...member, says: 'A member was removed for good.' });

const role = { subject: 'role', scope: 'members:read' as const, data: RoleView };

export const roleCreated = event('role.created', { ...role, tells: 'opening', says: 'A role was made.' });
export const roleUpdated = event('role.updated', { ...role, says: 'What a role permits, or its name, was changed.' });
export const roleDeleted = event('role.deleted', { ...role, tells: 'ending', says: 'A role was deleted.' });

const property = {
  subject: 'property',
  scope: 'properties:read' as const,
  data: PropertyView,
  at: ({ id }: PropertyView) => id,
};

export const propertyCreated = event('property.created', {
  ...property,
  tells: 'opening',
  says: 'A property was added.',
});
export const propertyUpdated = event('property.updated', { ...property, says: 'A property was changed.' });
export const propertyStatusSet = event('property.status_set', {
  ...property,
  says: 'How clean a property is was set.',
});
export const propertyArchived = event('property.archived', { ...property, says: 'A property was taken out of use.' });
export const propertyRestored = event('property.restored', {
  ...property,
  says: 'An archived property was brought back.',
});
export const calendarFeedRotated = event('property.calendar_feed_rotated', {
  ...property,
  says: "A property's calendar got another address; the one before is dead.",
});

const unit = { subject: 'unit', scope: 'properties:read' as const, data: UnitView };

export const unitCreated = event('unit.created', {
  ...unit,
  tells: 'opening',
  says: 'A unit was added to a property.',
});
export const unitUpdated = event('unit.updated', { ...unit, says: 'A unit was changed.' });
export const unitArchived = event('unit.archived', { ...unit, says: 'A unit was taken out of use.' });
