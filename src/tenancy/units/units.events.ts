import { event } from '../../platform/events/event-type.js';
import { UnitView } from './unit.dto.js';

const unit = { subject: 'unit', scope: 'properties:read' as const, data: UnitView };

export const unitCreated = event('unit.created', {
  ...unit,
  kind: 'opening',
  description: 'A unit was added to a property.',
});
export const unitUpdated = event('unit.updated', { ...unit, description: 'A unit was changed.' });
export const unitArchived = event('unit.archived', { ...unit, description: 'A unit was archived.' });
export const unitRestored = event('unit.restored', { ...unit, description: 'An archived unit was restored.' });
