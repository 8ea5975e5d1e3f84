import { OmitType } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { setBackBy, undoneBy } from '../../platform/events/undo.js';
import { UnitView } from './unit.dto.js';

/** A unit without what follows from other records, and without references, which need a permission of their own. */
export class UnitEventData extends OmitType(UnitView, ['readiness', 'notReadyBecause', 'externalRefs'] as const) {}

const unit = { subject: 'unit', scope: 'properties:read' as const, data: UnitEventData };

export const unitCreated = event('unit.created', {
  ...unit,
  kind: 'opening',
  description: 'A unit was added to a property.',
  undo: undoneBy('archiveUnit', ({ propertyId, id }) => ({ propertyId, unitId: id })),
});
export const unitUpdated = event('unit.updated', {
  ...unit,
  description: 'A unit was changed.',
  undo: setBackBy('updateUnit', { propertyId: 'propertyId', unitId: 'id' }),
});
export const unitArchived = event('unit.archived', {
  ...unit,
  description: 'A unit was archived.',
  undo: undoneBy('restoreUnit', ({ propertyId, id }) => ({ propertyId, unitId: id })),
});
export const unitRestored = event('unit.restored', {
  ...unit,
  description: 'An archived unit was restored.',
  undo: undoneBy('archiveUnit', ({ propertyId, id }) => ({ propertyId, unitId: id })),
});
export const unitStatusSet = event('unit.status_set', {
  ...unit,
  description: 'The cleaning status or a flag of a unit was changed.',
  undo: setBackBy('setUnitStatus', { propertyId: 'propertyId', unitId: 'id' }),
});
