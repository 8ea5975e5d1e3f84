import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '#persistence';
import { cameOn, isEarlyOn, isOverdueOn } from '../../tenancy/stays/in-house.js';
import { date, dayRow, here, hereValues, type ShownTo } from './here.js';
import { blockRow, dayUses, type PlaceRow, rooms, stayAsUntil, stayRow, unitRow } from './rows.js';

const columns = `s.reservation_id, s.unit_id, s.unit_type_id, s.from_date, s.until_date, s.guest_name, s.stay_status, s.arrival,
                 s.departure, s.group_ref`;

const today = '(select today from here)';

/**
 * Guests who should have left before today are there until today, and those who came before their first night from their day of
 * arrival on. $1 to $5 are those of `here`, $6 the number of days.
 */
export const tapeChart = `
  with ${here},
  ${rooms},
  ${dayUses},
  within as (
    select ${columns} from stay_segments s
     where s.org_id = $1 and s.property_id = $2 and s.until_date >= ${date} and s.from_date < ${date} + $6::integer
    union all
    select ${columns} from day_uses s where s.from_date < ${date} + $6::integer
    union all
    select ${columns}
      from (select ${stayAsUntil(today, 'r.check_out_date')}, null::uuid as unit_type_id, r.group_ref from reservations r
             where r.org_id = $1 and r.property_id = $2 and ${isOverdueOn(today)}
            union all
            select ${stayAsUntil('r.check_in_date', cameOn('r'))}, null::uuid, r.group_ref from reservations r
             where r.org_id = $1 and r.property_id = $2 and ${isEarlyOn(today)}) s
     where s.until_date >= ${date} and s.from_date < ${date} + $6::integer)
  ${dayRow}
  union all
  ${unitRow}
  union all
  ${stayRow('within', { unit_type_id: 's.unit_type_id', text: 's.group_ref' })}
  union all
  ${blockRow}
    from unit_blocks b
   where b.org_id = $1 and b.property_id = $2 and b.from_date < ${date} + $6::integer
     and (b.until_date is null or b.until_date > ${date})`;

@Injectable()
export class TapeChartRepository {
  constructor(private readonly database: TenantDatabase) {}

  async read(to: ShownTo, propertyId: string, { from, days }: { from?: string; days: number }): Promise<PlaceRow[]> {
    const values = [...hereValues(to, propertyId, from), days];
    return (await this.database.rowsByOnePlan(to.orgId, tapeChart, values)) as unknown as PlaceRow[];
  }
}
