import { conflict, notFound } from '#errors';

export const propertyNotFound = () => notFound('property');

export const propertyInUse = (reservationIds: string[]) =>
  conflict('PROPERTY_IN_USE', 'Stays to come depend on the property. Cancel or move them, then archive it.', {
    reservationIds,
  });

export const propertyIsArchived = () => conflict('PROPERTY_ARCHIVED', 'The property is archived. Restore it first.');

export const noWifi = () => conflict('NO_WIFI', 'No wifi is kept for this property. Set it with updateProperty.');

export const unitNotFound = () => notFound('unit');

export const unitInUse = (reservationIds: string[]) =>
  conflict('UNIT_IN_USE', 'Stays to come depend on the unit. Cancel or move them, then archive it.', {
    reservationIds,
  });

export const unitIsArchived = () => conflict('UNIT_ARCHIVED', 'The unit is archived; choose another one.');
