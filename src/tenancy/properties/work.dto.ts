import { Flag, Int, ListOfObjects, ObjectOf, OneOf, Text } from '#operations';

/** The kinds of work; properties plan it ahead, tasks are it. */
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
  @OneOf(stayEvents, { about: 'A moment of the stay, or of the neighbouring one at the same place.' })
  event: StayEvent;

  @Int({ about: 'Minutes after it; negative for before it.', min: -monthMinutes, max: monthMinutes })
  offsetMinutes: number;
}

/** When work is to be done, in terms of a stay; computed anew when the stay moves. */
export class TimeRule {
  @ObjectOf(() => StayMoment, { about: 'From when it can be done.' })
  start: StayMoment;

  @ObjectOf(() => StayMoment, { about: 'By when it must be done.' })
  end: StayMoment;
}

/** A step as a client writes it; an item without an id is new. */
export class ChecklistEntry {
  @Text({ about: 'The item, when it is there already; left out for a new one.', max: 64, optional: true })
  id?: string;

  @Text({ about: 'What is to be done.', max: 200 })
  title: string;

  @Flag({ about: 'Whether the task can only be completed with it; false when left out.', optional: true })
  required?: boolean;

  @Flag({ about: 'Whether it is done; false when left out.', optional: true })
  done?: boolean;
}

/** Work that the service plans for every stay at a property. */
export class AutomaticTask {
  @Text({ about: 'What is to be done, in a few words.', max: 200 })
  name: string;

  @OneOf(taskTypes, { about: 'What kind of work it is.' })
  type: TaskType;

  @ObjectOf(() => TimeRule, { about: 'When it is to be done, in terms of the stay.' })
  timeRule: TimeRule;

  @ListOfObjects(() => ChecklistEntry, { about: 'The steps.', optional: true, max: 100 })
  checklist?: ChecklistEntry[];
}
