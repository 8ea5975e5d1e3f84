import { Injectable } from '@nestjs/common';
import { TenantDatabase, uuidIn } from '#persistence';
import { blockRow, guestName, type PlaceRow, stayRow, unitRow } from './rows.js';

/** $1 organization, $2 property, $3 now, $4 first day, $5 day after the last one. */
export const tapeChart = `
  ${unitRow} from units u where u.org_id = $1 and u.property_id = $2 and u.archived_at is null
  union all
  ${stayRow(guestName)}
    from stay_segments s join reservations r on r.org_id = $1 and r.id = s.reservation_id
   where s.org_id = $1 and s.property_id = $2 and s.until_date > $4::date and s.from_date < $5::date
  union all
  ${blockRow}
    from unit_blocks b
   where b.org_id = $1 and b.property_id = $2 and b.from_date < $5::date and (b.until_date is null or b.until_date > $4::date)`;

/** Days of a property: a first one, and the one after the last. */
export interface Days {
  from: string;
  until: string;
}

@Injectable()
export class TapeChartRepository {
  constructor(private readonly database: TenantDatabase) {}

  async read(orgId: string, propertyId: string, { from, until }: Days): Promise<PlaceRow[]> {
    const values = [uuidIn(orgId), uuidIn(propertyId), new Date().toISOString(), from, until];
    return (await this.database.rows(orgId, tapeChart, values)) as unknown as PlaceRow[];
  }
}
