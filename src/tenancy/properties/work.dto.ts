import { Flag, Int, ListOfObjects, ObjectOf, OneOf, Text } from '#operations';

/** The kinds of work that properties plan and tasks are about. */
export const taskTypes = [
  'cleaning',
  'maintenance',
  'inspection',
  'check_in',
  'check_out',
  'issue',
  'inventory',
  'administration',
  'other',
] as const;
export type TaskType = (typeof taskTypes)[number];

export const stayEvents = ['arrival', 'departure', 'previous_departure', 'next_arrival'] as const;
export type StayEvent = (typeof stayEvents)[number];

const monthMinutes = 44_640;

/** A moment of a stay and a distance from it. */
export class StayMoment {
  @OneOf(stayEvents, {
    description: 'Event that the time is relative to: of this stay, or of the previous or next one at the same place.',
  })
  event: StayEvent;

  @Int({ description: 'Minutes after the event; negative for before it.', min: -monthMinutes, max: monthMinutes })
  offsetMinutes: number;
}

/** When work is due, relative to a stay; recomputed when the stay moves. */
export class TimeRule {
  @ObjectOf(() => StayMoment, { description: 'Earliest time at which the work can start.' })
  start: StayMoment;

  @ObjectOf(() => StayMoment, { description: 'Due time.' })
  end: StayMoment;
}

export const checkResults = ['passed', 'failed'] as const;
export type CheckResult = (typeof checkResults)[number];

/** A step as a client writes it; an item without an id is new. */
export class ChecklistEntry {
  @Text({ description: 'Id of an existing item; omit it for a new one.', max: 64, optional: true })
  id?: string;

  @Text({ description: 'What to do.', max: 200 })
  title: string;

  @Flag({
    description: 'Whether the item must be done before the task can be completed; default: false.',
    optional: true,
  })
  required?: boolean;

  @Flag({ description: 'Whether the item is done; default: false.', optional: true })
  done?: boolean;

  @OneOf(checkResults, {
    description:
      'Result of the check; it counts as done. A required item that fails in an inspection makes the room dirty.',
    optional: true,
    nullable: true,
  })
  result?: CheckResult | null;
}

/** Work that the service plans for every stay at a property. */
export class AutomaticTask {
  @Text({ description: 'Short name of the task.', max: 200 })
  name: string;

  @OneOf(taskTypes, { description: 'Kind of work.' })
  type: TaskType;

  @ObjectOf(() => TimeRule, { description: 'When to do the work, relative to the stay.' })
  timeRule: TimeRule;

  @ListOfObjects(() => ChecklistEntry, { description: 'Checklist, in order.', optional: true, max: 100 })
  checklist?: ChecklistEntry[];
}
