/** A unit, or a property with all that is there. */
export interface Place {
  propertyId: string;
  unitId?: string;
}
