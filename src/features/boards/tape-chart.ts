import type { ChartSegment, TapeChartView } from './boards.dto.js';
import { byFloor } from './floors.js';
import { blockOf, stayOf } from './room-board.js';
import { ids, type PlaceRow } from './rows.js';

type Chart = Pick<TapeChartView, 'units' | 'unassigned' | 'wholeProperty' | 'blocks'>;

/** Puts together what a tape chart shows, unit by unit. */
export function tapeChartOf(rows: readonly PlaceRow[]): Chart {
  const of = Map.groupBy(rows, ({ kind }) => kind);
  const stays = Map.groupBy((of.get('stay') ?? []).toSorted(byDate), ({ unit_id }) => unit_id);
  const blocks = Map.groupBy((of.get('block') ?? []).toSorted(byDate), ({ unit_id }) => unit_id);
  const without = stays.get(null) ?? [];
  return {
    units: (of.get('unit') ?? []).toSorted(byFloor).map(({ id, name, unit_type_id: typeId, floor }) => ({
      unitId: ids.unit.from(id) as string,
      name: name as string,
      unitTypeId: ids.unitType.from(typeId) as string | null,
      floor,
      segments: (stays.get(id) ?? []).map(segmentOf),
      blocks: (blocks.get(id) ?? []).map(blockOf),
    })),
    unassigned: without
      .filter(({ unit_type_id: typeId }) => typeId)
      .map((stay) => ({ ...segmentOf(stay), unitTypeId: ids.unitType.from(stay.unit_type_id) as string })),
    wholeProperty: without.filter(({ unit_type_id: typeId }) => !typeId).map(segmentOf),
    blocks: (blocks.get(null) ?? []).map(blockOf),
  };
}

const byDate = (one: PlaceRow, other: PlaceRow): number =>
  (one.from_date as string) < (other.from_date as string) ? -1 : 1;

const segmentOf = (stay: PlaceRow): ChartSegment => ({
  ...stayOf(stay),
  from: stay.from_date as string,
  until: stay.until_date as string,
  stayStatus: stay.status as string,
  groupRef: stay.text,
});
