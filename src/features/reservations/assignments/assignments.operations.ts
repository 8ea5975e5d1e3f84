import { many, one, operation, page } from '#operations';
import { UnitView } from '../../../tenancy/units/unit.dto.js';
import { ReservationView } from '../reservation.dto.js';
import { ThisReservation } from '../reservation-changes.dto.js';
import { AssignmentView, AssignUnit, AssignUnits, ListAvailableUnits } from './assignment.dto.js';
import {
  cannotMove,
  noHoursAsked,
  ownedByProvider,
  placeIsTaken,
  stayIs,
  unitIsBlocked,
  unitOfAnotherType,
  unitWithoutType,
} from '../reservations.errors.js';
import { propertyIsArchived, unitIsArchived } from '../../../tenancy/properties/properties.errors.js';
import { unitTypeIsArchived, unitTypeIsFull } from '../../../tenancy/unit-types/unit-types.errors.js';

export const assignUnit = operation({
  name: 'assignUnit',
  route: 'POST /reservations/{reservationId}/assign-unit',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Assign a unit',
  description:
    'Gives a stay a unit of its type, or with force: true of another type; guests in house move today. Its tasks and codes follow.',
  askedAs: 'give a booking a room, which room does the guest get',
  everyday: true,
  refuses: [
    cannotMove,
    ownedByProvider,
    placeIsTaken,
    propertyIsArchived,
    unitIsArchived,
    unitIsBlocked,
    unitOfAnotherType,
    unitTypeIsFull,
  ],
  input: AssignUnit,
  output: one(ReservationView),
});

export const unassignUnit = operation({
  name: 'unassignUnit',
  route: 'POST /reservations/{reservationId}/unassign-unit',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Unassign a unit',
  description: 'Removes the unit from a stay that is not in house; the stay waits for another unit of the booked type.',
  askedAs: 'take the room away from a booking, put a stay back to its room type',
  refuses: [
    cannotMove,
    ownedByProvider,
    propertyIsArchived,
    stayIs,
    unitTypeIsArchived,
    unitTypeIsFull,
    unitWithoutType,
  ],
  input: ThisReservation,
  output: one(ReservationView),
});

export const listAvailableUnits = operation({
  name: 'listAvailableUnits',
  route: 'GET /properties/{propertyId}/available-units',
  scope: 'properties:read',
  effect: 'read',
  reach: 'property',
  title: 'List free units',
  description:
    'Lists the units without a stay or block on all of the nights, or during the hours of a day use, best first: inspected and clean before dirty ones, and last those that others have not left when the guests come. Stays that wait for a unit are counted by getAvailability.',
  askedAs: 'which rooms are free, any room available',
  refuses: [noHoursAsked],
  input: ListAvailableUnits,
  output: page(UnitView),
});

export const assignUnits = operation({
  name: 'assignUnits',
  route: 'POST /properties/{propertyId}/assign-units',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Assign units to arrivals',
  description:
    'Gives each arrival of a day that has no unit yet the unit that leaves the fewest gaps, with a result for each.',
  askedAs: 'assign rooms to all arrivals, distribute bookings without a room',
  input: AssignUnits,
  carriesOut: () => [assignUnit],
  output: many(AssignmentView),
  transaction: 'slices',
});
