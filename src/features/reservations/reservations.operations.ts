import { connectionNotYours, referenceRefusals } from '../../tenancy/references/references.errors.js';
import { carryOutBeside, one, operation, page } from '#operations';
import { CreateReservation, MoveReservation, ThisReservation, UpdateReservation } from './reservation-changes.dto.js';
import { calledOff } from '../../tenancy/stays/stay.js';
import { assignUnit } from './assignments/assignments.operations.js';
import { carriedOutByPlace } from './assignments/carried-out-by-places.js';
import { cancelReservation } from './stay-states.operations.js';
import { CountReservations, ListReservations, ReservationCountsView } from './reservation-lists.dto.js';
import { ReservationView } from './reservation.dto.js';
import {
  arrivesOnAnotherDay,
  cannotMove,
  guestGivenTwice,
  guestIsMerged,
  leavesOnAnotherDay,
  movesFromNoNight,
  ownedByProvider,
  placeIsTaken,
  statusCannotFollow,
  stayTooLong,
  staysNoNight,
  unitIsBlocked,
  unitNotAssigned,
  unitOfAnotherType,
} from './reservations.errors.js';
import { propertyIsArchived, unitIsArchived } from '../../tenancy/properties/properties.errors.js';
import { unitTypeIsArchived, unitTypeIsFull } from '../../tenancy/unit-types/unit-types.errors.js';

/** What can be shown beside each record, by the field that names it. */
const beside = {
  guest: 'guestId',
  unit: 'unitId',
  unitType: 'unitTypeId',
  property: 'propertyId',
  tasks: 'id',
  devices: 'unitId',
};

export const createReservation = operation({
  name: 'createReservation',
  route: 'POST /reservations',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Book a stay',
  description:
    'Books a stay of a unit, of a unit type or of a whole property, and plans its automatic tasks. Rejected if its nights are taken.',
  askedAs: 'book a stay, take a booking for people and dates',
  everyday: true,
  refuses: [
    ...referenceRefusals,
    arrivesOnAnotherDay,
    guestGivenTwice,
    guestIsMerged,
    leavesOnAnotherDay,
    placeIsTaken,
    propertyIsArchived,
    stayTooLong,
    staysNoNight,
    unitIsArchived,
    unitIsBlocked,
    unitOfAnotherType,
    unitTypeIsArchived,
    unitTypeIsFull,
  ],
  input: CreateReservation,
  output: one(ReservationView),
  status: 201,
});

export const listReservations = operation({
  name: 'listReservations',
  route: 'GET /reservations',
  scope: 'reservations:read',
  effect: 'read',
  reach: 'property',
  title: 'List stays',
  description:
    'Lists stays by place, status, local dates (stayingOn, arrivingOn, departingOn), guest, channel, code and time of change.',
  askedAs: 'who arrives, leaves or stays today or tomorrow, departures, free rooms',
  everyday: true,
  includes: beside,
  refuses: [connectionNotYours],
  input: ListReservations,
  output: page(ReservationView),
});

export const getReservation = operation({
  name: 'getReservation',
  route: 'GET /reservations/{reservationId}',
  scope: 'reservations:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a stay',
  description: 'Returns one stay.',
  askedAs: 'one booking, details of a stay',
  everyday: true,
  resource: 'reservation://{reservationId}',
  includes: beside,
  input: ThisReservation,
  output: one(ReservationView),
});

export const updateReservation = operation({
  name: 'updateReservation',
  route: 'PATCH /reservations/{reservationId}',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a stay',
  description:
    'Changes details and status. Use moveReservation for dates and place, and cancelReservation to cancel it.',
  askedAs: 'number of guests, bring a child, confirm a pending booking, note about a stay',
  everyday: true,
  refuses: [
    ...referenceRefusals,
    arrivesOnAnotherDay,
    guestGivenTwice,
    guestIsMerged,
    leavesOnAnotherDay,
    ownedByProvider,
    placeIsTaken,
    statusCannotFollow,
    staysNoNight,
    unitIsBlocked,
    unitTypeIsFull,
  ],
  input: UpdateReservation,
  carriesOut: ({ status }) => (calledOff.includes(status) ? [cancelReservation] : []),
  output: one(ReservationView),
});

export const moveReservation = operation({
  name: 'moveReservation',
  route: 'POST /reservations/{reservationId}/move',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Move a stay',
  description:
    'Changes the dates and place of a stay, or, with from, the unit of guests in house from a night on. Tasks of the stay move with it.',
  askedAs: 'other dates or room, extend by a night, bigger room',
  everyday: true,
  refuses: [
    cannotMove,
    movesFromNoNight,
    ownedByProvider,
    placeIsTaken,
    propertyIsArchived,
    stayTooLong,
    staysNoNight,
    unitIsArchived,
    unitIsBlocked,
    unitNotAssigned,
    unitOfAnotherType,
    unitTypeIsArchived,
    unitTypeIsFull,
  ],
  input: MoveReservation,
  carriesOut: ({ unitId, unitTypeId, propertyId }) => carriedOutByPlace(unitId, unitTypeId, propertyId),
  output: one(ReservationView),
});

export const countReservations = operation({
  name: 'countReservations',
  route: 'GET /reservations/counts',
  scope: 'reservations:read',
  effect: 'read',
  reach: 'property',
  title: 'Count stays',
  description: 'Counts stays by status and by progress, up to 1,001 of each.',
  askedAs: 'how many bookings',
  input: CountReservations,
  output: one(ReservationCountsView),
});

// Guests in house move to the unit that they are given. Whether they are in house, only the record says.
carryOutBeside(assignUnit, () => [moveReservation]);
