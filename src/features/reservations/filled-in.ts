import { hyphened, type TenantDatabase, uuidIn } from '#persistence';
import { pushProvider, pushSettingsOf } from '../../outside/by-reference/push-settings.dto.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import { isDayUse, isFreeDuring } from '../../tenancy/stays/day-use-hours.js';
import { takesNights } from '../../tenancy/stays/type-nights.js';
import { type GuestOfStayView, stayWarnings } from './reservation.dto.js';
import type { Reservation } from './reservation.entity.js';

/** Whether a block is on nights of a stay `r`, or on its day. */
const isBlocked = (where: string): string => `exists (
  select 1
    from (select unit_id, from_date, until_date from stay_segments where org_id = $1 and reservation_id = r.id
          union all
          select r.unit_id, r.check_in_date, r.check_in_date + 1
           where r.check_in_date = r.check_out_date and r.status = 'confirmed' and not r.released) s
    join unit_blocks b on b.org_id = $1 and ${where} and ${takesNights}
     and b.from_date < s.until_date and coalesce(b.until_date, 'infinity') > s.from_date)`;

const hours = { day: 'r.check_in_date', from: 'r.arrival_at', until: 'r.departure_at', except: 'r.id' };
/** The stays `o` whose guests are in the unit of a stay `r`. */
const isInUnit = `o.org_id = $1 and o.property_id = r.property_id and o.unit_id = r.unit_id and o.stay_status = 'checked_in'`;
const today = '($5::timestamptz at time zone r.timezone)::date';
/** Whether others are to be in the room of a day use, or should have left it. $5 is now. */
const isUsedByOthers = `r.stay_status in ('not_arrived', 'checked_in') and ${isDayUse}
                and (exists (select 1 from reservations o where ${isInUnit} and o.check_out_date < ${today} and r.check_in_date <= ${today})
                     or exists (select 1 from units where units.org_id = $1 and units.id = r.unit_id and not ${isFreeDuring(hours)}))`;

/**
 * Whether others are in the room of a stay before the nights that they have there, on nights of the stay: from its day of
 * arrival on, since most stays of a list are later.
 */
const isUsedBefore = `r.status = 'confirmed' and r.stay_status in ('not_arrived', 'checked_in')
                and r.check_in_date <= ${today} and r.check_out_date > ${today}
                and exists (select 1 from stay_segments o
                             where o.org_id = $1 and o.unit_id = r.unit_id and o.until_date > ${today} and o.here_now
                               and o.stay_status = 'checked_in' and o.check_in_date > ${today} and o.check_in_date > r.check_in_date)`;

/** Whether the guests of two stays that overlap are in one room. */
const isUsedAsWell = `r.overlapping and r.stay_status = 'checked_in'
                and exists (select 1 from stay_segments o
                             where o.org_id = $1 and o.unit_id = r.unit_id and o.until_date > ${today} and o.here_now
                               and o.stay_status = 'checked_in' and o.reservation_id <> r.id)`;

/**
 * What to look at in the stays $3: more guests than the unit, or else its type, sleeps; a block in a whole property, or of the
 * unit of a stay that keeps it; guests in a room in which others are still checked in, or already. Those who were to leave before are
 * few, and an index finds them; a day use may be in a room of anybody.
 *
 * @param ofDayUses the condition for day uses. Just to start it takes PostgreSQL a seventh of a booking.
 */
const warnings = (ofDayUses: string): string => `
  select r.id, null, concat_ws(',',
           case when (guest_counts ->> 'adults')::integer + coalesce((guest_counts ->> 'children')::integer, 0)
                  > coalesce(u.capacity, t.capacity) then 'over_capacity' end,
           case when r.unit_id is null and r.unit_type_id is null and ${isBlocked('b.property_id = r.property_id')}
                 or r.unit_id is not null and r.stay_status <> 'checked_out'
                and (${isBlocked('b.unit_id = s.unit_id')}
                     or ${isBlocked('b.property_id = r.property_id and b.unit_id is null')})
                then 'unit_blocked' end,
           case when r.stay_status = 'checked_in' and r.unit_id is not null and exists (
                  select 1 from reservations o
                   where ${isInUnit} and o.id <> r.id
                     and o.check_out_date <= case when o.check_in_date = o.check_out_date or r.check_in_date = r.check_out_date then 'infinity'
                                                 else coalesce((r.rooms -> -1 ->> 'from')::date, r.check_in_date) end)
                 or ${isUsedBefore}
                 or ${isUsedAsWell}
                 or ${ofDayUses}
                then 'unit_occupied' end)
    from reservations r
    left join units u on u.org_id = $1 and u.id = r.unit_id
    left join unit_types t on t.org_id = $1 and t.id = r.unit_type_id
   where r.org_id = $1 and r.id = any($3::uuid[])`;

const warningsOfNights = warnings('false');
const warningsOfAll = warnings(isUsedByOthers);

/** Fills in values that are stored elsewhere: the names of guests, and warnings. */
export async function filledIn(
  database: TenantDatabase,
  orgId: string,
  reservations: Reservation[],
): Promise<Reservation[]> {
  if (reservations.length === 0) return reservations;
  const hasDayUses = reservations.some(({ checkInDate, checkOutDate }) => checkInDate === checkOutDate);
  const rows = await database.rowsByOnePlan(
    orgId,
    `select id, name as text, null as noted from guests where org_id = $1 and id = any($2::uuid[])
     union all select id, settings::text, null from connections
                where org_id = $1 and id = any($4::uuid[]) and provider = '${pushProvider}'
     union all ${hasDayUses ? warningsOfAll : warningsOfNights}`,
    [
      uuidIn(orgId),
      reservations.flatMap(({ guestId, companionIds }) => [guestId ?? [], companionIds].flat()).map(uuidIn),
      reservations.map(({ id }) => uuidIn(id)),
      [...new Set(reservations.flatMap(({ connectionId }) => connectionId ?? []))].map(uuidIn),
      new Date().toISOString(),
    ],
  );
  const texts = new Map(
    rows.flatMap(({ id, text }) => (text === null ? [] : [[id as string, text as string] as const])),
  );
  const notes = new Map(
    rows.flatMap(({ id, noted }) => (noted === null ? [] : [[id as string, noted as string] as const])),
  );
  const textOf = (id: string): string => texts.get(hyphened(id)) as string;
  const shownGuest = (id: string): GuestOfStayView => ({ id, name: textOf(id) });
  for (const reservation of reservations) {
    reservation.primaryGuest = reservation.guestId === null ? null : shownGuest(reservation.guestId);
    reservation.companions = reservation.companionIds.map(shownGuest);
    const settings = reservation.connectionId && texts.get(hyphened(reservation.connectionId));
    reservation.pushed = settings ? pushSettingsOf({ settings: JSON.parse(settings) as object }) : null;
    const noted = notes.get(hyphened(reservation.id));
    const found = [noted ?? '', isEarly(reservation) ? 'nights_not_held' : ''].join();
    reservation.warnings = stayWarnings.filter((warning) => found.includes(warning));
  }
  return reservations;
}

/** Whether the guests are in house before the first night that they have. */
const isEarly = ({ status, stayStatus, checkInDate, timezone }: Reservation): boolean =>
  status === 'confirmed' && stayStatus === 'checked_in' && checkInDate > dayIn(timezone);
