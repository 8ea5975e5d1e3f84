import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { TenantDatabase, uuidIn } from '#persistence';
import { PropertiesService } from '../../tenancy/properties/properties.service.js';
import type { LoadView } from './demo.dto.js';

const staysAtProperty = 250;
const staysOfGuest = 4;
/** Few enough to be done within the time that a statement may take. */
const rowsAtOnce = 10_000;

/**
 * Many rows for measuring, by SQL over generate_series. The stays of a property follow each other every four days, the
 * middle one around today, and each has one task; ids are in the order of creation, spread over the year behind.
 */
@Injectable()
export class LoadService {
  constructor(
    private readonly database: TenantDatabase,
    private readonly properties: PropertiesService,
  ) {}

  /** @param caller with every permission, inside a transaction of the organization. */
  async load(caller: Caller, rows: number): Promise<LoadView> {
    const { orgId } = caller;
    const properties: string[] = [];
    for (let made = 0; made * staysAtProperty < rows; made += 1) {
      const given = { name: `Property ${made + 1}`, timezone: 'Europe/Lisbon' };
      properties.push(uuidIn((await this.properties.create(caller, given)).id));
    }
    for (let from = 0; from < rows; from += rowsAtOnce) {
      await this.database.rows(orgId, chunk, [
        uuidIn(orgId),
        properties,
        from,
        Math.min(from + rowsAtOnce, rows) - 1,
        rows,
        new Date().toISOString(),
      ]);
    }
    return { properties: properties.length, guests: Math.ceil(rows / staysOfGuest), reservations: rows, tasks: rows };
  }
}

/** $3 to $4 are the numbers of the rows, of $5 altogether. */
const chunk = `
  with numbers as materialized (
    select n, ($2::uuid[])[n / ${staysAtProperty} + 1] as property_id,
           uuidv7(($5::integer - n) * (interval '-1 year' / $5::integer)) as id,
           $6::timestamptz::date + (n % ${staysAtProperty} - ${staysAtProperty / 2}) * 4 as arrives
      from generate_series($3::integer, $4::integer) n),
  new_guests as (
    insert into guests (org_id, id, name, email, metadata, version, created_at, updated_at)
    select $1, id, 'Guest ' || n, 'guest-' || n || '@example.com', '{}', 1, uuid_extract_timestamp(id), uuid_extract_timestamp(id)
      from numbers where n % ${staysOfGuest} = 0),
  stays as materialized (
    select uuidv7(($5::integer - n) * (interval '-1 year' / $5::integer)) as reservation_id, n, property_id, arrives,
           first_value(id) over (partition by n / ${staysOfGuest} order by n) as guest_id,
           case when n % 20 = 7 then 'cancelled' else 'confirmed' end as status,
           case when n % 20 = 7 or arrives >= $6::timestamptz::date then 'not_arrived'
                when arrives + 3 > $6::timestamptz::date then 'checked_in' else 'checked_out' end as stay_status
      from numbers),
  new_stays as (
    insert into reservations (org_id, id, property_id, guest_id, check_in_date, check_out_date, arrival_at, departure_at,
                              confirmation_code, channel, status, stay_status, source, overlapping, metadata, external_refs,
                              version, created_at, updated_at)
    select $1, reservation_id, property_id, guest_id, arrives, arrives + 3,
           (arrives + time '15:00') at time zone 'Europe/Lisbon', (arrives + 3 + time '11:00') at time zone 'Europe/Lisbon',
           'LOAD-' || n, 'direct', status, stay_status, 'manual', false, '{}', '[]',
           1, uuid_extract_timestamp(reservation_id), uuid_extract_timestamp(reservation_id)
      from stays)
  insert into tasks (org_id, id, name, type, status, priority, property_id, reservation_id, assignee_ids, can_start_at, due_at,
                     duration_minutes, checklist, metadata, external_refs, source, version, created_at, updated_at)
  select $1, uuidv7(($5::integer - n) * (interval '-1 year' / $5::integer)) as id, 'Clean after stay ' || n,
         (array['cleaning', 'cleaning', 'inspection', 'maintenance'])[n % 4 + 1],
         case when status = 'cancelled' then 'cancelled' when stay_status = 'checked_out' then 'completed' else 'pending' end,
         (array['normal', 'normal', 'high', 'low', 'urgent'])[n % 5 + 1],
         property_id, reservation_id, '{}',
         (arrives + 3 + time '11:00') at time zone 'Europe/Lisbon', (arrives + 3 + time '15:00') at time zone 'Europe/Lisbon',
         90, '[{"id":"item_1","title":"Change the linen","required":true,"done":false}]', '{}', '[]', 'automatic', 1,
         uuid_extract_timestamp(reservation_id), uuid_extract_timestamp(reservation_id)
    from stays`;
