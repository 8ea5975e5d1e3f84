import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '#persistence';
import { reasonsAt } from '../../tenancy/readiness/readiness.repository.js';
import { cameOn, isEarlyOn, isOverdueOn } from '../../tenancy/stays/in-house.js';
import { date, dayRow, here, hereValues, type ShownTo } from './here.js';
import {
  blockRow,
  dayUses,
  guestName,
  type PlaceRow,
  rooms,
  row,
  stayAsUntil,
  stayRow,
  unitRow,
  workBegins,
} from './rows.js';

/** Guests who change rooms have the next one from midnight on, and leave the old one at check-out time. */
const arrival = 'case when s.from_date > s.check_in_date then s.from_date::timestamp else s.arrival end as arrival';
const departure = `case when s.until_date < s.departure::date then s.until_date + (select check_out_time from here)
                        else s.departure end as departure`;
const columns = `s.unit_id, s.reservation_id, s.from_date, s.until_date, s.guest_name, s.stay_status, ${arrival},
                 ${departure}, s.check_in_date, s.here_now`;
const inUnits = 's.org_id = $1 and s.property_id = $2 and s.unit_type_id is null';
/** Guests who are in house before their first night do not come later. */
const isToCome = `s.from_date > ${date} and not (s.stay_status = 'checked_in' and s.check_in_date > (select today from here))`;
/** The stay that arrives first, of those that leave after the days in which most are found. */
const firstLater = (place: string): string =>
  `select ${columns} from stay_segments s
    where s.org_id = $1 and ${place} and s.until_date > ${date} + 14 and ${isToCome}
    order by s.until_date limit 1`;

/**
 * Everything that a board shows, in one statement: units, the stays in them on the day and the next one after it,
 * blocks, open work, what keeps guests out, and arrivals without a unit. A stay or a block without a unit is of the
 * whole property. $1 to $5 are those of `here`, $6 whether tasks are shown. Work has a lower bound too, since a plan
 * for any day takes a range for few rows, and then the index. Most units have their next stay within days (`soon`): one
 * range of an index finds them all, where each unit would be looked up for itself otherwise. Of the day uses, all of the
 * day are shown, and the first later one of each unit. Guests who should have left before today have yet to leave today, and were there until then. Those
 * who came before their first night are there until then.
 */
export const board = `
  with ${here},
  ${rooms},
  ${dayUses},
  soon as materialized (
    select distinct on (s.unit_id) ${columns} from stay_segments s
     where ${inUnits} and s.until_date > ${date} and s.until_date <= ${date} + 14 and ${isToCome}
     order by s.unit_id, s.until_date),
  near as (
    select ${columns} from stay_segments s where ${inUnits} and s.until_date >= ${date} and s.from_date <= ${date}
    union all
    select * from soon
    union all
    select s.* from rooms u cross join lateral (${firstLater('s.unit_id = u.id')}) s
     where u.id not in (select unit_id from soon where unit_id is not null)
    union all
    (${firstLater('s.property_id = $2 and s.unit_id is null and s.unit_type_id is null')})
    union all
    (select distinct on (s.unit_id, case when s.from_date = ${date} then s.reservation_id end) ${columns}
       from day_uses s where s.unit_type_id is null
      order by s.unit_id, case when s.from_date = ${date} then s.reservation_id end, s.arrival)
    union all
    select ${stayAsUntil(`least(${date} + 1, (select today from here))`)} from reservations r
     where r.org_id = $1 and r.property_id = $2 and ${isOverdueOn(date)}
    union all
    select ${stayAsUntil('r.check_in_date', cameOn('r'))} from reservations r
     where r.org_id = $1 and r.property_id = $2 and ${isEarlyOn(date)} and ${cameOn('r')} <= ${date})
  ${dayRow}
  union all
  ${unitRow}
  union all
  ${stayRow('near', { began: `s.check_in_date < ${date}`, here_now: 's.here_now' })}
  union all
  ${blockRow}
    from unit_blocks b
   where b.org_id = $1 and b.property_id = $2 and b.from_date <= ${date} and (b.until_date is null or b.until_date > ${date})
  union all
  ${row('work', {
    unit_id: 't.unit_id',
    count: 'count(*)::integer',
    sort_order: `max(case t.priority when 'urgent' then 3 when 'high' then 2 when 'normal' then 1 else 0 end)`,
  })}
    from tasks t
   where $6 and t.org_id = $1 and t.property_id = $2 and t.status in ('pending', 'in_progress') and t.archived_at is null
     and ${workBegins} >= '-infinity' and ${workBegins} < (select ends from here)
   group by t.unit_id
  union all
  ${row('reason', { unit_id: 'm.unit_id', text: 'm.reason' })}
    from (${reasonsAt('(select id, today from here)', 'rooms')}) m
  union all
  ${row('unassigned', {
    id: 'r.id',
    unit_type_id: 'r.unit_type_id',
    name: guestName,
    text: 't.name',
    sort_order: 't.sort_order',
    arrival: '(r.arrival_at at time zone r.timezone)::text',
  })}
    from reservations r
    join unit_types t on t.org_id = $1 and t.id = r.unit_type_id
   where r.org_id = $1 and r.property_id = $2 and r.check_in_date = ${date} and r.unit_id is null
     and r.unit_type_id is not null and r.status = 'confirmed' and r.stay_status = 'not_arrived'`;

@Injectable()
export class BoardRepository {
  constructor(private readonly database: TenantDatabase) {}

  async read(
    to: ShownTo,
    propertyId: string,
    { asked, tasks }: { asked?: string; tasks: boolean },
  ): Promise<PlaceRow[]> {
    const values = [...hereValues(to, propertyId, asked), tasks];
    return (await this.database.rowsByOnePlan(to.orgId, board, values)) as unknown as PlaceRow[];
  }
}
