import { conflict, forbidden, invalidField, type Issue, recordNotFound, rejection, reworded, shaped } from '#errors';
import type { Explanation } from '../../tenancy/stays/explanation.dto.js';
import type { SellingBlock, TypeNight } from '../../tenancy/stays/nights.repository.js';
import { unitTypeIsFull } from '../../tenancy/unit-types/unit-types.errors.js';
import type { ReservationStatus, StayStatus } from './reservation.dto.js';
import {
  BlockedDetails,
  NightsTakenDetails,
  type OtherStay,
  OverlapDetails,
} from './explanations/clash-details.dto.js';
import { MergedDetails, OtherTypeDetails, OwnedFieldsDetails, StaysToComeDetails } from './refusal-details.dto.js';
import type { Reservation } from './reservation.entity.js';

export const reservationNotFound = recordNotFound('reservation', 'listReservations');
export const guestNotFound = recordNotFound('guest', 'listGuests');

export const staysNoNight = rejection(
  'STAY_WITHOUT_A_NIGHT',
  'checkOutDate must be after checkInDate, or the same for a day use whose arrivalAt is before its departureAt.',
);

export const noNightAsked = rejection('NO_NIGHT_ASKED', 'until must be after from. Pass the day after the last night.');

export const noHoursAsked = reworded(
  noNightAsked,
  'For nights, pass an until after from, and no untilTime. For a day use, pass from as until, with a fromTime before untilTime.',
);

export const stayTooLong = rejection(
  'STAY_TOO_LONG',
  'A stay can have at most 1,095 nights. Split it, or set an earlier checkOutDate.',
);

export const arrivesOnAnotherDay = rejection(
  'ARRIVAL_ON_ANOTHER_DAY',
  'arrivalAt must fall on checkInDate, local to the property. Change one of the two.',
);

export const leavesOnAnotherDay = rejection(
  'DEPARTURE_ON_ANOTHER_DAY',
  'departureAt must fall on checkOutDate, local to the property. Change one of the two.',
);

export const stayNotYetDue = rejection('STAY_NOT_YET_DUE', 'The stay starts on a later day. Wait for that day.');

export const checkInNotYetDue = reworded(
  stayNotYetDue,
  'The stay starts on a later day. Wait for that day, or check in with early: true.',
);

export const departedAtImpossible = rejection(
  'DEPARTED_AT_IMPOSSIBLE',
  'departedAt must be after the arrival and not in the future. Omit it if the guests left just now.',
);

export const movesFromNoNight = rejection(
  'MOVE_FROM_IMPOSSIBLE',
  'from is only for moving in-house guests to unitId. Pass a night from today to before checkOutDate, which can be a new one, and no checkInDate or other place.',
);

/** Why a stay cannot have the nights that it is to take. */
export type Clash =
  | { reservations: readonly Reservation[] }
  | { block: SellingBlock }
  | { unitTypeId: string; nights: TypeNight[] };

const named = (clashes: readonly Reservation[]): OtherStay[] =>
  clashes.map(({ id, checkInDate, checkOutDate, source }) => ({ id, checkInDate, checkOutDate, source }));

export const placeIsTaken = (clashes: readonly Reservation[], explanation?: Explanation) =>
  conflict(
    'RESERVATION_OVERLAP',
    'Another confirmed stay has this place on some of these nights, or at some of these hours. Choose another time or another place.',
    shaped(OverlapDetails, { reservations: named(clashes), explanation }),
  );

export const unitIsBlocked = (block: SellingBlock, explanation?: Explanation) =>
  conflict(
    'UNIT_BLOCKED',
    'The unit is blocked on some of these nights. Choose another unit, or end the block with endUnitBlock.',
    shaped(BlockedDetails, { block, explanation }),
  );

/** @throws conflict_error with what is in the way of a booking. */
export const cannotTake = (clash: Clash, explanation: Explanation) => {
  if ('reservations' in clash) return placeIsTaken(clash.reservations, explanation);
  return 'block' in clash
    ? unitIsBlocked(clash.block, explanation)
    : unitTypeIsFull(clash.unitTypeId, clash.nights, explanation);
};

/** The same for a stay that is to get its nights back. */
export const nightsAreTaken = (clash: Clash, explanation: Explanation) =>
  conflict(
    'NIGHTS_TAKEN',
    'Other stays have these nights, or they are blocked. Move the other stays first, or choose another place.',
    shaped(NightsTakenDetails, {
      ...clash,
      reservations: 'reservations' in clash ? named(clash.reservations) : [],
      explanation,
    }),
  );

export const unitNotAssigned = () =>
  conflict('UNIT_NOT_ASSIGNED', 'The stay has no unit yet. Assign one with assignUnit, then check the guests in.');

export const unitOfAnotherType = (unitTypeId: string | null, soldAs: string | null) =>
  conflict(
    'UNIT_OF_ANOTHER_TYPE',
    'The unit is not of the booked type. Choose a unit of that type, or pass force: true to assignUnit.',
    shaped(OtherTypeDetails, { unitTypeId, bookedUnitTypeId: soldAs }),
  );

export const noUnitIsFree = () =>
  conflict(
    'NO_UNIT_AVAILABLE',
    'No unit of the booked type is free for the whole stay. Move another stay, or assign a unit of another type.',
  );

export const unitWithoutType = () =>
  conflict(
    'UNIT_WITHOUT_TYPE',
    'The stay was not sold as a unit type, so it cannot wait for another unit. Move it with moveReservation.',
  );

export const ownedByProvider = (fields: string[]) =>
  conflict(
    'PROVIDER_OWNED',
    `${fields.join(', ')} can only be changed in the system that this reservation was imported from. Make the change there.`,
    shaped(OwnedFieldsDetails, { fields }),
  );

export const statusCannotFollow = (from: ReservationStatus, to: ReservationStatus) =>
  conflict('RESERVATION_STATUS', `The reservation is ${from} and cannot become ${to}.`);

export const cancelInstead = () => invalidField(['status'], 'Cancel the reservation with cancelReservation.');

export const notConfirmed = (status: ReservationStatus) =>
  conflict(
    'RESERVATION_NOT_CONFIRMED',
    `The reservation is ${status}; only a confirmed one can be checked in or marked a no-show.`,
  );

/** Of a booking that another system takes back. */
export const guestsHaveCome = (status: ReservationStatus) =>
  conflict(
    'RESERVATION_NOT_CONFIRMED',
    `The guests have come, so the reservation cannot become ${status}. Check them out when they leave, or save it as not_arrived if they never came.`,
  );

export const stayIs = (stayStatus: StayStatus, needed: StayStatus) =>
  conflict('STAY_STATUS', `The stay is ${inWords(stayStatus)}; it must be ${inWords(needed)}.`);

const inWords = (stayStatus: StayStatus): string => stayStatus.replaceAll('_', ' ');

export const nightsWereReleased = () =>
  conflict('STAY_STATUS', 'The nights of this no-show were released since. Take them again with undoNoShow.');

/** Of what an undo would take from them. */
export const guestsKeep = (what: 'room' | 'nights') =>
  conflict(
    'STAY_STATUS',
    `The guests are in house and keep their ${what}. If they never arrived, undo the check-in first.`,
  );

export const roomsHaveChanged = () =>
  conflict('RESERVATION_NOT_MOVABLE', 'The guests have other rooms or nights by now. Move them with moveReservation.');

export const movedMeanwhile = ({ version }: Reservation) =>
  conflict('VERSION_MISMATCH', 'The stay was moved to another property just now. Read it again, then retry.', {
    version,
  });

/** @param state in words (`stateOf`). */
export const cannotMove = (state: string) =>
  conflict(
    'RESERVATION_NOT_MOVABLE',
    `The stay is ${state}. Only a stay that has neither ended nor been cancelled can be moved.`,
  );

/** @param state in words (`stateOf`). */
export const cannotCancel = (state: string) =>
  conflict(
    'RESERVATION_NOT_CANCELLABLE',
    state === 'cancelled'
      ? 'The stay is cancelled already.'
      : `The stay is ${state}. Only a stay whose guests have not arrived can be cancelled.`,
  );

/** @param field of the stay that names the guest. */
export const guestWithoutName = (field: Issue['path']) =>
  invalidField([...field, 'name'], 'Pass either the id of an existing guest or the name of a new one.');

export const guestGivenTwice = rejection(
  'GUEST_GIVEN_TWICE',
  'The guest with this id has other details. Pass only the id, and change the guest with updateGuest.',
);

export const guestIsMerged = (mergedInto: string) =>
  conflict(
    'GUEST_MERGED',
    `The guest was merged into another one. Use ${mergedInto}.`,
    shaped(MergedDetails, { mergedInto }),
  );

export const mergedWithItself = () =>
  invalidField(['fromGuestId'], 'A guest cannot be merged with itself. Pass the id of another guest.');

export const guestStaysElsewhere = () =>
  forbidden(
    "The guest has stays at properties outside this credential's limit. Use a credential without a property limit.",
  );

export const guestNeedsAStay = rejection(
  'GUEST_NEEDS_A_STAY',
  'This credential is limited to some properties and sees only their guests. Pass the guest in createReservation instead.',
);

export const wouldCancelStays = (stays: number) =>
  conflict(
    'STAYS_WOULD_BE_CANCELLED',
    'The connection has future stays. Pass force: true to cancel them, or omit stays to keep them.',
    shaped(StaysToComeDetails, { stays }),
  );
