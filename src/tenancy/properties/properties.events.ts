import { OmitType } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, remains, setBackBy, undoneBy } from '../../platform/events/undo.js';
import { PropertyView } from './property.dto.js';

/** A property without references, which need a permission of their own. */
export class PropertyEventData extends OmitType(PropertyView, ['externalRefs'] as const) {}

const property = {
  subject: 'property',
  scope: 'properties:read' as const,
  data: PropertyEventData,
  at: ({ id }: PropertyEventData) => id,
};

export const propertyCreated = event('property.created', {
  ...property,
  kind: 'opening',
  description: 'A property was added.',
  undo: undoneBy('archiveProperty', ({ id }) => ({ propertyId: id })),
});
export const propertyUpdated = event('property.updated', {
  ...property,
  description: 'A property was changed.',
  undo: (change) =>
    'wifi' in change.set
      ? cannotBeUndone('The previous wifi password is not stored. Set it with updateProperty.')
      : setBackBy('updateProperty', { propertyId: 'id' })(change),
});
export const propertyTimesChanged = event('property.times_changed', {
  ...property,
  kind: 'occurrence',
  description: 'All future stays have been changed to the new times or time zone of their property.',
  undo: remains('It only reports that stays were changed.'),
});
export const propertyStatusSet = event('property.status_set', {
  ...property,
  description: 'The cleaning status of a property was changed.',
  undo: setBackBy('setPropertyStatus', { propertyId: 'id' }),
});
export const propertyArchived = event('property.archived', {
  ...property,
  description: 'A property was archived.',
  undo: undoneBy('restoreProperty', ({ id }) => ({ propertyId: id })),
});
export const propertyRestored = event('property.restored', {
  ...property,
  description: 'An archived property was restored.',
  undo: undoneBy('archiveProperty', ({ id }) => ({ propertyId: id })),
});
export const calendarFeedRotated = event('property.calendar_feed_rotated', {
  ...property,
  description: 'The calendar address of a property was replaced; the old one no longer works.',
  undo: cannotBeUndone('The previous address no longer works.'),
});
