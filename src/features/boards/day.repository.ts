import { Injectable } from '@nestjs/common';
import { type Row, TenantDatabase, uuidIn } from '#persistence';
import { cameOn, isEarlyOn, isOverdueOn } from '../../tenancy/stays/in-house.js';
import { workBegins } from './rows.js';

/** A key by which the rows of a day are in order: the section, the place, the stay. */
const key = (section: string): string =>
  `concat_ws(' ', ${section}, p.id, lpad(coalesce(u.sort_order, 0)::text, 7, '0'), coalesce(u.id::text, ''), r.id) collate "C"`;

const dayThere = '($7::timestamptz at time zone p.timezone)::date';
const dayNow = `greatest($8::date, ${dayThere})`;
/** Guests who were expected before the day ($2), and before today, and have not arrived: on later days they are to leave as booked. */
const isLate = `r.stay_status = 'not_arrived' and r.check_in_date < least($2::date, ${dayNow})
                and (r.section = 3 or $2::date <= ${dayNow})`;

/** Guests who were to leave by a day that is over there, and are there still: on that day they were in house. */
const isThereStill = `r.section = 2 and r.stay_status = 'checked_in' and r.check_out_date <= $2::date
                      and $2::date < ${dayThere}`;

/** What is to be done in a room once its guests have left is shown with the next ones. */
const workStarts = `coalesce(t.can_start_at, t.due_at, '-infinity'::timestamptz)`;

/**
 * The stays that begin, end or continue on a day, each with its room that day; where it is today, for the caller or at the
 * property, those that should have ended before it end on it; before today, they continue until their guests leave. Guests who are late arrive on it, and those who came before their first day are in house. $1 organization, $2 date, $3 properties or null for all, $4
 * key of the last row so far, $5 rows, $6 whether tasks are shown, $7 the moment, $8 the day that it is for the caller. With
 * their limits, each property and unit is looked up by its id: PostgreSQL expects few of each, and would otherwise read all of the
 * organization for each stay, or all stays for each of them.
 *
 * @param isOneOf the condition that an id is one of $3, or nothing for all.
 */
const dayText = (isOneOf: (id: string) => string): string => `
  with found as (
    select 1 as section, r.* from reservations r
     where r.org_id = $1 and r.check_in_date = $2::date ${isOneOf('r.property_id')}
    union all
    select case when r.departed_on > $2::date then 3 else 2 end, r.* from reservations r
     where r.org_id = $1 and r.check_out_date = $2::date and (r.departed_on is null or r.departed_on >= $2::date) ${isOneOf('r.property_id')}
    union all
    select 2, r.* from reservations r
     where r.org_id = $1 and r.departed_on = $2::date and r.check_out_date <> $2::date ${isOneOf('r.property_id')}
    union all
    select 2, r.* from properties p
      join reservations r on r.org_id = $1 and r.property_id = p.id and ${isOverdueOn('$2::date')}
     where p.org_id = $1 ${isOneOf('p.id')} and $2::date <= ${dayNow}
    union all
    select 3, r.* from reservations r
     where r.org_id = $1 and r.departed_on > r.check_out_date + 1 and r.departed_on > $2::date and r.check_out_date < $2::date ${isOneOf('r.property_id')}
    union all
    select 3, r.* from reservations r
     where r.org_id = $1 and r.id = any((select stays_over($2::date, $3::uuid[]))::uuid[])
       and r.check_in_date < $2::date and r.occupied_until > $2::date
    union all
    select 3, r.* from properties p
      join reservations r on r.org_id = $1 and r.property_id = p.id and ${isEarlyOn('$2::date')}
     where p.org_id = $1 ${isOneOf('p.id')} and ${cameOn('r')} <= $2::date),
  shown as (
    select listed.section, r.id, r.guest_id, r.stay_status, r.arrival_at, r.departure_at, r.departed_at, r.timezone, r.unit_type_id, ${key('listed.section')} as key,
           p.id as property_id, p.name as property_name,
           u.id as unit_id, u.name as unit_name,
           case when u.id is not null then u.cleaning_status when r.unit_type_id is null then p.cleaning_status end as cleaning_status,
           ($2::date + 1)::timestamp at time zone p.timezone as ends
      from found r
     cross join lateral (select * from properties where org_id = $1 and id = r.property_id limit 1) p
     cross join lateral (select case when ${isLate} then 1 when ${isThereStill} then 3 else r.section end as section) listed
      left join lateral (
        select s.unit_id from stay_segments s
         where s.org_id = $1 and s.reservation_id = r.id and s.from_date <= $2::date
         order by s.from_date desc limit 1) s on true
      left join lateral (
        select * from units where org_id = $1 and id = coalesce(s.unit_id, r.unit_id) limit 1) u on true
     where r.status = 'confirmed' and r.stay_status <> 'no_show' and not r.released),
  page as (select * from shown where $4::text is null or key > $4 order by key limit $5)
  select r.section, r.id, r.key, r.stay_status, r.property_id, r.property_name, r.unit_id, r.unit_name, r.cleaning_status,
         (select name from unit_types where org_id = $1 and id = r.unit_type_id) as unit_type_name,
         (select name from guests where org_id = $1 and id = r.guest_id) as guest_name,
         (r.arrival_at at time zone r.timezone)::text as arrival, (coalesce(r.departed_at, r.departure_at) at time zone r.timezone)::text as departure,
         w.tasks
    from page r
    left join lateral (
      select json_agg(json_build_object(
               'id', t.id, 'name', t.name, 'status', t.status, 'due', (t.due_at at time zone r.timezone)::text,
               'assignees', array(select coalesce(m.name, m.email) from unnest(t.assignee_ids) with ordinality as a (id, place)
                                    join members m on m.org_id = $1 and m.id = a.id order by a.place))
               order by t.due_at, t.id) as tasks
        from (select * from tasks t
               where $6 and t.org_id = $1 and t.property_id = r.property_id and t.archived_at is null
                 and t.status in ('pending', 'in_progress')
                 and ${workBegins} < r.ends
                 and case when t.reservation_id = r.id then r.unit_id is null or coalesce(t.unit_id, r.unit_id) = r.unit_id
                          when r.unit_id is not null then t.unit_id = r.unit_id and (t.reservation_id is null or ${workStarts} < r.departure_at)
                          else r.unit_type_id is null and t.unit_id is null and t.reservation_id is null end
               order by t.due_at, t.id limit 100) t) w on true
   order by r.key`;

/** Planning a day takes longer than reading it, so each text is planned once. */
export const dayTexts = { ofAll: dayText(() => ''), ofSome: dayText((id) => `and ${id} = any($3::uuid[])`) };

export interface DayFilters {
  date: string;
  today: string;
  propertyIds: readonly string[] | null;
  after: string | null;
  limit: number;
  tasks: boolean;
}

@Injectable()
export class DayRepository {
  constructor(private readonly database: TenantDatabase) {}

  rows(orgId: string, { date, today, propertyIds, after, limit, tasks }: DayFilters): Promise<Row[]> {
    const properties = propertyIds && propertyIds.map(uuidIn);
    const values = [uuidIn(orgId), date, properties, after, limit, tasks, new Date().toISOString(), today];
    return this.database.rowsByOnePlan(orgId, properties ? dayTexts.ofSome : dayTexts.ofAll, values);
  }
}
