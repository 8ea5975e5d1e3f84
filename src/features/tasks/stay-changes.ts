import type { StayChange } from '../../tenancy/followers/followers.js';
import type { Stay } from '../../tenancy/stays/stay.js';

export const isDepartureUndone = ({ stay, before }: StayChange): boolean =>
  Boolean(before?.departedAt) && !stay.departedAt;

export const isDeparture = ({ stay, before }: StayChange): boolean =>
  before !== undefined && stay.departedAt !== before.departedAt;

/** Whether nothing changed that work depends on. */
export const isTheSame = (stay: Stay, before: Stay): boolean =>
  (
    ['propertyId', 'unitId', 'unitTypeId', 'status', 'released', 'arrivalAt', 'departureAt', 'departedAt'] as const
  ).every((name) => stay[name] === before[name]);
