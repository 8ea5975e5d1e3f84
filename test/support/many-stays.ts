import pg from 'pg';
import { uuidIn } from '#persistence';

/**
 * Future stays at a property in UTC, three nights each, one after the other in its rooms, with a turnover task each
 * that looks at the next arrival: far more than requests could book in a test.
 */
export async function manyStays(
  databaseUrl: string,
  propertyId: string,
  { rooms, ofEach }: { rooms: number; ofEach: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  const values = [uuidIn(propertyId), rooms];
  try {
    await client.query(
      `insert into units (org_id, id, property_id, name, sort_order, cleaning_status, tags, metadata, version, created_at, updated_at)
       select org_id, uuidv7(), id, n::text, n, 'clean', '{}', '{}', 1, now(), now()
         from properties cross join generate_series(1, $2::integer) n where id = $1`,
      values,
    );
    await client.query(
      `insert into reservations (org_id, id, property_id, unit_id, check_in_date, check_out_date, arrival_at, departure_at,
                                 status, stay_status, source, overlapping, metadata, external_refs, version, created_at, updated_at)
       select u.org_id, uuidv7(), u.property_id, u.id, d, d + 3, (d + time '15:00') at time zone 'UTC',
              (d + 3 + time '11:00') at time zone 'UTC', 'confirmed', 'not_arrived', 'manual', false, '{}', '[]', 1, now(), now()
         from units u cross join generate_series(1, $2::integer) n cross join lateral (select current_date + n * 4 as d) days
        where u.property_id = $1`,
      [values[0], ofEach],
    );
    await client.query(
      `insert into tasks (org_id, id, name, type, status, priority, property_id, unit_id, reservation_id, assignee_ids, can_start_at,
                          due_at, time_rule, checklist, metadata, external_refs, source, version, created_at, updated_at)
       select org_id, uuidv7(), 'Turn over', 'cleaning', 'pending', 'normal', property_id, unit_id, id, '{}', departure_at,
              lead(arrival_at) over (partition by unit_id order by arrival_at),
              '{"start":{"event":"departure","offsetMinutes":0},"end":{"event":"next_arrival","offsetMinutes":0}}',
              '[]', '{}', '[]', 'automatic', 1, now(), now()
         from reservations where property_id = $1`,
      [values[0]],
    );
    await client.query('analyze units, reservations, stay_segments, tasks');
  } finally {
    await client.end();
  }
}
