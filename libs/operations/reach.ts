import type { Caller } from '#access';
import type { Operation } from './operation.js';

/** Whether an operation changes or reveals what holds at every property; any caller may read that. */
export const actsOnTheOrganization = ({
  reach,
  effect,
  showsSecret = false,
}: Pick<Operation, 'reach' | 'effect' | 'showsSecret'>): boolean =>
  reach === 'organization' && (effect !== 'read' || showsSecret);

/** Whether a caller's property limit leaves it an operation; work done later asks this again before it writes. */
export const isWithinReach = ({ propertyIds }: Caller, operation: Operation): boolean =>
  propertyIds === null || !actsOnTheOrganization(operation);
