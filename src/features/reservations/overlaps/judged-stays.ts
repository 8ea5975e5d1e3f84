import { hoursEndOf, isDayUse, waitsInVain } from '../../../tenancy/stays/day-use-hours.js';
import { stretches, takesNights } from '../../../tenancy/stays/type-nights.js';

/**
 * The segments `s` of one stay. They are read in their order, because it has a single index: of an organization without
 * statistics, PostgreSQL expects one row whatever is asked, and may read all its segments for each stay.
 */
export const segmentsOfStay = (id: string) =>
  `lateral (select * from stay_segments where org_id = $1 and reservation_id = ${id} order by from_date) s`;

/**
 * The segments that share nights with a segment `s`: those in its unit, those of a whole property, and all where it is
 * of a whole property itself. Each part has an index of its own.
 */
export const meeting = `
  select m.reservation_id from stay_segments m
   where m.org_id = $1 and m.unit_id = s.unit_id and m.until_date > s.from_date and m.from_date < s.until_date
  union all
  select m.reservation_id from stay_segments m
   where m.org_id = $1 and m.property_id = s.property_id and m.until_date > s.from_date and m.from_date < s.until_date
     and m.unit_id is null and m.unit_type_id is null
  union all
  select m.reservation_id from stay_segments m
   where m.org_id = $1 and m.property_id = s.property_id and m.until_date > s.from_date and m.from_date < s.until_date
     and s.unit_id is null and s.unit_type_id is null`;

/** Whether a stay is flagged. */
export const isFlagged = (id: string, more = '') =>
  `exists (select 1 from reservations flagged where flagged.org_id = $1 and flagged.id = ${id} and flagged.overlapping ${more})`;
const isHandedOver = (id: string) => isFlagged(id, "and flagged.source <> 'manual'");

/**
 * The stays that are one too many of their type on a night: those of other systems, those that were when their system handed
 * them over, and those that wait for a unit since they lost theirs to a block. Other stays that were booked here are refused
 * before. Each stay in a unit of such a type is found by its unit, and each that waits for one by its type.
 */
const tooMany = `
  held as materialized (
    select reservation_id, daterange(from_date, until_date) as nights,
           coalesce(s.unit_type_id, (select unit_type_id from units where org_id = $1 and id = s.unit_id)) as type_id
      from near cross join ${segmentsOfStay('near.id')} where exempt or ${isHandedOver('near.id')}),
  spans as materialized (
    select type_id, min(lower(nights)) as first, max(upper(nights)) as last from held where type_id is not null group by type_id),
  rooms as materialized (
    select u.id, u.property_id, type_id, first, last
      from spans join units u on u.org_id = $1 and u.unit_type_id = type_id and u.archived_at is null),
  stays as materialized (
    select type_id, null::uuid as unit_id, m.from_date, m.until_date
      from spans join stay_segments m on m.org_id = $1 and m.unit_type_id = type_id and m.until_date > first and m.from_date < last
    union all
    select type_id, rooms.id, m.from_date, m.until_date
      from rooms cross join lateral (
             select from_date, until_date from stay_segments
              where org_id = $1 and unit_id = rooms.id and until_date > first and from_date < last order by until_date) m),
  blocks as (
    select type_id, rooms.id as unit_id, b.from_date, coalesce(b.until_date, 'infinity') as until_date
      from rooms join unit_blocks b on b.org_id = $1 and b.property_id = rooms.property_id
       and (b.unit_id is null or b.unit_id = rooms.id) and ${takesNights}
       and b.from_date < last and coalesce(b.until_date, 'infinity') > first),
  ${stretches},
  crowded as materialized (
    select type_id, range_agg(nights) as nights
      from stretches left join (select type_id, count(*) as units from rooms group by type_id) existing using (type_id)
     where taken > coalesce(existing.units, 0) - unsold group by type_id),
  too_many as (
    select reservation_id as id from held join crowded using (type_id) where held.nights && crowded.nights)`;

/** The day uses `o` that have the place of the day use `r` at some of its hours. */
const sharesHours = `
  o.property_id = r.property_id and o.check_in_date = r.check_in_date and o.check_in_date = o.check_out_date
  and o.status = 'confirmed' and not o.released and o.place_id = r.place_id and o.id <> r.id
  and o.arrival_at < ${hoursEndOf('r')} and ${hoursEndOf('o')} > r.arrival_at`;

/** PostgreSQL expects many of the stays `near`, and would read all stays of the organization to join them with these. */
export const isNear = (id: string): string => `${id} = any(array(select id from near))`;

/** The day uses that lost their unit to a block, of which their type has no other one during their hours. */
const crowdedOut = `select r.id from reservations r
   where r.org_id = $1 and ${isNear('r.id')} and r.exempt and ${isDayUse} and ${waitsInVain}`;

/** Whether each of the stays `near` is to be flagged. */
export const judged = `
  ${tooMany},
  judged as (
    select near.id, exists (
             select 1 from ${segmentsOfStay('near.id')} cross join lateral (${meeting}) o
              where o.reservation_id <> s.reservation_id)
           or near.id in (select id from too_many)
           or near.id in (${crowdedOut})
           or exists (
             select 1 from reservations r join reservations o on o.org_id = $1 and ${sharesHours}
              where r.org_id = $1 and r.id = near.id and ${isDayUse}) as overlapping
      from near)`;
