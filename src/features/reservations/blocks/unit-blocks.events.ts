import { event } from '../../../platform/events/event-type.js';
import { UnitBlockView } from './unit-block.dto.js';

const block = {
  subject: 'unit_block',
  scope: 'properties:read' as const,
  data: UnitBlockView,
  freeText: ['reason'] as const,
};

export const unitBlockCreated = event('unit_block.created', {
  ...block,
  kind: 'opening',
  description: 'Nights of a unit or a property were blocked.',
});
export const unitBlockUpdated = event('unit_block.updated', { ...block, description: 'A block was changed.' });
export const unitBlockEnded = event('unit_block.ended', { ...block, description: 'A block ended.' });
