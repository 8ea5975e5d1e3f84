import { Injectable } from '@nestjs/common';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import { stretches, takesNights } from './type-nights.js';

/** Nights, local to the property: from the first one until the day after the last; null for without end. */
export interface Nights {
  from: string;
  until: string | null;
}

/** A unit, or a type before a unit is chosen, or the whole property, for some nights. */
export interface Segment {
  unitId: string | null;
  unitTypeId: string | null;
  from: string;
  until: string;
}

/** A night of a unit type: how many of its units can be sold, and how many stays they have. */
export interface TypeNight {
  date: string;
  units: number;
  taken: number;
}

/** What changes about a unit type, before it has changed. */
interface TypeChange extends Nights {
  unitTypeId: string;
  /** A stay that does not count, as its nights are what is decided. */
  without?: string;
  /** Nights of it that it has already. */
  held?: readonly Nights[];
  /** A unit that the type loses. */
  lost?: string;
  /** A unit that is blocked on these nights, so that the stays in it wait for another one. */
  blocked?: string;
}

/** What takes nights out of what can be sold. */
export interface SellingBlock {
  blockId: string;
  unitId: string | null;
  kind: string;
  from: string;
  until: string | null;
  reason: string | null;
}

const ids = { block: idColumn('block'), unit: idColumn('unit') };
/** How many nights are listed at most: as many as a stay has, and some. */
const mostNights = 1_100;

/** Which nights of a property are taken, by whom, and how many are left. */
@Injectable()
export class NightsRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** The nights on which a type would have more stays than units. */
  overfull(
    orgId: string,
    propertyId: string,
    { more, ...change }: TypeChange & { /** How many more stays the type is to take. */ more: number },
  ): Promise<TypeNight[]> {
    return this.counted(orgId, propertyId, change, more);
  }

  /** Each of the nights of a type. */
  ofType(orgId: string, propertyId: string, unitTypeId: string, nights: Nights): Promise<TypeNight[]> {
    return this.counted(orgId, propertyId, { unitTypeId, ...nights }, null);
  }

  /** What of these nights the stays and blocks of the whole property leave, and any stay at all. */
  async whole(orgId: string, propertyId: string, nights: Nights): Promise<{ isSold: boolean; isFree: boolean }> {
    const stay = `from stay_segments s where s.org_id = $1 and s.property_id = $2 and s.until_date > $3::date and s.from_date < $4::date`;
    const [row] = await this.database.rows(
      orgId,
      `select exists (select 1 ${stay} and s.unit_id is null and s.unit_type_id is null) as sold, exists (select 1 ${stay}) as stayed`,
      [uuidIn(orgId), uuidIn(propertyId), nights.from, nights.until],
    );
    const block = await this.blockOf(orgId, propertyId, null, nights);
    return { isSold: Boolean(row?.sold), isFree: !row?.stayed && !block };
  }

  /** The first block that takes nights away from a unit; with a null unit, from the whole property. */
  async blockOf(
    orgId: string,
    propertyId: string,
    unitId: string | null,
    nights: Nights,
  ): Promise<SellingBlock | undefined> {
    const [row] = await this.database.rows(
      orgId,
      `select b.id, b.unit_id, b.kind, b.from_date, b.until_date, b.reason from unit_blocks b
        where b.org_id = $1 and b.property_id = $2 and (b.unit_id is null or b.unit_id = $3) and ${takesNights}
          and coalesce(b.until_date, 'infinity') > $4::date and ($5::date is null or b.from_date < $5)
        order by b.from_date, b.id limit 1`,
      [uuidIn(orgId), uuidIn(propertyId), unitId && uuidIn(unitId), nights.from, nights.until],
    );
    return (
      row && {
        blockId: ids.block.from(row.id) as string,
        unitId: ids.unit.from(row.unit_id) as string | null,
        kind: row.kind as string,
        from: row.from_date as string,
        until: row.until_date as string | null,
        reason: row.reason as string | null,
      }
    );
  }

  /** @param more null for all nights, not only those on which the type would have too many stays. */
  private async counted(
    orgId: string,
    propertyId: string,
    { unitTypeId, from, until, without, held = [], lost, blocked }: TypeChange,
    more: number | null,
  ): Promise<TypeNight[]> {
    const rows = await this.database.rows(
      orgId,
      `with units_left as materialized (
         select id from units where org_id = $1 and unit_type_id = $3 and archived_at is null and ($7::uuid is null or id <> $7)),
       stays as materialized (
         select $3::uuid as type_id, case when u.id = $11::uuid then null else s.unit_id end as unit_id, s.from_date, s.until_date
           from units_left u join stay_segments s on s.org_id = $1 and s.unit_id = u.id
          where s.until_date > $4::date and ($5::date is null or s.from_date < $5) and ($6::uuid is null or s.reservation_id <> $6)
         union all
         select $3::uuid as type_id, s.unit_id, s.from_date, s.until_date from stay_segments s
          where s.org_id = $1 and s.unit_type_id = $3 and s.unit_id is null
            and s.until_date > $4::date and ($5::date is null or s.from_date < $5) and ($6::uuid is null or s.reservation_id <> $6)),
       blocks as (
         select $3::uuid as type_id, u.id as unit_id, b.from_date, coalesce(b.until_date, 'infinity') as until_date
           from unit_blocks b join units_left u on b.unit_id is null or b.unit_id = u.id
          where b.org_id = $1 and b.property_id = $2 and ${takesNights}
            and coalesce(b.until_date, 'infinity') > $4::date and ($5::date is null or b.from_date < $5)
         union all
         select $3, id, $4, coalesce($5, 'infinity') from units_left where id = $11),
       spans as (
         select $3::uuid as type_id, $4::date as first, coalesce($5::date, (select max(until_date) from stays), $4::date) as last),
       ${stretches},
       counted as (
         select unnest(datemultirange(stretches.nights * daterange(first, last)) - held.nights) as nights, taken,
                (select count(*) from units_left)::integer - unsold as units
           from stretches cross join spans
          cross join (select coalesce(range_agg(daterange(from_date, until_date)), '{}') as nights
                        from unnest($8::date[], $9::date[]) as held (from_date, until_date)) held)
       select night::date as date, units, taken
         from counted
        cross join lateral generate_series(lower(nights)::timestamp, least(upper(nights), lower(nights) + ${mostNights})::timestamp - interval '1 day', '1 day') night
        where $10::integer is null or taken + $10 > units
        order by night limit ${mostNights}`,
      [
        uuidIn(orgId),
        uuidIn(propertyId),
        uuidIn(unitTypeId),
        from,
        until,
        without && uuidIn(without),
        lost && uuidIn(lost),
        held.map((nights) => nights.from),
        held.map((nights) => nights.until),
        more,
        blocked && uuidIn(blocked),
      ],
    );
    return rows as unknown as TypeNight[];
  }
}
