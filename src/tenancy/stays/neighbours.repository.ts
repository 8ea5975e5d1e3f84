import { Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';
import { placeOf, type Stay } from './stay.js';
import { columns, ids, readStay } from './stay-rows.js';

/** When the previous stay at the same place leaves and the next one arrives; null if there is no such stay. */
export interface Neighbours {
  previousDeparture: string | null;
  nextArrival: string | null;
}

/**
 * The next arrival and the last departure count, where guests left at another time than they had booked. As the index has
 * it: row security leaves one on `coalesce` unused.
 */
const left = 'case when departed_at is null then departure_at else departed_at end';
const neighbourly = "status = 'confirmed' and not released";
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

/** The stays before and after others at the same place. */
@Injectable()
export class NeighboursRepository {
  constructor(private readonly database: TenantDatabase) {}

  async of(orgId: string, stay: Stay): Promise<Neighbours> {
    return (await this.ofEach(orgId, [stay])).get(stay.id) as Neighbours;
  }

  async ofEach(orgId: string, stays: readonly Stay[]): Promise<Map<string, Neighbours>> {
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
  async staysNextTo(orgId: string, stays: readonly Stay[]): Promise<Stay[]> {
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
}
