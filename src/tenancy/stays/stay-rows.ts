import { idColumn } from '#persistence';
import type { Stay } from './stay.js';

export const ids = {
  reservation: idColumn('reservation'),
  property: idColumn('property'),
  unit: idColumn('unit'),
  unitType: idColumn('unittype'),
};
/** The columns of a stay. */
export const columns =
  'id, property_id, unit_id, unit_type_id, status, stay_status, released, arrival_at, departure_at, departed_at';

export const readStay = (row: Record<string, unknown>): Stay => ({
  id: ids.reservation.from(row.id) as string,
  propertyId: ids.property.from(row.property_id) as string,
  unitId: ids.unit.from(row.unit_id) as string | null,
  unitTypeId: ids.unitType.from(row.unit_type_id) as string | null,
  status: row.status as Stay['status'],
  stayStatus: row.stay_status as Stay['stayStatus'],
  released: row.released as boolean,
  arrivalAt: row.arrival_at as string,
  departureAt: row.departure_at as string,
  departedAt: row.departed_at as string | null,
});
