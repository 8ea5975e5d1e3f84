import { cameOn } from '../../tenancy/stays/in-house.js';
import type { Caller } from '#access';
import { called, uuidIn, type Where } from '#persistence';
import type { CountReservations, ListReservations } from './reservation-lists.dto.js';
import { staysOf } from './search.js';

export const sortable = {
  updatedAt: { asc: 'updated_at', desc: 'updated_at' },
  checkInDate: { asc: 'check_in_date', desc: 'check_in_date' },
};
export const isOfGuestCalled = {
  ...called('guests'),
  inRow: '(select g.name from guests g where g.org_id = reservations.org_id and g.id = guest_id) ilike ?',
  column: 'guest_id',
};
/** Ids of the stays in a unit, for all of their nights or some. */
const staysIn = (unit: string): string =>
  `select id from reservations s where s.org_id = $1 and s.unit_id = ${unit}
   union all
   select reservation_id from stay_segments m where m.org_id = $1 and m.unit_id = ${unit}`;
const isUnassigned = 'unit_id is null and unit_type_id is not null';
const isOfGuestAt = 'guest_id = any(array(select id from guests g where g.org_id = $1 and g.email_key = lower(?)))';

const isOver = 'id = any((select stays_over(?::date, ?::uuid[], ?::uuid, ?::integer))::uuid[])';
const decidedWithIt = ['stayingOn', 'propertyId', 'limit', 'cursor'];

/** Whether `isOver` decides which stays a page has: a list by creation that nothing else filters. */
const isOnlyOver = ({ sort = '-createdAt', ...filters }: CountReservations & ListReservations): boolean =>
  sort === '-createdAt' &&
  Object.entries(filters).every(([name, value]) => value === undefined || decidedWithIt.includes(name));

/** Adds what lists and counts of stays filter by, for a credential that sees these properties, or all. */
export function filter(where: Where, filters: CountReservations, { propertyIds }: Pick<Caller, 'propertyIds'>): Where {
  where
    .when(filters.propertyId && uuidIn(filters.propertyId), 'property_id = ?')
    .when(filters.unitTypeId && uuidIn(filters.unitTypeId), 'unit_type_id = ?')
    .whenWithin(filters.groupRef, 'group_ref = ?')
    .when(filters.status, 'status = ?')
    .when(filters.stayStatus, 'stay_status = ?')
    .whenWithin(filters.channel, 'channel = ?')
    .whenWithin(filters.confirmationCode, 'confirmation_code = ?')
    .whenWithin(filters.guestEmail, isOfGuestAt)
    .whenWithin(filters.arrivingOn, 'check_in_date = ?::date')
    .whenWithin(filters.arrivingFrom, 'check_in_date >= ?::date')
    .whenWithin(filters.arrivingBefore, 'check_in_date < ?::date')
    .whenWithin(filters.departingOn, 'check_out_date = ?::date')
    .whenWithin(
      filters.inHouseOn,
      `stay_status = 'checked_in' and least(check_in_date, ${cameOn('reservations')}) <= ?::date`,
    );
  // Until today, those who should have left before were in house too.
  if (filters.inHouseOn)
    where.andNow('greatest(check_out_date, (?::timestamptz at time zone timezone)::date) > ?::date', filters.inHouseOn);
  const { guestId, unitId, unassigned, stayingOn, propertyId } = filters;
  if (stayingOn) {
    const places = (propertyId ? [propertyId] : propertyIds)?.map(uuidIn) ?? null;
    if (isOnlyOver(filters)) where.andOfPage(isOver, stayingOn, places);
    else where.and(isOver, stayingOn, places, null, null);
  }
  if (guestId) where.and(`id = ${staysOf('?')}`, uuidIn(guestId), uuidIn(guestId));
  if (unitId) where.and(`id = any(array(${staysIn('?')}))`, uuidIn(unitId), uuidIn(unitId));
  if (unassigned !== undefined) where.and(unassigned ? isUnassigned : `not (${isUnassigned})`);
  return where;
}
