import { Injectable } from '@nestjs/common';
import { idColumn, TenantDatabase, uuidIn } from '#persistence';
import type { Blocker } from './readiness.dto.js';

/** °C that a room may be colder or warmer than it is set to. */
const tolerance = 3;

/** A property, or a unit of one. */
interface Noted {
  id: string;
  /** Of a unit. */
  propertyId?: string;
  blockers: readonly Blocker[];
}

const ids = { property: idColumn('property'), unit: idColumn('unit') };

const stayWithoutCode = (when: string): string => `
  select r.property_id, r.unit_id, 'code_missing'
    from coded h join reservations r on r.org_id = $1 and r.property_id = h.id and ${when}
   where r.status = 'confirmed' and (r.unit_id is not null or r.unit_type_id is null)
     and exists (select 1 from devices d
                  where d.org_id = $1 and d.property_id = r.property_id and d.unit_id is not distinct from r.unit_id
                    and d.archived_at is null and d.capabilities @> '{"accessCodes": true}')
     and not exists (select 1 from access_codes c
                      where c.org_id = $1 and c.reservation_id = r.id and c.status in ('scheduled', 'setting', 'set'))`;
/**
 * What prevents guests from being let in, place by place: a unit that is not clean, and other problems there.
 *
 * @param here the ids of properties, with the day that it is there (`today`).
 * @param units where their units are.
 */
export const reasonsAt = (here: string, units = 'units'): string => `
  with here as materialized ${here},
  coded as materialized (
    select * from here h where exists (
      select 1 from devices d
       where d.org_id = $1 and d.property_id = h.id and d.archived_at is null and d.capabilities @> '{"accessCodes": true}'))
  select u.property_id, u.id as unit_id, 'not_clean' as reason from here h join ${units} u on u.org_id = $1 and u.property_id = h.id
   where u.archived_at is null and u.cleaning_status not in ('clean', 'inspected')
  union all
  select t.property_id, t.unit_id, 'open_urgent_task' from here h join tasks t on t.org_id = $1 and t.property_id = h.id
   where t.status in ('pending', 'in_progress') and t.archived_at is null and t.priority = 'urgent'
  union all
  select b.property_id, b.unit_id, 'blocked' from here h join unit_blocks b on b.org_id = $1 and b.property_id = h.id
   where b.kind in ('out_of_order', 'owner_use') and b.from_date <= h.today and (b.until_date is null or b.until_date > h.today)
  union all
  select d.property_id, d.unit_id, w.reason from here h join devices d on d.org_id = $1 and d.property_id = h.id
   cross join lateral (values
     ('device_offline', not d.online),
     ('unlocked', d.state ->> 'lockState' = 'unlocked'),
     ('temperature',
      d.state ->> 'mode' is distinct from 'off'
      and abs((d.state ->> 'temperature')::float - (d.state ->> 'targetTemperature')::float) > ${tolerance})
   ) w (reason, holds)
   where d.archived_at is null and w.holds
  union all ${stayWithoutCode(`r.check_in_date = h.today and r.stay_status = 'not_arrived'`)}
  union all ${stayWithoutCode(`r.stay_status = 'checked_in' and r.check_out_date >= h.today`)}`;

/** The properties of $2, at the moment $3. */
const given = `(select id, ($3::timestamptz at time zone timezone)::date as today
                  from properties where org_id = $1 and id = any($2::uuid[]))`;

/** Whether guests can be let in, and why not. */
@Injectable()
export class ReadinessRepository {
  constructor(private readonly database: TenantDatabase) {}

  /** Notes in places that are about to be shown what keeps guests from being let in. */
  async note(orgId: string, places: readonly Noted[]): Promise<void> {
    if (places.length === 0) return;
    const propertyIds = [...new Set(places.map(({ id, propertyId = id }) => uuidIn(propertyId)))];
    const rows = await this.database.rows(orgId, `select distinct * from (${reasonsAt(given)}) r`, [
      uuidIn(orgId),
      propertyIds,
      new Date().toISOString(),
    ]);
    const found = rows.map((row) => ({
      propertyId: ids.property.from(row.property_id) as string,
      unitId: ids.unit.from(row.unit_id) as string | null,
      reason: row.reason as Blocker,
    }));
    for (const place of places)
      place.blockers = found
        .filter(({ propertyId, unitId, reason }) =>
          place.propertyId
            ? unitId === place.id || (unitId === null && propertyId === place.propertyId && reason === 'blocked')
            : propertyId === place.id,
        )
        .map(({ reason }) => reason);
  }
}
