import { conflict, recordNotFound, rejection } from '#errors';

export const unitBlockNotFound = recordNotFound('block', 'listUnitBlocks');
export const blockTaskNotFound = recordNotFound('task', 'listTasks');

export const blockWithoutNight = rejection('BLOCK_WITHOUT_NIGHT', 'until must be after from. Set it to a later day.');

export const blockHasEnded = () => conflict('UNIT_BLOCK_ENDED', 'The block has ended. Create a new one.');
