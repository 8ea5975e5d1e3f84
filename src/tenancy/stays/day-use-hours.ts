import { takesNights } from './type-nights.js';

const isDayUseOf = (r: string): string =>
  `${r}.check_in_date = ${r}.check_out_date and ${r}.status = 'confirmed' and not ${r}.released`;
/** The confirmed day uses `r` of an organization. */
export const isDayUse = isDayUseOf('r');

/** When the hours of a day use `r` end: as booked, or when its guests left before; the rest is free then. */
export const hoursEndOf = (r: string): string => `least(${r}.departure_at, ${r}.departed_at)`;

/** Hours of a day at the property, in SQL. */
interface Hours {
  day: string;
  from: string;
  until: string;
  /** The stay itself, if it may have a unit or nights already. */
  except?: string;
}

/** When guests leave the room of a segment `s` at a property `p`; those who change rooms leave the old one at check-out time. */
const leftAt = `case when s.until_date < s.departure::date then s.until_date + p.check_out_time::time else s.departure end`;

/** From when until when guests are in the room of a segment. */
const stayedIn = (place: string, except?: string): string =>
  `select case when s.from_date > s.check_in_date then s.from_date when s.stay_status = 'checked_in' then '-infinity' else s.arrival end as starts,
          ${leftAt} as ends
     from stay_segments s
    where s.org_id = $1 and s.until_date >= wanted.day and s.stay_status <> 'checked_out' and ${place}${except ? ` and s.reservation_id <> ${except}` : ''}`;

/** Whether no other guests are in one of `units`, or in the whole property, during hours of a day. */
export const isFreeDuring = ({ day, from, until, except }: Hours): string => `not exists (
  select 1
    from properties p
   cross join lateral (select ${day} as day, ${from} at time zone p.timezone as starts, ${until} at time zone p.timezone as ends) wanted
   cross join lateral (
     ${stayedIn('s.unit_id = units.id', except)}
     union all
     ${stayedIn('s.property_id = units.property_id and s.unit_id is null and s.unit_type_id is null', except)}
     union all
     select o.arrival_at at time zone p.timezone, ${hoursEndOf('o')} at time zone p.timezone
       from reservations o
      where o.org_id = $1 and o.property_id = units.property_id and o.check_in_date = wanted.day and ${isDayUseOf('o')}${except ? ` and o.id <> ${except}` : ''}
        and (o.unit_id = units.id or (o.unit_id is null and o.unit_type_id is null))) other
   where p.org_id = $1 and p.id = units.property_id and other.starts < wanted.ends and other.ends > wanted.starts)`;

/** A moment of a day at the property `$2`, in SQL: on the clock of the property `p`, as `now` is. */
interface Moment {
  day: string;
  at: string;
  now: string;
  /** The stay that is to be placed, or null. */
  except: string;
}

/**
 * The units of a property that others leave on a day, but only after a moment, and those that they have not left although
 * the moment, or their departure, is over.
 */
export const unitsLeftAfter = ({ day, at, now, except }: Moment): string => `
  select other.unit_id
    from properties p
   cross join lateral (
     select s.reservation_id as id, s.unit_id, ${leftAt} as ends, s.stay_status, s.here_now
       from stay_segments s
      where s.org_id = $1 and s.property_id = $2 and s.until_date = ${day}
     union all
     select o.id, o.unit_id, o.departure_at at time zone p.timezone, o.stay_status, true
       from reservations o
      where o.org_id = $1 and o.property_id = $2 and o.check_in_date = ${day} and ${isDayUseOf('o')}) other
   where p.org_id = $1 and p.id = $2 and other.stay_status <> 'checked_out' and other.id is distinct from ${except}
     and (other.ends > ${at} or (other.stay_status = 'checked_in' and other.here_now and least(${at}, other.ends) <= ${now}))`;

/** Whether none of `units` is free for a day use `r` that waits for one of its type. */
export const waitsInVain = `r.unit_id is null and r.unit_type_id is not null and not exists (
  select 1 from units
   where units.org_id = $1 and units.unit_type_id = r.unit_type_id and units.archived_at is null
     and not exists (select 1 from unit_blocks b
                      where b.org_id = $1 and b.property_id = units.property_id and (b.unit_id is null or b.unit_id = units.id)
                        and ${takesNights} and b.from_date <= r.check_in_date and coalesce(b.until_date, 'infinity') > r.check_in_date)
     and ${isFreeDuring({ day: 'r.check_in_date', from: 'r.arrival_at', until: 'r.departure_at' })})`;
