import { Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';
import { reasonsAt } from '../../tenancy/readiness/readiness.repository.js';
import type { LocalDay } from './local-day.js';
import { blockRow, guestName, type PlaceRow, row, stayRow, unitRow, workBegins } from './rows.js';

/** The stay that arrives first after the day. */
const next = (place: string): string =>
  `select * from stay_segments s where s.org_id = $1 and ${place} and s.until_date > $4::date and s.from_date > $4::date
    order by s.until_date limit 1`;

/**
 * All that a board shows, in one statement: units, the stays in them on the day and the next one after it, blocks, open
 * work, what keeps guests out, and arrivals without a unit. A stay or a block without a unit is of the whole property. $1
 * organization, $2 property, $3 now, $4 day, $5 end of the day, $6 today, $7 whether tasks are shown. Work has a lower bound
 * too, since a plan for any day takes a range for few rows, and then the index. Stays and guests are looked up by all of their ids
 * together: a join would read all of the property, of which these are few.
 */
export const board = `
  with near as materialized (
    select * from stay_segments s
     where s.org_id = $1 and s.property_id = $2 and s.until_date >= $4::date and s.from_date <= $4::date
       and s.unit_type_id is null
    union all
    select s.* from units u cross join lateral (${next('s.unit_id = u.id')}) s
     where u.org_id = $1 and u.property_id = $2 and u.archived_at is null
    union all
    (${next('s.property_id = $2 and s.unit_id is null and s.unit_type_id is null')})),
  stays as materialized (
    select * from reservations where org_id = $1 and id = any(array(select reservation_id from near))),
  booked as materialized (
    select id, name from guests where org_id = $1 and id = any(array(select guest_id from stays)))
  ${unitRow}
    from units u where u.org_id = $1 and u.property_id = $2 and u.archived_at is null
  union all
  ${stayRow('g.name')} from near s join stays r on r.id = s.reservation_id left join booked g on g.id = r.guest_id
  union all
  ${blockRow}
    from unit_blocks b
   where b.org_id = $1 and b.property_id = $2 and b.from_date <= $4::date and (b.until_date is null or b.until_date > $4::date)
  union all
  ${row('work', {
    unit_id: 't.unit_id',
    count: 'count(*)::integer',
    sort_order: `max(case t.priority when 'urgent' then 3 when 'high' then 2 when 'normal' then 1 else 0 end)`,
  })}
    from tasks t
   where $7 and t.org_id = $1 and t.property_id = $2 and t.status in ('pending', 'in_progress') and t.archived_at is null
     and ${workBegins} >= '-infinity' and ${workBegins} < $5::timestamptz
   group by t.unit_id
  union all
  ${row('reason', { unit_id: 'm.unit_id', text: 'm.reason' })}
    from (${reasonsAt('(select $2::uuid as id, $6::date as today)')}) m
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
   where r.org_id = $1 and r.property_id = $2 and r.check_in_date = $4::date and r.unit_id is null
     and r.unit_type_id is not null and r.status = 'confirmed' and r.stay_status = 'not_arrived'`;

@Injectable()
export class BoardRepository {
  constructor(private readonly database: TenantDatabase) {}

  async read(orgId: string, propertyId: string, day: LocalDay, { tasks }: { tasks: boolean }): Promise<PlaceRow[]> {
    const { date, today, ends } = day;
    const values = [uuidIn(orgId), uuidIn(propertyId), new Date().toISOString(), date, ends, today, tasks];
    return (await this.database.rowsByOnePlan(orgId, board, values)) as unknown as PlaceRow[];
  }
}
