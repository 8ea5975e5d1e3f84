import { Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';
import { momentOf } from './local-moments.js';
import { placeOf, type Stay } from './stay.js';
import { columns, ids, readStay } from './stay-rows.js';

/** What a property says of the times of its stays. */
export interface PlaceTimes {
  orgId: string;
  id: string;
  timezone: string;
  checkInTime: string;
  checkOutTime: string;
}

/** What changes of a stay that follows its property, or the type of its unit. */
export interface FollowedProperty {
  arrivalAt?: string;
  departureAt?: string;
  timezone?: string;
  unitTypeId?: string | null;
  /** Of a stay that changed rooms, each with its type. */
  rooms?: readonly object[];
  version: number;
  updatedAt: string;
}

export interface MovedStay {
  stay: Stay;
  before: Stay;
  /** The same as before, with what every change of the record changes. */
  followedProperty: FollowedProperty;
}

/** A stay in the order of places, and of the days there. */
export interface InOrder {
  placeId: string;
  checkInDate: string;
  id: string;
}

/** The same columns of a row that an UPDATE has changed. */
const images = columns.replaceAll(/\w+(?=,|$)/g, 'new.$&');

/**
 * The future stays of a property ($2) that have other times than it says: $3 and $4 its times, $5 its time zone, $6 now,
 * $7 to $9 the place, the first day and the id after which to look. Those of the property are read first: to have them in
 * order, PostgreSQL would read all stays of the organization.
 */
const elsewhen = `
  here as materialized (
    select id, place_id, check_in_date, check_out_date, arrival_time, departure_time, arrival_at, departure_at
      from reservations
     where org_id = $1 and property_id = $2 and status in ('inquiry', 'pending', 'confirmed')
       and stay_status in ('not_arrived', 'checked_in') and departure_at > $6),
  elsewhen as (
    select id, place_id, check_in_date, arrival, departure
      from (select id, place_id, check_in_date, arrival_at, departure_at,
                   ${momentOf('check_in_date + coalesce(arrival_time, $3)::time', '$5', 'arrival_at')} as arrival,
                   ${momentOf('check_out_date + coalesce(departure_time, $4)::time', '$5', 'departure_at')} as departure
              from here
             where $7::uuid is null or (place_id, check_in_date, id) > ($7::uuid, $8::date, $9::uuid)) stay
     where (arrival_at, departure_at) <> (arrival, departure))`;
const timesOf = ({ orgId, id, checkInTime, checkOutTime, timezone }: PlaceTimes, after: InOrder | null): unknown[] => [
  uuidIn(orgId),
  uuidIn(id),
  checkInTime,
  checkOutTime,
  timezone,
  new Date().toISOString(),
  after && uuidIn(after.placeId),
  after && after.checkInDate,
  after && uuidIn(after.id),
];
const orderOf = ({ stay, checkInDate }: MovedStay & { checkInDate: string }): string =>
  `${uuidIn(placeOf(stay))} ${checkInDate} ${uuidIn(stay.id)}`;

/** Future stays that follow their property, or the type of their unit. */
@Injectable()
export class MovedStaysRepository {
  constructor(private readonly database: TenantDatabase) {}

  /**
   * Moves future stays of a property to its times and time zone, room by room, so that neighbours mostly move together.
   *
   * @param after the stay after which to begin.
   * @param most how many to move.
   */
  async followProperty(
    property: PlaceTimes,
    after: InOrder | null,
    most: number,
  ): Promise<(MovedStay & { checkInDate: string })[]> {
    const rows = await this.database.rows(
      property.orgId,
      `with ${elsewhen}
       update reservations r
          set arrival_at = moved.arrival, departure_at = moved.departure, timezone = $5, version = version + 1, updated_at = $6
         from (select * from elsewhen order by place_id, check_in_date, id limit $10) moved
        where r.org_id = $1 and r.id = moved.id
       returning ${images}, new.check_in_date, old.arrival_at as arrival_before, old.departure_at as departure_before,
                 old.timezone as zone_before, old.version as version_before, old.updated_at as updated_before`,
      [...timesOf(property, after), most],
    );
    const moved = rows.map((row) => {
      const stay = readStay(row);
      const times = { arrivalAt: row.arrival_before as string, departureAt: row.departure_before as string };
      const stamp = { version: row.version_before as number, updatedAt: row.updated_before as string };
      const followedProperty = { ...times, timezone: row.zone_before as string, ...stamp };
      const checkInDate = row.check_in_date as string;
      return { stay, before: { ...stay, ...times }, followedProperty, checkInDate };
    });
    return moved.sort((one, other) => (orderOf(one) < orderOf(other) ? -1 : 1));
  }

  /** The future stays that have other times than their property says, up to a number of them. */
  async elsewhen(property: PlaceTimes, most?: number): Promise<string[]> {
    const text = `with ${elsewhen} select id from elsewhen limit $10`;
    const rows = await this.database.rows(property.orgId, text, [...timesOf(property, null), most ?? null]);
    return rows.map(({ id }) => ids.reservation.from(id) as string);
  }

  /** Gives the stays in a unit that are not over the type that it has now; answers those that changed. */
  async followUnit({
    orgId,
    id,
    unitTypeId,
  }: {
    orgId: string;
    id: string;
    unitTypeId: string | null;
  }): Promise<MovedStay[]> {
    const rows = await this.database.rows(
      orgId,
      `with typed as (
         select r.id, case when unit_id = $2 then $3 else unit_type_id end as type_id,
                coalesce((select jsonb_agg(case when room ->> 'unitId' = $5 then room || jsonb_build_object('unitTypeId', $6::text)
                                                else room end order by place)
                            from jsonb_array_elements(rooms) with ordinality as listed (room, place)), '[]') as rooms
           from reservations r
          where org_id = $1
            and id = any(array(select id from reservations where org_id = $1 and unit_id = $2
                               union all select reservation_id from stay_segments where org_id = $1 and unit_id = $2))
            and (departure_at > $4 or stay_status = 'checked_in'))
       update reservations r
          set unit_type_id = typed.type_id, rooms = typed.rooms, version = version + 1, updated_at = $4
         from typed
        where r.org_id = $1 and r.id = typed.id and (r.unit_type_id, r.rooms) is distinct from (typed.type_id, typed.rooms)
       returning ${images}, old.unit_type_id as type_before, old.rooms as rooms_before, old.version as version_before,
                 old.updated_at as updated_before`,
      [uuidIn(orgId), uuidIn(id), unitTypeId && uuidIn(unitTypeId), new Date().toISOString(), id, unitTypeId],
    );
    return rows.map((row) => {
      const stay = readStay(row);
      const type = { unitTypeId: ids.unitType.from(row.type_before) as string | null };
      const rooms = row.rooms_before as object[];
      const stamp = { version: row.version_before as number, updatedAt: row.updated_before as string };
      return { stay, before: { ...stay, ...type }, followedProperty: { ...type, rooms, ...stamp } };
    });
  }
}
