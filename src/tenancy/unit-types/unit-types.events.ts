import { OmitType } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { putBack, setBackBy, undoneBy } from '../../platform/events/undo.js';
import { UnitTypeView } from './unit-type.dto.js';

/** A unit type without the count of its units, and without references, which need a permission of their own. */
export class UnitTypeEventData extends OmitType(UnitTypeView, ['unitCount', 'externalRefs'] as const) {}

const unitType = { subject: 'unit_type', scope: 'properties:read' as const, data: UnitTypeEventData };

export const unitTypeCreated = event('unit_type.created', {
  ...unitType,
  kind: 'opening',
  description: 'A unit type was added to a property.',
  undo: undoneBy('archiveUnitType', ({ propertyId, id }) => ({ propertyId, unitTypeId: id })),
});
export const unitTypeUpdated = event('unit_type.updated', {
  ...unitType,
  description: 'A unit type was changed.',
  undo: setBackBy('updateUnitType', { propertyId: 'propertyId', unitTypeId: 'id' }),
});
export const unitTypeArchived = event('unit_type.archived', {
  ...unitType,
  description: 'A unit type was archived.',
  undo: putBack('unit_type.updated'),
});
