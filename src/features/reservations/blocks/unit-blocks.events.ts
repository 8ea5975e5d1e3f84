import { event } from '../../../platform/events/event-type.js';
import { putBack } from '../../../platform/events/undo.js';
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
  undo: putBack('unit_block.ended'),
});
export const unitBlockUpdated = event('unit_block.updated', {
  ...block,
  description: 'A block was changed.',
  undo: putBack('unit_block.updated'),
});
export const unitBlockEnded = event('unit_block.ended', {
  ...block,
  description: 'A block ended.',
  undo: putBack('unit_block.updated'),
});
