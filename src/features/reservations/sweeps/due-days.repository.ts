import { Injectable } from '@nestjs/common';
import { recordOf } from '#persistence';
import { SystemDatabase } from '#system-database';

/** A record whose day has come at its property. */
export interface DueRecord {
  orgId: string;
  id: string;
}

const mostAtOnce = 100;
const today = '($1::timestamptz at time zone p.timezone)::date';

/** The midnight at which the first of such days begins, within the next two days, which cover all time zones. */
const firstMidnight = (table: string, day: string, where: string): string =>
  `(select min(t.${day}::timestamp at time zone p.timezone) from ${table} t join properties p on p.org_id = t.org_id and p.id = t.property_id
     where ${where} and t.${day} <= ($1::timestamptz at time zone 'UTC')::date + 2)`;
export const soonestBlockEnd = firstMidnight('unit_blocks', 'until_date', 't.ended_at is null');
export const soonestRoomChange = firstMidnight('reservations', 'next_room_from', 't.next_room_from is not null');

/** What happens on a day of the property, over all organizations. */
@Injectable()
export class DueDaysRepository {
  constructor(private readonly system: SystemDatabase) {}

  /** Blocks whose last night is over. */
  async blocks(now: string): Promise<DueRecord[]> {
    const rows = await this.system.rows(
      `select b.org_id, b.id from unit_blocks b join properties p on p.org_id = b.org_id and p.id = b.property_id
        where b.ended_at is null and b.until_date <= ${today} order by b.until_date limit ${mostAtOnce}`,
      [now],
    );
    return rows.map(recordOf('block'));
  }

  /** Stays in house that spend the coming night in another room. */
  async roomChanges(now: string): Promise<DueRecord[]> {
    const rows = await this.system.rows(
      `select r.org_id, r.id from reservations r join properties p on p.org_id = r.org_id and p.id = r.property_id
        where r.next_room_from is not null and r.next_room_from <= ${today} order by r.next_room_from limit ${mostAtOnce}`,
      [now],
    );
    return rows.map(recordOf('reservation'));
  }
}
