import { Id } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { PlaceView } from './place.dto.js';

export class PlaceEventData extends PlaceView {
  @Id('property', { about: 'The property that the guide is about, if it is one alone.', nullable: true })
  propertyId: string | null;
}

const place = { subject: 'place', scope: 'guides:read' as const, data: PlaceEventData };

export const placeAdded = event('place.added', { ...place, tells: 'opening', says: 'A place was added to a guide.' });
export const placeUpdated = event('place.updated', { ...place, says: 'A place of a guide was changed or approved.' });
export const placeHidden = event('place.hidden', { ...place, says: 'A place was taken out of a guide.' });
