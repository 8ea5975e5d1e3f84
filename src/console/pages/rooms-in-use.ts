import { getRoomBoard } from '../../features/boards/boards.operations.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import type { Visit } from '../frame/visit.js';

/** The rooms in which guests are today, for stays that begin by then: those who leave may still be there. */
export async function roomsInUse(
  { ask, may }: Visit,
  { propertyId, from }: { propertyId: string; from: string },
): Promise<ReadonlySet<string>> {
  // Nowhere is it later than there.
  if (!may('reservations:read') || from > dayIn('Pacific/Kiritimati')) return new Set();
  const { date, units } = await ask(getRoomBoard, { propertyId });
  const inUse = units.filter(({ occupancy }) => ['in_house', 'due_out', 'turnover'].includes(occupancy));
  return new Set(from <= date ? inUse.map(({ unitId }) => unitId) : []);
}
