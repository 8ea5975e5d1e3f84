/** What other features need to know of a reservation: where and when somebody stays. */
export interface Stay {
  id: string;
  propertyId: string;
  unitId: string | null;
  /** The type of the unit, or of the unit that the stay is still to get; null for a whole property. */
  unitTypeId: string | null;
  status: 'inquiry' | 'pending' | 'confirmed' | 'cancelled' | 'declined' | 'expired';
  stayStatus: 'not_arrived' | 'checked_in' | 'checked_out' | 'no_show';
  /** Whether the nights of a no-show were given up. */
  released: boolean;
  arrivalAt: string;
  departureAt: string;
  /** When the guests left, if they have. */
  departedAt: string | null;
}

/**
 * Where a stay is, for the stays before and after it: the unit, or else the whole property. A stay without a unit has
 * no neighbours.
 */
export const placeOf = ({
  id,
  propertyId,
  unitId,
  unitTypeId,
}: Pick<Stay, 'id' | 'propertyId' | 'unitId' | 'unitTypeId'>): string => unitId ?? (unitTypeId ? id : propertyId);

/** The statuses of a stay that will not take place and has no nights. */
export const calledOff: readonly unknown[] = ['cancelled', 'declined', 'expired'] satisfies Stay['status'][];

/** Whether a stay no longer needs work and codes because it will not take place. */
export const isCalledOff = ({ status, released }: Pick<Stay, 'status' | 'released'>): boolean =>
  calledOff.includes(status) || released;

/** Whether a stay takes place, has done so or will do so. */
export const isOn = ({ status, released }: Pick<Stay, 'status' | 'released'>): boolean =>
  status === 'confirmed' && !released;
