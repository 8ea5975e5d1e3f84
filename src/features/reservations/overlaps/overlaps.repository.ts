import { Injectable } from '@nestjs/common';
import { type Changed, Cursors, idColumn, Table, TenantDatabase, uuidIn } from '#persistence';
import { hoursEndOf, isDayUse } from '../../../tenancy/stays/day-use-hours.js';
import { placeOf } from '../../../tenancy/stays/stay.js';
import type { Nights } from '../../../tenancy/stays/nights.repository.js';
import { hoursOf, segmentsOf } from '../occupancy.js';
import { Reservation } from '../reservation.entity.js';
import type { CrowdedPlace, InOrder } from './crowded-places.repository.js';
import { isFlagged, isNear, judged, meeting, segmentsOfStay } from './judged-stays.js';

const reservationId = idColumn('reservation');

/** A stay that was made or changed. */
export interface ChangedReservation {
  after: Reservation;
  before?: Reservation;
}

/** What stays wait for on some nights: a unit of a type, or at a property of any. */
interface WaitingPlace extends Nights {
  propertyId: string;
  unitTypeId: string | null;
  /** Nights among them on which there are too few units. */
  crowded: readonly Nights[];
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
    const { orgId, id, propertyId } = stay;
    const where = this.table.where(orgId).and('id <> ?', uuidIn(id));
    const hours = hoursOf(stay);
    if (hours) {
      where
        .and('place_id = ? and check_in_date = check_out_date', uuidIn(placeOf(stay)))
        .and("status = 'confirmed' and not released")
        .and(`arrival_at < ? and ${hoursEndOf('reservations')} > ?`, hours.until, hours.from);
    } else {
      const segments = segmentsOf(stay);
      where.and(
        `id = any(array(
                select o.reservation_id
                  from (select ?::uuid as property_id, one.*
                          from unnest(?::uuid[], ?::uuid[], ?::date[], ?::date[]) one (unit_id, unit_type_id, from_date, until_date)) s
                 cross join lateral (${meeting}) o))`,
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
   * Flags stays that overlap another one, and those for which their type has too few units (`judged`), and clears the flag of those that no longer do: of the stays that changed, those that meet them, those that are flagged on their days,
   * as they are and as they were, and day uses on their day. Others cannot have met them, and may be thousands.
   */
  markChanged(orgId: string, changes: readonly ChangedReservation[]): Promise<Changed<Reservation>[]> {
    const stays = changes.flatMap(({ after, before = after }) => [after, before]);
    return this.judge(
      orgId,
      `select unnest($3::uuid[]) as id
       union select r.id
               from (select property_id, range_agg(daterange(from_date, until_date, '[]')) as days
                       from unnest($4::uuid[], $5::date[], $6::date[]) booked (property_id, from_date, until_date)
                      group by property_id) booked
               join reservations r on r.org_id = $1 and r.property_id = booked.property_id and r.overlapping
                and booked.days && daterange(r.check_in_date, r.check_out_date, '[]')
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

  /** Lets stays that wait for a unit keep nights and hours on which there may be too few of them: they are flagged then. */
  async exemptWaiting(orgId: string, { propertyId, unitTypeId, from, until, crowded }: WaitingPlace): Promise<void> {
    await this.database.rows(
      orgId,
      `update reservations set exempt = true
        where org_id = $1 and id = any(array(
                select s.reservation_id from stay_segments s
                 where s.org_id = $1 and s.property_id = $2 and s.unit_type_id is not null and s.unit_type_id = coalesce($3, s.unit_type_id)
                   and s.until_date > $4::date and s.from_date < coalesce($5::date, 'infinity') and not s.exempt
                   and daterange(s.from_date, s.until_date) && (
                     select range_agg(daterange(c.from_date, c.until_date)) from unnest($6::date[], $7::date[]) as c (from_date, until_date))
                union all
                select r.id from reservations r
                 where r.org_id = $1 and r.property_id = $2 and r.unit_id is null and r.unit_type_id = coalesce($3, r.unit_type_id)
                   and r.check_in_date >= $4::date and r.check_in_date < coalesce($5::date, 'infinity') and ${isDayUse} and not r.exempt))`,
      [
        uuidIn(orgId),
        uuidIn(propertyId),
        unitTypeId && uuidIn(unitTypeId),
        from,
        until,
        crowded.map((nights) => nights.from),
        crowded.map((nights) => nights.until),
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
         from judged join reservations r on r.org_id = $1 and ${isNear('r.id')} and r.id = judged.id and r.overlapping <> judged.overlapping`,
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
      `select s.reservation_id, s.until_date
         from (select reservation_id, unit_id, unit_type_id, from_date, until_date, exempt from stay_segments
                where org_id = $1 and property_id = $2
               union all
               select r.id, r.unit_id, r.unit_type_id, r.check_in_date, r.check_in_date + 1, r.exempt from reservations r
                where r.org_id = $1 and r.property_id = $2 and r.check_in_date >= $4::date and ${isDayUse}) s
         left join units u on u.org_id = $1 and u.id = s.unit_id
        where s.until_date > $4::date and s.from_date < coalesce($5::date, 'infinity')
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
         from judged where r.org_id = $1 and ${isNear('r.id')} and r.id = judged.id and r.overlapping <> judged.overlapping`,
      [uuidIn(orgId), new Date().toISOString(), ...values],
    );
  }

  /** The confirmed stays and day uses that a block of these nights would meet, but for those that are over: locked, in one order. */
  staysIn(orgId: string, propertyId: string, unitId: string | null, { from, until }: Nights): Promise<Reservation[]> {
    const of = [uuidIn(propertyId), from, until, ...Array<string | null>(2).fill(unitId && uuidIn(unitId))];
    const where = this.table.where(orgId).and(
      `id = any(array(
              select reservation_id from stay_segments s
               where s.org_id = $1 and s.property_id = ? and s.until_date > ?::date and s.from_date < coalesce(?::date, 'infinity')
                 and (?::uuid is null or s.unit_id = ? or (s.unit_id is null and s.unit_type_id is null))
              union all
              select r.id from reservations r
               where r.org_id = $1 and r.property_id = ? and r.check_in_date >= ?::date and r.check_in_date < coalesce(?::date, 'infinity')
                 and (?::uuid is null or r.unit_id = ? or (r.unit_id is null and r.unit_type_id is null)) and ${isDayUse}))`,
      ...of,
      ...of,
    );
    where.and(`stay_status <> 'checked_out'`);
    return this.table.find(orgId, where, 'order by id for no key update');
  }
}
