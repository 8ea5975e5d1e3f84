import { conflict, recordNotFound, rejection, shaped } from '#errors';
import { StaysDetails } from '../stays/uses.dto.js';

export const propertyNotFound = recordNotFound('property', 'listProperties');

export const propertyInUse = (reservationIds: string[]) =>
  conflict(
    'PROPERTY_IN_USE',
    'Current or future stays use the property. Cancel or move them, then archive it.',
    shaped(StaysDetails, { reservationIds }),
  );

export const propertyIsArchived = () => conflict('PROPERTY_ARCHIVED', 'The property is archived. Restore it first.');

export const noWifi = () => conflict('NO_WIFI', 'The property has no wifi. Set it with updateProperty.');

export const unitNotFound = recordNotFound('unit', 'listUnits');

export const unitInUse = (reservationIds: string[]) =>
  conflict(
    'UNIT_IN_USE',
    'Current or future stays use the unit. Cancel or move them, then archive it.',
    shaped(StaysDetails, { reservationIds }),
  );

export const unitConnectsToItself = rejection(
  'UNIT_CONNECTS_TO_ITSELF',
  'A unit cannot connect to itself. Pass other units of the property in connectsTo.',
);

export const unitIsArchived = () => conflict('UNIT_ARCHIVED', 'The unit is archived. Choose another one.');
