import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { idColumn, TenantDatabase, uuidIn, Where } from '#persistence';
import type { Place } from './place.js';

/** What other features need to know of a reservation: where and when somebody stays. */
export interface Stay {
  id: string;
  propertyId: string;
  unitId: string | null;
  /** The type of the unit, or of the unit that the stay is still to get; null for a whole property. */
  unitTypeId: string | null;
  status: 'inquiry' | 'pending' | 'confirmed' | 'cancelled' | 'declined' | 'expired';
  stayStatus: 'not_arrived' | 'checked_in' | 'checked_out' | 'no_show';
  /** Whether the nights of a no-show were given up. */
  released: boolean;
  arrivalAt: string;
  departureAt: string;
  /** When the guests left, if they have. */
  departedAt: string | null;
}

/**
 * Where a stay is, for the stays before and after it: the unit, or else the whole property. A stay without a unit is
 * next to no other.
 */
export const placeOf = ({
  id,
  propertyId,
  unitId,
  unitTypeId,
}: Pick<Stay, 'id' | 'propertyId' | 'unitId' | 'unitTypeId'>): string => unitId ?? (unitTypeId ? id : propertyId);

/** Whether a stay no longer needs work and codes because it will not take place. */
export const isCalledOff = ({ status, released }: Pick<Stay, 'status' | 'released'>): boolean =>
  ['cancelled', 'declined', 'expired'].includes(status) || released;

/** Whether a stay takes place, has done so or will do so. */
export const isOn = ({ status, released }: Pick<Stay, 'status' | 'released'>): boolean =>
  status === 'confirmed' && !released;

/** When the previous stay at the same place leaves and the next one arrives; null if there is no such stay. */
export interface Neighbours {
  previousDeparture: string | null;
  nextArrival: string | null;
}

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

const ids = {
  reservation: idColumn('reservation'),
  property: idColumn('property'),
  unit: idColumn('unit'),
  unitType: idColumn('unittype'),
};
const columns =
  'id, property_id, unit_id, unit_type_id, status, stay_status, released, arrival_at, departure_at, departed_at';
/** The next arrival and the last departure count, where guests left at another time than they had booked. */
const left = 'coalesce(departed_at, departure_at)';
const neighbourly = "status = 'confirmed' and not released";
/** The same columns of a row that an UPDATE has changed. */
const images = columns.replaceAll(/\w+(?=,|$)/g, 'new.$&');
const mostNamed = 20;

/** The moment of a local time, in SQL. Clocks that go back show it twice: the moment so far stays where it shows it. */
export const momentOf = (local: string, zone: string, soFar: string): string =>
  `case when ${soFar} at time zone ${zone} = ${local} then ${soFar} else (${local}) at time zone ${zone} end`;

/**
 * The stays to come of a property ($2) that have other times than it says: $3 and $4 its times, $5 its time zone, $6 now,
 * $7 to $9 the place, the first day and the id after which to look.
 */
const elsewhen = `
  elsewhen as (
    select id, place_id, check_in_date, arrival, departure
      from (select id, place_id, check_in_date, arrival_at, departure_at,
                   ${momentOf('check_in_date + coalesce(arrival_time, $3)::time', '$5', 'arrival_at')} as arrival,
                   ${momentOf('check_out_date + coalesce(departure_time, $4)::time', '$5', 'departure_at')} as departure
              from reservations
             where org_id = $1 and property_id = $2
               and ($7::uuid is null or (place_id, check_in_date, id) > ($7::uuid, $8::date, $9::uuid))
               and status in ('inquiry', 'pending', 'confirmed') and stay_status in ('not_arrived', 'checked_in')
               and departure_at > $6) stay
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

/** Stays as the features beside reservations see them: tasks, devices and guides hang on them. */
@Injectable()
export class StaysRepository {
  constructor(private readonly database: TenantDatabase) {}

  async find({ orgId, propertyIds }: Caller, reservationId: string): Promise<Stay | undefined> {
    const where = inOrganization(orgId)
      .and('id = ?', uuidIn(reservationId))
      .when(propertyIds?.map(uuidIn), 'property_id = any(?::uuid[])');
    return (await this.read(orgId, where))[0];
  }

  /** Locks a stay until the transaction ends: other changes to it wait. */
  async lock(caller: Caller, reservationId: string): Promise<void> {
    const text = 'select 1 from reservations where org_id = $1 and id = $2 for share';
    await this.database.rows(caller.orgId, text, [uuidIn(caller.orgId), uuidIn(reservationId)]);
  }

  /** The first of the stays that are still to come or under way at a property, in a unit or of a unit type. */
  async toCome(orgId: string, { propertyId, unitId, unitTypeId }: Place & { unitTypeId?: string }): Promise<string[]> {
    const where = inOrganization(orgId)
      .and('property_id = ?', uuidIn(propertyId))
      .when(unitTypeId && uuidIn(unitTypeId), 'unit_type_id = ?')
      .and(`status in ('inquiry', 'pending', 'confirmed') and stay_status in ('not_arrived', 'checked_in')`)
      .and('departure_at > ?', new Date().toISOString());
    if (unitId)
      where.and(
        `(unit_id = ? or exists (select 1 from jsonb_array_elements(rooms) room where room ->> 'unitId' = ?))`,
        uuidIn(unitId),
        unitId,
      );
    return (await this.read(orgId, where, `order by arrival_at limit ${mostNamed}`)).map(({ id }) => id);
  }

  async neighbours(orgId: string, stay: Stay): Promise<Neighbours> {
    return (await this.neighboursOfEach(orgId, [stay])).get(stay.id) as Neighbours;
  }

  async neighboursOfEach(orgId: string, stays: readonly Stay[]): Promise<Map<string, Neighbours>> {
    if (stays.length === 0) return new Map();
    const rows = await this.database.rows(
      orgId,
      `select s.id,
              (select max(${left}) from reservations
                where org_id = $1 and place_id = s.place_id and ${neighbourly} and id <> s.id and ${left} <= s.arrival_at) as before,
              (select min(arrival_at) from reservations
                where org_id = $1 and place_id = s.place_id and ${neighbourly} and id <> s.id and arrival_at >= s.departure_at) as after
         from ${listed}`,
      [uuidIn(orgId), ...listsOf(stays)],
    );
    return new Map(
      rows.map(({ id, before, after }) => [
        ids.reservation.from(id) as string,
        { previousDeparture: before as string | null, nextArrival: after as string | null },
      ]),
    );
  }

  /** The confirmed stays that are neighbours of a stay, as it is and as it was: their work may hang on it. */
  async neighboursOf(orgId: string, stays: readonly Stay[]): Promise<Stay[]> {
    const rows = await this.database.rows(
      orgId,
      `select distinct r.*
         from ${listed}
        cross join lateral (
          (select ${columns} from reservations o
            where o.org_id = $1 and o.place_id = s.place_id and ${neighbourly} and o.id <> s.id
              and ${left} <= s.arrival_at order by ${left} desc limit 1)
          union all
          (select ${columns} from reservations o
            where o.org_id = $1 and o.place_id = s.place_id and ${neighbourly} and o.id <> s.id
              and o.arrival_at >= s.departure_at order by o.arrival_at limit 1)) r`,
      [uuidIn(orgId), ...listsOf(stays)],
    );
    return rows.map(readStay);
  }

  /**
   * Moves stays to come of a property to its times and time zone, room by room, so that neighbours mostly move together.
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

  /** The stays to come that have other times than their property says, up to a number of them. */
  async elsewhen(property: PlaceTimes, most?: number): Promise<string[]> {
    const text = `with ${elsewhen} select id from elsewhen limit $10`;
    const rows = await this.database.rows(property.orgId, text, [...timesOf(property, null), most ?? null]);
    return rows.map(({ id }) => ids.reservation.from(id) as string);
  }

  /** Gives the stays to come in a unit the type that it has now; answers those that changed. */
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
      `update reservations set unit_type_id = $3, version = version + 1, updated_at = $4
        where org_id = $1 and unit_id = $2 and unit_type_id is distinct from $3 and departure_at > $4
       returning ${images}, old.unit_type_id as type_before, old.version as version_before, old.updated_at as updated_before`,
      [uuidIn(orgId), uuidIn(id), unitTypeId && uuidIn(unitTypeId), new Date().toISOString()],
    );
    return rows.map((row) => {
      const stay = readStay(row);
      const type = { unitTypeId: ids.unitType.from(row.type_before) as string | null };
      const stamp = { version: row.version_before as number, updatedAt: row.updated_before as string };
      return { stay, before: { ...stay, ...type }, followedProperty: { ...type, ...stamp } };
    });
  }

  private async read(orgId: string, where: Where, tail = ''): Promise<Stay[]> {
    return (
      await this.database.rows(orgId, `select ${columns} from reservations ${where.text} ${tail}`, where.values)
    ).map(readStay);
  }
}

const leftAt = ({ departedAt, departureAt }: Stay): string => departedAt ?? departureAt;

/** Stays as lists of their values. */
const listed =
  'unnest($2::uuid[], $3::uuid[], $4::timestamptz[], $5::timestamptz[]) as s (id, place_id, arrival_at, departure_at)';
const listsOf = (stays: readonly Stay[]): unknown[] => [
  stays.map(({ id }) => uuidIn(id)),
  stays.map((stay) => uuidIn(placeOf(stay))),
  stays.map(({ arrivalAt }) => arrivalAt),
  stays.map(leftAt),
];

const inOrganization = (orgId: string): Where => new Where().and('org_id = ?', uuidIn(orgId));

const readStay = (row: Record<string, unknown>): Stay => ({
  id: ids.reservation.from(row.id) as string,
  propertyId: ids.property.from(row.property_id) as string,
  unitId: ids.unit.from(row.unit_id) as string | null,
  unitTypeId: ids.unitType.from(row.unit_type_id) as string | null,
  status: row.status as Stay['status'],
  stayStatus: row.stay_status as Stay['stayStatus'],
  released: row.released as boolean,
  arrivalAt: row.arrival_at as string,
  departureAt: row.departure_at as string,
  departedAt: row.departed_at as string | null,
});
