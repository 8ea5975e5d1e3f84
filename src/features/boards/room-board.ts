import { type Blocker, blockers } from '../../tenancy/readiness/readiness.dto.js';
import {
  type BoardBlock,
  type BoardStay,
  type BoardUnit,
  type Occupancy,
  priorities,
  type RoomBoardView,
  type UnassignedArrivals,
} from './boards.dto.js';
import { byFloor } from './floors.js';
import type { Day } from './here.js';
import { ids, type PlaceRow } from './rows.js';

export const toMinute = (local: string): string => local.slice(0, 16).replace(' ', 'T');

/** Puts together what a board shows of each unit; what concerns the whole property is in each of them. */
export function roomBoard(propertyId: string, day: Day, rows: readonly PlaceRow[]): RoomBoardView {
  const of = Map.groupBy(rows, ({ kind }) => kind);
  const places = Map.groupBy(
    ['stay', 'block', 'work', 'reason'].flatMap((kind) => of.get(kind as PlaceRow['kind']) ?? []),
    ({ unit_id }) => unit_id,
  );
  const everywhere = (places.get(null) ?? []).filter(({ kind, text }) => isForUnits(kind, text));
  return {
    propertyId,
    date: day.date,
    units: (of.get('unit') ?? [])
      .map((unit) => ({ unit, view: unitOf(unit, day, [...(places.get(unit.id) ?? []), ...everywhere]) }))
      .sort((one, other) => byFloor(one.unit, other.unit))
      .map(({ view }) => view),
    unassigned: unassignedOf(of.get('unassigned') ?? []),
  };
}

/** Of what concerns the whole property, a unit has its stays and its blocks. */
const isForUnits = (kind: string, text: string | null): boolean =>
  kind === 'stay' || kind === 'block' || (kind === 'reason' && text === 'blocked');

function unitOf(unit: PlaceRow, day: Day, rows: readonly PlaceRow[]): BoardUnit {
  const of = Map.groupBy(rows, ({ kind }) => kind);
  const kept = Map.groupBy(of.get('stay') ?? [], ({ status }) => status === 'no_show');
  const isTonight = (stay: PlaceRow): boolean => startsBy(stay, day.date) && (stay.until_date as string) > day.date;
  // Nobody sleeps in a room because of a no-show, although it keeps its nights.
  const noShow = kept.get(true)?.find(isTonight);
  const stays = (kept.get(false) ?? []).sort((one, other) =>
    (one.arrival as string) < (other.arrival as string) ? -1 : 1,
  );
  const nights = stays.filter(isTonight);
  const tonight = nights.find(isInHouse) ?? nights[0];
  const departures = stays.filter(({ until_date }) => until_date === day.date).sort(byDeparture);
  const toLeave = departures.filter((stay) => isToLeave(stay, day));
  const leaving = toLeave[0] ?? departures.findLast(({ status }) => status !== 'not_arrived');
  const next = stays.find((stay) => !startsBy(stay, day.date));
  const [block] = (of.get('block') ?? []).sort((one, other) => severity(other) - severity(one));
  const [work] = of.get('work') ?? [];
  const found = new Set((of.get('reason') ?? []).map(({ text }) => text as Blocker));
  const reasons = blockers.filter((reason) => found.has(reason));
  return {
    unitId: ids.unit.from(unit.id) as string,
    name: unit.name as string,
    unitTypeId: ids.unitType.from(unit.unit_type_id) as string | null,
    floor: unit.floor,
    occupancy: occupancyOf(day, tonight, toLeave),
    tonight: tonight ? stayOf(tonight) : null,
    alsoTonight: nights.filter((stay) => stay !== tonight).map(stayOf),
    noShow: noShow ? stayOf(noShow) : null,
    leaving: leaving ? stayOf(leaving) : null,
    next: next ? stayOf(next) : null,
    cleaningStatus: unit.status as BoardUnit['cleaningStatus'],
    doNotDisturb: unit.do_not_disturb,
    makeUpRoom: unit.make_up_room,
    block: block ? blockOf(block) : null,
    openTasks: { count: work?.count ?? 0, worstPriority: work ? (priorities[work.sort_order] ?? null) : null },
    readiness: { ready: reasons.length === 0, reasons },
  };
}

const startsBy = ({ from_date }: PlaceRow, date: string): boolean => (from_date as string) <= date;
const isInHouse = ({ status, here_now }: PlaceRow): boolean => status === 'checked_in' && here_now;
const severity = ({ status }: PlaceRow): number => (status === 'out_of_service' ? 0 : 1);

const byDeparture = (one: PlaceRow, other: PlaceRow): number =>
  (one.departure as string) < (other.departure as string) ? -1 : 1;
const isDayUse = ({ from_date, until_date }: PlaceRow): boolean => from_date === until_date;
/** Until the day is over, who has not arrived does not leave, except for a day use that is still to come. */
const isToLeave = (stay: PlaceRow, { date, today }: Day): boolean =>
  stay.status !== 'checked_out' && stay.here_now && (date > today || stay.status === 'checked_in' || isDayUse(stay));

/** @param toLeave the stays that are still to leave on the day, or to come for a part of it. */
function occupancyOf({ date, today }: Day, tonight: PlaceRow | undefined, toLeave: readonly PlaceRow[]): Occupancy {
  const [first, ...others] = toLeave;
  if (first && (tonight || others.length > 0)) return 'turnover';
  if (first) return isDayUse(first) && first.status === 'not_arrived' ? 'due_in' : 'due_out';
  if (!tonight) return 'vacant';
  const isThereByPlan = date > today && tonight.began;
  return tonight.status === 'not_arrived' && !isThereByPlan ? 'due_in' : 'in_house';
}

export const stayOf = ({ id, name, arrival, departure }: PlaceRow): BoardStay => ({
  reservationId: ids.reservation.from(id) as string,
  guestName: name,
  arrivalLocal: toMinute(arrival as string),
  departureLocal: toMinute(departure as string),
});

export const blockOf = ({ id, status, from_date, until_date, text }: PlaceRow): BoardBlock => ({
  blockId: ids.block.from(id) as string,
  kind: status as BoardBlock['kind'],
  from: from_date as string,
  until: until_date,
  reason: text,
});

function unassignedOf(rows: readonly PlaceRow[]): UnassignedArrivals[] {
  const inOrder = rows.toSorted((one, other) => ((one.arrival as string) < (other.arrival as string) ? -1 : 1));
  const types = [...Map.groupBy(inOrder, ({ unit_type_id }) => unit_type_id)].sort(
    ([, [one]], [, [other]]) => (one as PlaceRow).sort_order - (other as PlaceRow).sort_order,
  );
  return types.map(([typeId, arrivals]) => ({
    unitTypeId: ids.unitType.from(typeId) as string,
    name: (arrivals[0] as PlaceRow).text as string,
    reservations: arrivals.map(({ id, name, arrival }) => ({
      reservationId: ids.reservation.from(id) as string,
      guestName: name,
      arrivalLocal: toMinute(arrival as string),
    })),
  }));
}
