import type { Operation } from '#operations';
import { assignUnit, unassignUnit } from './assignments.operations.js';

export const isGiven = (value: unknown): boolean => value !== undefined;

/**
 * What a change of place does to the unit of a stay: it gets the one that is named. Without one, the stay may lose its unit to
 * another unit type or property.
 *
 * @param others what else the change says of the place.
 */
export const carriedOutByPlace = (unit: string | null | undefined, ...others: unknown[]): Operation[] =>
  unit ? [assignUnit] : [unit, ...others].some(isGiven) ? [unassignUnit] : [];
