import { randomBytes } from 'node:crypto';
import type { Query } from './approvals.js';

const staysOfRoom = 28;

/** Its id in the API and in the database. */
export interface BenchHotel {
  propertyId: string;
  id: string;
}

/** A hotel whose rooms are full four nights in five for a month, and have one stay a month for two years after it. */
export async function addHotel(query: Query, orgId: string, rooms: number): Promise<BenchHotel> {
  const [property] = await query(
    `insert into properties (org_id, id, name, timezone, type, check_in_time, check_out_time, tags, metadata, feed_token,
                             feed_hash, version, created_at, updated_at)
     values ($1, uuidv7(), 'Hotel', 'UTC', 'hotel', '15:00', '11:00', '{}', '{}', '', $2, 1, now(), now()) returning id`,
    [orgId, randomBytes(32)],
  );
  const id = String(property?.id);
  await query(
    `insert into units (org_id, id, property_id, name, floor, sort_order, cleaning_status, tags, metadata, version, created_at, updated_at)
     select $1, uuidv7(), $2, n::text, (n / 50)::text, n, 'clean', '{}', '{}', 1, now(), now() from generate_series(1, $3::int) n`,
    [orgId, id, rooms],
  );
  await query(
    `with stays as materialized (
       select u.id as unit_id, uuidv7() as id, k,
              current_date - u.sort_order % 5 + case when k <= 6 then k * 5 else (k - 5) * 30 end as arrives
         from units u, generate_series(0, $3::int - 1) k where u.org_id = $1 and u.property_id = $2),
     named as (
       insert into guests (org_id, id, name, metadata, version, created_at, updated_at)
       select $1, id, 'Guest ' || k, '{}', 1, now(), now() from stays)
     insert into reservations (org_id, id, property_id, unit_id, guest_id, check_in_date, check_out_date, arrival_at, departure_at,
                               status, stay_status, source, overlapping, metadata, external_refs, version, created_at, updated_at)
     select $1, id, $2, unit_id, id, arrives, arrives + 4, arrives + time '15:00', arrives + 4 + time '11:00', 'confirmed',
            case when k = 0 then 'checked_in' else 'not_arrived' end, 'manual', false, '{}', '[]', 1, now(), now() from stays`,
    [orgId, id, staysOfRoom],
  );
  await query(
    `insert into tasks (org_id, id, name, type, status, priority, property_id, unit_id, reservation_id, assignee_ids, due_at,
                        checklist, metadata, external_refs, source, version, created_at, updated_at)
     select org_id, uuidv7(), 'Turn over', 'cleaning', 'pending', 'normal', property_id, unit_id, id, '{}', departure_at,
            '[]', '{}', '[]', 'automatic', 1, now(), now() from reservations where org_id = $1 and property_id = $2`,
    [orgId, id],
  );
  await query('vacuum (analyze) units, guests, reservations, stay_segments, tasks');
  return { propertyId: `property_${id.replaceAll('-', '')}`, id };
}
