import { conflict, forbidden, invalidField, notFound, rejection } from '#errors';
import type { ReservationStatus, StayStatus } from '../../reservations/reservation.dto.js';
import type { Reservation } from './reservation.entity.js';

export const reservationNotFound = () => notFound('reservation');
export const guestNotFound = () => notFound('guest');

export const staysNoNight = rejection(
  'STAY_WITHOUT_A_NIGHT',
  'The stay would end before its first night is over. Set checkOutDate to a day after checkInDate.',
);

export const stayTooLong = rejection(
  'STAY_TOO_LONG',
  'A stay lasts 1,095 nights at most. Book it in parts, or set an earlier checkOutDate.',
);

export const arrivesOnAnotherDay = rejection(
  'ARRIVAL_ON_ANOTHER_DAY',
  'arrivalAt must fall on checkInDate, local to the property. Change one of the two.',
);

export const leavesOnAnotherDay = rejection(
  'DEPARTURE_ON_ANOTHER_DAY',
  'departureAt must fall on checkOutDate, local to the property. Change one of the two.',
);

export const placeIsTaken = (clashes: readonly Reservation[]) =>
  conflict(
    'RESERVATION_OVERLAP',
    'Another confirmed stay takes this place on some of these nights. Choose other dates or another place.',
    {
      reservations: clashes.map(({ id, checkInDate, checkOutDate, source }) => ({
        id,
        checkInDate,
        checkOutDate,
        source,
      })),
    },
  );

export const ownedByProvider = (fields: string[]) =>
  conflict('PROVIDER_OWNED', `The system that this reservation came from owns ${fields.join(', ')}. Change it there.`, {
    fields,
  });

export const statusCannotFollow = (from: ReservationStatus, to: ReservationStatus) =>
  conflict('RESERVATION_STATUS', `The reservation is ${from}; it cannot become ${to}.`);

export const notConfirmed = (status: ReservationStatus) =>
  conflict(
    'RESERVATION_NOT_CONFIRMED',
    `The reservation is ${status}; only a confirmed one can be checked in or marked a no-show.`,
  );

export const stayIs = (stayStatus: StayStatus, needed: StayStatus) =>
  conflict('STAY_STATUS', `The stay is ${stayStatus}; this needs it to be ${needed}.`);

export const movedMeanwhile = ({ version }: Reservation) =>
  conflict('VERSION_MISMATCH', 'Somebody moved the stay to another place just now. Read it again first.', { version });

export const cannotMove = (status: ReservationStatus, stayStatus: StayStatus) =>
  conflict(
    'RESERVATION_NOT_MOVABLE',
    `The reservation is ${status} and ${stayStatus}; only a stay that is not over or called off can be moved.`,
  );

export const cannotCancel = (status: ReservationStatus, stayStatus: StayStatus) =>
  conflict(
    'RESERVATION_NOT_CANCELLABLE',
    `The reservation is ${status} and ${stayStatus}; only a stay that has not begun can be cancelled.`,
  );

export const guestWithoutName = () =>
  invalidField(['primaryGuest', 'name'], 'Give the id of a guest that is known, or the name of a new one.');

export const guestStaysElsewhere = () =>
  forbidden(
    'The guest has stays at properties that this credential is kept from, so it cannot erase them. Use one without that limit.',
  );

export const guestNeedsAStay = rejection(
  'GUEST_NEEDS_A_STAY',
  'This credential is limited to some properties and sees only their guests. Name the guest in createReservation instead.',
);
