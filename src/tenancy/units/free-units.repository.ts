import { Injectable } from '@nestjs/common';
import type { Page } from '#operations';
import { Cursors, type PageRequest, Table, TenantDatabase, uuidIn, type Where } from '#persistence';
import { isFreeDuring, unitsLeftAfter } from '../stays/day-use-hours.js';
import { isEarlyOn, isOverdueOn } from '../stays/in-house.js';
import { takesNights } from '../stays/type-nights.js';
import { Unit } from './unit.entity.js';

/** What a unit is to be free for. */
export interface WantedNights {
  propertyId: string;
  unitTypeId?: string;
  from: string;
  until: string;
  /** Of a day use, which takes no night: nobody else may be there during these hours. */
  hours?: { from: string; until: string };
  /** The stay itself, which is in nobody's way. */
  except?: string;
  /** Of a stay of nights; by default, the check-in time of the property. */
  arrivalAt?: string;
}

const rank = `case cleaning_status when 'inspected' then 0 when 'clean' then 1 when 'cleaning' then 2 when 'dirty' then 3 else 4 end`;
/** On the clock of the property $2: $3 is now; $4 is when the guests arrive, or else $5 is their day; $6 is their stay, or null. */
const ofProperty = (value: string): string => `(select ${value} from properties where org_id = $1 and id = $2)`;
const now = ofProperty('$3::timestamptz at time zone timezone');
const arrival = ofProperty('coalesce($4::timestamptz at time zone timezone, $5::date + check_in_time::time)');
const here = 'reservations r where r.org_id = $1 and r.property_id = $2';
/** Stays (r) whose guests should have left before today, and are still there. */
const overdue = `${here} and r.id is distinct from $6::uuid and ${isOverdueOn(`${now}::date`)}`;
/** Those whose guests have come before the nights that they have. */
const early = `${here} and r.id is distinct from $6::uuid and ${isEarlyOn(`${now}::date`)}`;
/** Whether others are in a unit when the guests arrive, or have no night there. */
const awaitsLeaving = `case when units.id in (
  select r.unit_id from ${overdue}
  union all select r.unit_id from ${early}
  union all ${unitsLeftAfter({ day: '$5::date', at: arrival, now, except: '$6::uuid' })}) then '1' else '0' end`;
/** Whether such guests are in the unit, or in the whole property. */
const isIn = '(r.unit_id = units.id or (r.unit_id is null and r.unit_type_id is null))';
/** Clean and inspected units come first, then in the order of the house. */
const inOrder = `${rank} || lpad(sort_order::text, 7, '0') || name`;
/** Units in which others still are come last. */
const best = `(${awaitsLeaving} || ${inOrder})`;
const bestFirst = { best: { asc: best, desc: best } };
/** A side of the nights on which the unit has no other stay counts as far away. */
const far = 10_000;

/** Units that have no stay and no block on all of the wanted nights, or during the wanted hours. */
@Injectable()
export class FreeUnitsRepository {
  private readonly table: Table<Unit>;

  constructor(database: TenantDatabase, cursors: Cursors) {
    this.table = new Table(database, Unit, cursors);
  }

  /** The units that are free on all of the nights, best first. */
  page(orgId: string, wanted: WantedNights & PageRequest): Promise<Page<Unit>> {
    const { limit, cursor } = wanted;
    return this.table.page(orgId, this.freeFor(orgId, wanted), { limit, cursor, sort: 'best' }, bestFirst);
  }

  /** The free one in which a stay leaves the fewest nights between it and other stays that are hard to sell. */
  async bestFor(orgId: string, wanted: WantedNights, today: string): Promise<Unit | undefined> {
    const where = this.freeFor(orgId, wanted).and('true');
    const first = where.values.length;
    const before = `(select $${first + 1}::date - max(until_date) from stay_segments s where s.org_id = $1 and s.unit_id = units.id
      and s.until_date <= $${first + 1}::date and s.until_date > $${first + 3}::date)`;
    const after = `(select min(from_date) - $${first + 2}::date from stay_segments s where s.org_id = $1 and s.unit_id = units.id
      and s.from_date >= $${first + 2}::date)`;
    where.values.push(wanted.from, wanted.until, today);
    const gaps = `(coalesce(${before}, 0) > 0)::integer + (coalesce(${after}, 0) > 0)::integer`;
    const distance = `coalesce(${before}, ${far}) + coalesce(${after}, ${far})`;
    return (
      await this.table.find(orgId, where, `order by ${awaitsLeaving}, ${gaps}, ${distance}, ${inOrder}, id limit 1`)
    )[0];
  }

  private freeFor(
    orgId: string,
    { propertyId, unitTypeId, from, until, hours, except, arrivalAt }: WantedNights,
  ): Where {
    const where = this.table
      .where(orgId)
      .and('property_id = ?', uuidIn(propertyId))
      // $3 to $6, which the order needs. Nobody else is in a unit during hours for which it is free, but guests who are late.
      .andNow('?::timestamptz is not null')
      .and('coalesce(?::timestamptz, ?::date) is not null', hours ? 'infinity' : (arrivalAt ?? null), from)
      .and('num_nonnulls(?::uuid) < 2', except ? uuidIn(except) : null)
      .and('archived_at is null')
      .when(unitTypeId && uuidIn(unitTypeId), 'unit_type_id = ?')
      .and(
        `not exists (select 1 from unit_blocks b
                      where b.org_id = $1 and b.property_id = units.property_id and (b.unit_id is null or b.unit_id = units.id)
                        and ${takesNights}
                        and coalesce(b.until_date, 'infinity') > ?::date and b.from_date < greatest(?::date, ?::date + 1))`,
        from,
        until,
        from,
      );
    if (hours)
      return where
        .and(
          isFreeDuring({
            day: '?::date',
            from: '?::timestamptz',
            until: '?::timestamptz',
            ...(except && { except: '$6::uuid' }),
          }),
          from,
          hours.from,
          hours.until,
        )
        .and(`(?::date > ${now}::date or not exists (select 1 from ${overdue} and ${isIn}))`, from);
    const byOthers = except ? 'and s.reservation_id <> $6::uuid' : '';
    return where
      .and(
        `not exists (select 1 from stay_segments s
                      where s.org_id = $1 and s.unit_id = units.id and s.until_date > ?::date and s.from_date < ?::date ${byOthers})`,
        from,
        until,
      )
      .and(
        `not exists (select 1 from stay_segments s
                      where s.org_id = $1 and s.property_id = units.property_id and s.unit_id is null and s.unit_type_id is null
                        and s.until_date > ?::date and s.from_date < ?::date ${byOthers})`,
        from,
        until,
      );
  }
}
