import type { Caller } from '#access';
import type { Operation } from './operation.js';

/** Whether an operation changes or reveals what applies to every property; every caller may read that. */
export const actsOnTheOrganization = ({
  reach,
  effect,
  showsSecret,
}: Pick<Operation, 'reach' | 'effect' | 'showsSecret'>): boolean =>
  reach === 'organization' && (effect !== 'read' || showsSecret !== undefined);

/** Whether a caller's property limit allows an operation; background work checks this again before it writes. */
export const isWithinReach = ({ propertyIds }: Caller, operation: Operation): boolean =>
  propertyIds === null || !actsOnTheOrganization(operation);
