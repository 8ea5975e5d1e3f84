import { occupiesOf } from './occupancy.js';
import type { Reservation } from './reservation.entity.js';
import { stayIs, stayNotYetDue, unitNotAssigned } from './reservations.errors.js';

const ofState = ['status', 'stayStatus', 'propertyId', 'unitId', 'unitTypeId', 'rooms', 'checkInDate', 'checkOutDate'];

/**
 * What happened to a stay since a change may not fit what it was before: only a confirmed stay has guests, in a room, and not
 * before its day, unless they were there early before.
 *
 * @param fields those that are put back.
 * @param today local to the property.
 * @throws conflict_error or validation_error for a state that no other operation leads to.
 */
export function refusePutBack(stay: Reservation, fields: Partial<Reservation>, today: string): void {
  if (!ofState.some((name) => name in fields)) return;
  const wanted = { ...stay, ...fields };
  const { status, stayStatus, checkInDate } = wanted;
  if (stayStatus === 'not_arrived') return;
  const isOverUnseen = status === 'cancelled' && stayStatus === 'no_show';
  if (status !== 'confirmed' && !isOverUnseen) throw stayIs(stayStatus, 'not_arrived');
  if (stayStatus === 'checked_in' && occupiesOf(wanted) === 'unit_type') throw unitNotAssigned();
  const isEarlyAlready = !('stayStatus' in fields) && checkInDate <= stay.checkInDate;
  if (checkInDate > today && !isEarlyAlready) throw stayNotYetDue();
}
