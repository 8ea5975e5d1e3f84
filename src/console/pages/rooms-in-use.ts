import { getRoomBoard } from '../../features/boards/boards.operations.js';
import type { Visit } from '../frame/visit.js';

/** The rooms in which guests are today, for stays that begin by then: those who leave may still be there. */
export async function roomsInUse(
  { ask, may }: Visit,
  { propertyId, from }: { propertyId: string; from: string },
): Promise<ReadonlySet<string>> {
  if (!may('reservations:read')) return new Set();
  const { date, units } = await ask(getRoomBoard, { propertyId });
  const inUse = units.filter(({ occupancy }) => ['in_house', 'due_out', 'turnover'].includes(occupancy));
  return new Set(from <= date ? inUse.map(({ unitId }) => unitId) : []);
}
