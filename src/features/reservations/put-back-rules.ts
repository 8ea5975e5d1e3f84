import { occupiesOf, roomOn } from './occupancy.js';
import type { Reservation } from './reservation.entity.js';
import {
  departedAtImpossible,
  guestsKeep,
  nightsWereReleased,
  roomsHaveChanged,
  stayIs,
  stayNotYetDue,
  unitNotAssigned,
} from './reservations.errors.js';
import { arrivedAtOf } from './stay-rules.js';
import { refuseDates } from './stay-times.js';

type Wanted = Pick<Reservation, (typeof ofState)[number]>;

const ofDates = ['checkInDate', 'checkOutDate', 'arrivalAt', 'departureAt'] as const;
const ofRooms = ['unitId', 'rooms', 'checkOutDate'] as const;
const ofState = [
  ...ofDates,
  ...ofRooms,
  'propertyId',
  'unitTypeId',
  'status',
  'stayStatus',
  'released',
  'checkedInAt',
  'departedAt',
] as const;

/**
 * What happened to a stay since a change may not fit what it was before, as later changes may have changed only some of the
 * fields that belong together.
 *
 * @param fields those that are put back.
 * @param today local to the property.
 * @throws conflict_error or validation_error for a state that no other operation leads to.
 */
export function refusePutBack(stay: Reservation, fields: Partial<Reservation>, today: string): void {
  const isAnyOf = (names: readonly string[]): boolean => names.some((name) => name in fields);
  if (!isAnyOf(ofState)) return;
  const wanted = { ...stay, ...fields };
  if (isAnyOf(ofDates)) refuseDates(wanted);
  if (isAnyOf(ofRooms)) refuseRooms(wanted, today);
  const isEarlyAlready = !('stayStatus' in fields) && wanted.checkInDate <= stay.checkInDate;
  refuseState(wanted, isEarlyAlready ? wanted.checkInDate : today, stay.stayStatus === 'checked_in');
}

/**
 * Only a confirmed stay has guests, in a room, not before its day, and they leave after they arrive.
 *
 * @param isInHouse whether guests are there now: then the reason is that they stay, and not what a check-in needs.
 */
function refuseState(wanted: Wanted, soonest: string, isInHouse: boolean): void {
  const { status, stayStatus, released, checkInDate, departedAt } = wanted;
  if (released && stayStatus !== 'no_show') throw nightsWereReleased();
  if (stayStatus === 'not_arrived') return;
  const isOverUnseen = status === 'cancelled' && stayStatus === 'no_show';
  if (status !== 'confirmed' && !isOverUnseen) throw stayIs(stayStatus, 'not_arrived');
  if (stayStatus === 'checked_in' && occupiesOf(wanted) === 'unit_type')
    throw isInHouse ? guestsKeep('room') : unitNotAssigned();
  if (checkInDate > soonest) throw isInHouse ? guestsKeep('nights') : stayNotYetDue();
  if (departedAt && Date.parse(departedAt) < arrivedAtOf(wanted)) throw departedAtImpossible();
}

/** Guests who change rooms are in one of these rooms, that of today while they are in house, and in none after the last night. */
function refuseRooms({ rooms, unitId, checkOutDate, stayStatus }: Wanted, today: string): void {
  const last = rooms.at(-1);
  if (!last) return;
  const possible = stayStatus === 'checked_in' ? [roomOn(rooms, today).room] : rooms;
  if (last.from >= checkOutDate || !possible.some((room) => room?.unitId === unitId)) throw roomsHaveChanged();
}
