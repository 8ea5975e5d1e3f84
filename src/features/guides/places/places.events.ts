import { Id } from '#operations';
import { event } from '../../../platform/events/event-type.js';
import { setBackBy, undoneBy } from '../../../platform/events/undo.js';
import { PlaceView } from './place.dto.js';

export class PlaceEventData extends PlaceView {
  @Id('property', { description: 'Property of the guide (property_…), if it has exactly one.', nullable: true })
  propertyId: string | null;
}

const place = { subject: 'place', scope: 'guides:read' as const, data: PlaceEventData };

export const placeAdded = event('place.added', {
  ...place,
  kind: 'opening',
  description: 'A place was added to a guide.',
  undo: undoneBy('hidePlace', ({ guideId, id }) => ({ guideId, placeId: id })),
});
export const placeUpdated = event('place.updated', {
  ...place,
  description: 'A place of a guide was changed or approved.',
  undo: setBackBy('updatePlace', { guideId: 'guideId', placeId: 'id' }),
});
export const placeHidden = event('place.hidden', {
  ...place,
  description: 'A place of a guide was hidden.',
  undo: undoneBy('updatePlace', ({ guideId, id }, { status }) => ({ guideId, placeId: id, status })),
});
