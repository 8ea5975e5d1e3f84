import { Injectable } from '@nestjs/common';
import { type Changed, Cursors, idColumn, Table, TenantDatabase, uuidIn } from '#persistence';
import { placeOf } from '../../../tenancy/stays/stay.js';
import type { Nights } from '../../../tenancy/stays/nights.repository.js';
import { stretches, takesNights } from '../../../tenancy/stays/type-nights.js';
import { isDayUse, segmentsOf } from '../occupancy.js';
import { Reservation } from '../reservation.entity.js';
import type { CrowdedPlace, InOrder } from './crowded-places.repository.js';

/**
 * The segments `s` of one stay. They are read in their order, because it has a single index: of an organization without
 * statistics, PostgreSQL expects one row whatever is asked, and may read all its segments for each stay.
 */
const segmentsOfStay = (id: string) =>
  `lateral (select * from stay_segments where org_id = $1 and reservation_id = ${id} order by from_date) s`;

/**
 * The segments that share nights with a segment `s`: those in its unit, those of a whole property, and all where it is
 * of a whole property itself. Each part has an index of its own.
 */
const meeting = `
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
const isFlagged = (id: string, more = '') =>
  `exists (select 1 from reservations flagged where flagged.org_id = $1 and flagged.id = ${id} and flagged.overlapping ${more})`;
const isHandedOver = (id: string) => isFlagged(id, "and flagged.source <> 'manual'");

/**
 * The stays of other systems that are one too many of their type on a night, and those that were when their system handed
 * them over. Stays that were booked here are refused before, or have lost their unit to a block. Each stay in a unit of such
 * a type is found by its unit, and each that waits for one by its type.
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
  and o.arrival_at < r.departure_at and o.departure_at > r.arrival_at`;

/** Whether each of the stays `near` is to be flagged. */
const judged = `
  ${tooMany},
  judged as (
    select near.id, exists (
             select 1 from ${segmentsOfStay('near.id')} cross join lateral (${meeting}) o
              where o.reservation_id <> s.reservation_id)
           or near.id in (select id from too_many)
           or exists (
             select 1 from reservations r join reservations o on o.org_id = $1 and ${sharesHours}
              where r.org_id = $1 and r.id = near.id and r.check_in_date = r.check_out_date and r.status = 'confirmed'
                and not r.released) as overlapping
      from near)`;

const reservationId = idColumn('reservation');

/** A stay that was made or changed. */
export interface ChangedReservation {
  after: Reservation;
  before?: Reservation;
}

/** Which stays have the same place on the same nights. */
@Injectable()
export class OverlapsRepository {
  private readonly table: Table<Reservation>;

  constructor(
    private readonly database: TenantDatabase,
    cursors: Cursors,
  ) {
    this.table = new Table(database, Reservation, cursors);
  }

  /** The confirmed stays that a stay would meet, whichever system owns them: at its place, or the whole property. */
  clashesWith(stay: Reservation): Promise<Reservation[]> {
    const { orgId, id, propertyId, arrivalAt, departureAt } = stay;
    const where = this.table.where(orgId).and('id <> ?', uuidIn(id));
    if (isDayUse(stay)) {
      where
        .and('place_id = ? and check_in_date = check_out_date', uuidIn(placeOf(stay)))
        .and("status = 'confirmed' and not released and arrival_at < ? and departure_at > ?", departureAt, arrivalAt);
    } else {
      const segments = segmentsOf(stay);
      where.and(
        `id in (select o.reservation_id
                  from (select ?::uuid as property_id, one.*
                          from unnest(?::uuid[], ?::uuid[], ?::date[], ?::date[]) one (unit_id, unit_type_id, from_date, until_date)) s
                 cross join lateral (${meeting}) o)`,
        uuidIn(propertyId),
        segments.map(({ unitId }) => unitId && uuidIn(unitId)),
        segments.map(({ unitTypeId }) => unitTypeId && uuidIn(unitTypeId)),
        segments.map(({ from }) => from),
        segments.map(({ until }) => until),
      );
    }
    return this.table.find(orgId, where, 'order by check_in_date limit 20');
  }

  /**
   * Flags stays that overlap another one, and those of other systems of which their type has too few units, and clears the
   * flag of those that no longer do: of the stays that changed, those that meet them, those that are flagged on their nights,
   * as they are and as they were, and day uses on their day. Others cannot have met them, and may be thousands.
   */
  markChanged(orgId: string, changes: readonly ChangedReservation[]): Promise<Changed<Reservation>[]> {
    const stays = changes.flatMap(({ after, before = after }) => [after, before]);
    return this.judge(
      orgId,
      `select unnest($3::uuid[]) as id
       union select r.id
               from (select property_id, range_agg(daterange(from_date, until_date)) as nights
                       from unnest($4::uuid[], $5::date[], $6::date[]) booked (property_id, from_date, until_date)
                      group by property_id) booked
               join reservations r on r.org_id = $1 and r.property_id = booked.property_id and r.overlapping
                and booked.nights && daterange(r.check_in_date, r.check_out_date)
       union select r.id
               from unnest($4::uuid[], $5::date[], $6::date[]) booked (property_id, from_date, until_date)
               join reservations r on r.org_id = $1 and r.property_id = booked.property_id and r.check_in_date = from_date
                and r.check_in_date = r.check_out_date and r.status = 'confirmed'
              where from_date = until_date
       union select o.reservation_id from unnest($3::uuid[]) changed (id)
              cross join ${segmentsOfStay('changed.id')} cross join lateral (${meeting}) o`,
      [
        changes.map(({ after }) => uuidIn(after.id)),
        stays.map(({ propertyId }) => uuidIn(propertyId)),
        stays.map(({ checkInDate }) => checkInDate),
        stays.map(({ checkOutDate }) => checkOutDate),
      ],
    );
  }

  /** The same, of only these stays. */
  markThese(orgId: string, stayIds: readonly string[]): Promise<Changed<Reservation>[]> {
    return this.judge(orgId, 'select unnest($3::uuid[]) as id', [stayIds.map(uuidIn)]);
  }

  /** How many of these stays would be flagged, and how many cleared. */
  async foresee(orgId: string, stayIds: readonly string[]): Promise<{ flagged: number; cleared: number }> {
    const [row] = await this.database.rows(
      orgId,
      `with near as (select unnest($2::uuid[]) as id), ${judged}
       select count(*) filter (where judged.overlapping)::integer as flagged,
              count(*) filter (where not judged.overlapping)::integer as cleared
         from judged join reservations r on r.org_id = $1 and r.id = judged.id and r.overlapping <> judged.overlapping`,
      [uuidIn(orgId), stayIds.map(uuidIn)],
    );
    return row as { flagged: number; cleared: number };
  }

  /**
   * The stays at a place that may be one too many there, in the order of their last nights.
   *
   * @param after the segment after which to begin.
   * @param most how many segments to read.
   * @returns the last segment that was read if there may be more.
   */
  async crowdedIn(
    orgId: string,
    { propertyId, unitTypeId, from, until, onlyFlagged }: CrowdedPlace,
    after: InOrder | null,
    most: number,
  ): Promise<{ stayIds: string[]; last: InOrder | undefined }> {
    const rows = await this.database.rows(
      orgId,
      `select s.reservation_id, s.until_date from stay_segments s left join units u on u.org_id = $1 and u.id = s.unit_id
        where s.org_id = $1 and s.property_id = $2 and s.until_date > $4::date
          and s.from_date < coalesce($5::date, 'infinity')
          and ($3::uuid is null or coalesce(s.unit_type_id, u.unit_type_id) = $3)
          and ((s.exempt and not $6) or ${isFlagged('s.reservation_id')})
          and ($7::date is null or (s.until_date, s.reservation_id) > ($7, $8::uuid))
        order by s.until_date, s.reservation_id limit $9`,
      [
        uuidIn(orgId),
        uuidIn(propertyId),
        unitTypeId && uuidIn(unitTypeId),
        from,
        until,
        onlyFlagged,
        after && after.until,
        after && uuidIn(after.stayId),
        most,
      ],
    );
    const stayIds = rows.map((row) => reservationId.from(row.reservation_id) as string);
    const end = rows.length === most ? rows.at(-1) : undefined;
    return { stayIds, last: end && { until: end.until_date as string, stayId: stayIds.at(-1) as string } };
  }

  /** @param near the stays that may be other than they are flagged. */
  private judge(orgId: string, near: string, values: unknown[]): Promise<Changed<Reservation>[]> {
    return this.table.changing(
      orgId,
      `with near as (${near}), ${judged}
       update reservations r set overlapping = judged.overlapping, version = version + 1, updated_at = $2
         from judged where r.org_id = $1 and r.id = judged.id and r.overlapping <> judged.overlapping`,
      [uuidIn(orgId), new Date().toISOString(), ...values],
    );
  }

  /** The confirmed stays that a block of these nights would meet, but for those that are over: locked, in one order. */
  staysIn(orgId: string, propertyId: string, unitId: string | null, { from, until }: Nights): Promise<Reservation[]> {
    const where = this.table.where(orgId).and(
      `id in (select reservation_id from stay_segments s
               where s.org_id = $1 and s.property_id = ? and s.until_date > ?::date and s.from_date < coalesce(?::date, 'infinity')
                 and (?::uuid is null or s.unit_id = ? or (s.unit_id is null and s.unit_type_id is null)))`,
      uuidIn(propertyId),
      from,
      until,
      ...Array<string | null>(2).fill(unitId && uuidIn(unitId)),
    );
    where.and(`stay_status <> 'checked_out'`);
    return this.table.find(orgId, where, 'order by id for no key update');
  }
}
