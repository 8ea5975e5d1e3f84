import { event } from '../../platform/events/event-type.js';
import { PropertyView } from './property.dto.js';

const property = {
  subject: 'property',
  scope: 'properties:read' as const,
  data: PropertyView,
  at: ({ id }: PropertyView) => id,
};

export const propertyCreated = event('property.created', {
  ...property,
  kind: 'opening',
  description: 'A property was added.',
});
export const propertyUpdated = event('property.updated', { ...property, description: 'A property was changed.' });
export const propertyStatusSet = event('property.status_set', {
  ...property,
  description: 'The cleaning status of a property was changed.',
});
export const propertyArchived = event('property.archived', {
  ...property,
  description: 'A property was archived.',
});
export const propertyRestored = event('property.restored', {
  ...property,
  description: 'An archived property was restored.',
});
export const calendarFeedRotated = event('property.calendar_feed_rotated', {
  ...property,
  description: 'The calendar address of a property was replaced; the old one no longer works.',
});
