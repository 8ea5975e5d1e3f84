import { CalendarDate, Flag, Id, Int, ListOf, ListOfObjects, LocalTime, ObjectOf, OneOf, Text } from '#operations';
import { type CleaningStatus, cleaningStatuses, ThisProperty } from '../../tenancy/properties/property.dto.js';
import { type Blocker, blockers } from '../../tenancy/readiness/readiness.dto.js';

export const occupancies = ['vacant', 'due_in', 'in_house', 'due_out', 'turnover'] as const;
export type Occupancy = (typeof occupancies)[number];

export const blockKinds = ['out_of_order', 'out_of_service', 'owner_use'] as const;
export const priorities = ['low', 'normal', 'high', 'urgent'] as const;
const few = 1_000;
const many = 100_000;

export class GetRoomBoard extends ThisProperty {
  @CalendarDate({ description: 'Date, local to the property; default: today.', optional: true }) date?: string;
}

/** A stay with the facts that people need at a glance. */
export class BoardStay {
  @Id('reservation', { description: 'Reservation id (reservation_…).' }) reservationId: string;
  @Text({ description: 'Name of the guest who booked the stay.', max: 200, nullable: true }) guestName: string | null;
  @LocalTime({ description: 'Arrival, local to the property; on the board in this unit, after a change at midnight.' })
  arrivalLocal: string;
  @LocalTime({
    description: 'Departure, local to the property; on the board from this unit, before a change at check-out time.',
  })
  departureLocal: string;
}

export class BoardBlock {
  @Id('block', { description: 'Block id (block_…).' }) blockId: string;
  @OneOf(blockKinds, { description: 'Kind of block.' }) kind: (typeof blockKinds)[number];
  @CalendarDate({ description: 'First day.' }) from: string;
  @CalendarDate({ description: 'Day after the last one; null without an end.', nullable: true }) until: string | null;
  @Text({ description: 'Reason of the block.', max: 1_000, nullable: true }) reason: string | null;
}

export class BoardTasks {
  @Int({ description: 'Number of tasks.', min: 0, max: many }) count: number;
  @OneOf(priorities, { description: 'Highest priority among them.', nullable: true })
  worstPriority: (typeof priorities)[number] | null;
}

export class BoardReadiness {
  @Flag({ description: 'Whether guests can be let in now.' }) ready: boolean;
  @ListOf({ oneOf: blockers }, { description: 'Reasons why not.', max: blockers.length }) reasons: Blocker[];
}

class UnitOfBoard {
  @Id('unit', { description: 'Unit id (unit_…).' }) unitId: string;
  @Text({ description: 'Name of the unit.', max: 200 }) name: string;
  @Id('unittype', { description: 'Type of the unit (unittype_…).', nullable: true }) unitTypeId: string | null;
  @Text({ description: 'Floor that the unit is on.', max: 20, nullable: true }) floor: string | null;
}

export class BoardUnit extends UnitOfBoard {
  @OneOf(occupancies, {
    description: 'turnover: guests have yet to leave and others to arrive; due_out: nobody arrives after them.',
  })
  occupancy: Occupancy;
  @ObjectOf(() => BoardStay, {
    description: 'Stay on the night of the date: that in house, if several.',
    nullable: true,
  })
  tonight: BoardStay | null;
  @ListOfObjects(() => BoardStay, { description: 'Other stays on that night, which overlap it, by arrival.', max: few })
  alsoTonight: BoardStay[];
  @ObjectOf(() => BoardStay, {
    description: 'No-show that keeps the night of the date: nobody sleeps there, and it cannot be booked.',
    nullable: true,
  })
  noShow: BoardStay | null;
  @ObjectOf(() => BoardStay, {
    description: 'Stay that leaves the unit on the date, such as a day use: the first one that has yet to leave.',
    nullable: true,
  })
  leaving: BoardStay | null;
  @ObjectOf(() => BoardStay, { description: 'The first stay to arrive after the date.', nullable: true })
  next: BoardStay | null;
  @OneOf(cleaningStatuses, { description: 'Cleaning status.' }) cleaningStatus: CleaningStatus;
  @Flag({ description: 'Whether the guests do not want to be disturbed.' }) doNotDisturb: boolean;
  @Flag({ description: 'Whether the guests ask for the room to be made up.' }) makeUpRoom: boolean;
  @ObjectOf(() => BoardBlock, { description: 'Block on the date.', nullable: true }) block: BoardBlock | null;
  @ObjectOf(() => BoardTasks, {
    description: 'Pending and started tasks, due by the end of the date or without a due time.',
  })
  openTasks: BoardTasks;
  @ObjectOf(() => BoardReadiness, { description: 'Whether guests can be let in.' }) readiness: BoardReadiness;
}

export class UnassignedArrival {
  @Id('reservation', { description: 'Reservation id (reservation_…).' }) reservationId: string;
  @Text({ description: 'Name of the guest who booked the stay.', max: 200, nullable: true }) guestName: string | null;
  @LocalTime({ description: 'Arrival, local to the property.' }) arrivalLocal: string;
}

export class UnassignedArrivals {
  @Id('unittype', { description: 'Unit type (unittype_…).' }) unitTypeId: string;
  @Text({ description: 'Name of the type.', max: 200 }) name: string;
  @ListOfObjects(() => UnassignedArrival, { description: 'Arrivals without a unit, by time.', max: many })
  reservations: UnassignedArrival[];
}

export class RoomBoardView {
  @Id('property', { description: 'Property (property_…).' }) propertyId: string;
  @CalendarDate({ description: 'Date, local to the property.' }) date: string;
  @ListOfObjects(() => BoardUnit, { description: 'Units by floor, sortOrder and name.', max: many }) units: BoardUnit[];
  @ListOfObjects(() => UnassignedArrivals, { description: 'Arrivals on the date that have no unit yet.', max: few })
  unassigned: UnassignedArrivals[];
}

export class GetTapeChart extends ThisProperty {
  @CalendarDate({ description: 'First day, local to the property; default: today.', optional: true }) from?: string;
  @Int({ description: 'Number of days; default: 14.', optional: true, min: 1, max: 92 }) days?: number;
}

export class ChartSegment extends BoardStay {
  @CalendarDate({ description: 'First night there, or the date of a day use.' }) from: string;
  @CalendarDate({ description: 'Day after the last night there; the same date for a day use.' }) until: string;
  @Text({ description: 'Progress of the stay: not_arrived, checked_in, checked_out or no_show.', max: 20 })
  stayStatus: string;
  @Text({ description: 'Your own reference of the group that the stay belongs to.', max: 100, nullable: true })
  groupRef: string | null;
}

export class ChartUnassigned extends ChartSegment {
  @Id('unittype', { description: 'Type that was sold (unittype_…).' }) unitTypeId: string;
}

export class ChartUnit extends UnitOfBoard {
  @ListOfObjects(() => ChartSegment, {
    description: 'Stays in the unit, by date; also nights that guests are there without having them.',
    max: many,
  })
  segments: ChartSegment[];
  @ListOfObjects(() => BoardBlock, { description: 'Blocks of the unit, by date.', max: many }) blocks: BoardBlock[];
}

export class TapeChartView {
  @Id('property', { description: 'Property (property_…).' }) propertyId: string;
  @CalendarDate({ description: 'First day, local to the property.' }) from: string;
  @Int({ description: 'Number of days.', min: 1, max: 92 }) days: number;
  @ListOfObjects(() => ChartUnit, { description: 'Units by floor, sortOrder and name.', max: many }) units: ChartUnit[];
  @ListOfObjects(() => ChartUnassigned, { description: 'Stays without a unit, by date.', max: many })
  unassigned: ChartUnassigned[];
  @ListOfObjects(() => ChartSegment, { description: 'Stays of the whole property, by date.', max: many })
  wholeProperty: ChartSegment[];
  @ListOfObjects(() => BoardBlock, { description: 'Blocks of the whole property, by date.', max: many })
  blocks: BoardBlock[];
}
