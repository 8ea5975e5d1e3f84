import pg from 'pg';
import { uuidIn } from '#persistence';

/**
 * Rooms of a type that has one, and stays of another system which wait for one of them, at a property in UTC: three nights
 * each, one after the other, as many at a time as there are rooms. Far more than requests could book in a test.
 */
export async function soldOut(
  databaseUrl: string,
  { propertyId, unitTypeId, connectionId }: { propertyId: string; unitTypeId: string; connectionId: string },
  { rooms, ofEach }: { rooms: number; ofEach: number },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query(
      `insert into units (org_id, id, property_id, unit_type_id, name, sort_order, cleaning_status, tags, metadata, version, created_at, updated_at)
       select org_id, uuidv7(), id, $2, (100 + n)::text, n, 'clean', '{}', '{}', 1, now(), now()
         from properties cross join generate_series(1, $3::integer - 1) n where id = $1`,
      [uuidIn(propertyId), uuidIn(unitTypeId), rooms],
    );
    await client.query(
      `insert into reservations (org_id, id, property_id, unit_type_id, connection_id, check_in_date, check_out_date, arrival_at,
                                 departure_at, status, stay_status, source, exempt, overlapping, metadata, external_refs, version,
                                 created_at, updated_at)
       select org_id, uuidv7(), id, $2, $3, d, d + 3, (d + time '15:00') at time zone 'UTC', (d + 3 + time '11:00') at time zone 'UTC',
              'confirmed', 'not_arrived', 'provider', true, false, '{}', '[]', 1, now(), now()
         from properties cross join generate_series(1, $4::integer) room cross join generate_series(1, $5::integer) n
        cross join lateral (select current_date + n * 3 as d) days
        where id = $1`,
      [uuidIn(propertyId), uuidIn(unitTypeId), uuidIn(connectionId), rooms, ofEach],
    );
    await client.query('analyze units, reservations, stay_segments');
  } finally {
    await client.end();
  }
}
