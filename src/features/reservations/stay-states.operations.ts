import { one, operation } from '#operations';
import {
  CancelReservation,
  CheckInReservation,
  CheckOutReservation,
  MarkNoShow,
  ThisReservation,
} from './reservation-changes.dto.js';
import { ReservationView } from './reservation.dto.js';
import {
  cannotCancel,
  checkInNotYetDue,
  departedAtImpossible,
  nightsAreTaken,
  notConfirmed,
  ownedByProvider,
  statusCannotFollow,
  stayIs,
  stayNotYetDue,
  unitNotAssigned,
} from './reservations.errors.js';
import { propertyIsArchived, unitIsArchived } from '../../tenancy/properties/properties.errors.js';
import { unitTypeIsArchived } from '../../tenancy/unit-types/unit-types.errors.js';

export const checkInReservation = operation({
  name: 'checkInReservation',
  route: 'POST /reservations/{reservationId}/check-in',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Check guests in',
  description:
    'Records that the guests of a confirmed stay have arrived. Before the day of arrival it needs early: true.',
  askedAs: 'guests are here, at the desk, arrived',
  everyday: true,
  refuses: [checkInNotYetDue, notConfirmed, stayIs, unitNotAssigned],
  input: CheckInReservation,
  output: one(ReservationView),
});

export const undoCheckIn = operation({
  name: 'undoCheckIn',
  route: 'POST /reservations/{reservationId}/undo-check-in',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Undo a check-in',
  description: 'Reverts a check-in that was recorded by mistake.',
  askedAs: 'wrong people, mistake, back to not arrived',
  refuses: [notConfirmed, stayIs],
  input: ThisReservation,
  output: one(ReservationView),
});

export const checkOutReservation = operation({
  name: 'checkOutReservation',
  route: 'POST /reservations/{reservationId}/check-out',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Check guests out',
  description: 'Records that the guests have left, now or at departedAt. Nights after the departure become free.',
  askedAs: 'guests are gone, left, departed',
  everyday: true,
  refuses: [departedAtImpossible, notConfirmed, stayIs],
  input: CheckOutReservation,
  output: one(ReservationView),
});

export const undoCheckOut = operation({
  name: 'undoCheckOut',
  route: 'POST /reservations/{reservationId}/undo-check-out',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Undo a check-out',
  description: 'Reverts a check-out. Rejected if other stays have the nights by now.',
  askedAs: 'check-out was a mistake, bring guests back in house',
  refuses: [nightsAreTaken, notConfirmed, propertyIsArchived, stayIs, unitIsArchived],
  input: ThisReservation,
  output: one(ReservationView),
});

export const markNoShow = operation({
  name: 'markNoShow',
  route: 'POST /reservations/{reservationId}/no-show',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Mark a no-show',
  description: 'Records that the guests of a confirmed stay never arrived. With release: true, its nights become free.',
  askedAs: 'never arrived, nobody turned up',
  everyday: true,
  refuses: [notConfirmed, stayIs, stayNotYetDue],
  input: MarkNoShow,
  carriesOut: ({ release }) => (release ? [cancelReservation] : []),
  output: one(ReservationView),
});

export const undoNoShow = operation({
  name: 'undoNoShow',
  route: 'POST /reservations/{reservationId}/undo-no-show',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Undo a no-show',
  description: 'Reverts a no-show. Rejected if other stays have its nights by now.',
  askedAs: 'guests came after all, take back a no-show',
  refuses: [nightsAreTaken, notConfirmed, propertyIsArchived, stayIs, unitIsArchived, unitTypeIsArchived],
  input: ThisReservation,
  output: one(ReservationView),
});

export const cancelReservation = operation({
  name: 'cancelReservation',
  route: 'POST /reservations/{reservationId}/cancel',
  scope: 'reservations:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Cancel a stay',
  description: 'Cancels a stay before it begins, or a no-show, together with its pending automatic tasks.',
  askedAs: 'not coming, free the nights',
  everyday: true,
  refuses: [cannotCancel, ownedByProvider],
  input: CancelReservation,
  output: one(ReservationView),
});

export const reinstateReservation = operation({
  name: 'reinstateReservation',
  route: 'POST /reservations/{reservationId}/reinstate',
  scope: 'reservations:write',
  effect: 'write',
  reach: 'property',
  title: 'Reinstate a stay',
  description: 'Confirms a cancelled stay again, with its automatic tasks and codes. Rejected if its nights are taken.',
  askedAs: 'bring back a cancelled booking, undo a cancellation',
  refuses: [
    nightsAreTaken,
    ownedByProvider,
    propertyIsArchived,
    statusCannotFollow,
    unitIsArchived,
    unitTypeIsArchived,
  ],
  input: ThisReservation,
  output: one(ReservationView),
});
