import { CalendarDate, Flag, Int, type MemberOf, OneOf, Pattern, Text, TimeZone, Union } from '#operations';
import { offset, type StayMoment, stayMoments } from './definition.dto.js';

export const triggerKinds = ['event', 'schedule', 'reservation_relative', 'manual'] as const;
export type TriggerKind = (typeof triggerKinds)[number];

const kind = {
  description: 'Kind of trigger: an event, a schedule, a time relative to each stay, or runWorkflow (manual).',
};

const classes = () => ({
  event: EventTrigger,
  schedule: ScheduleTrigger,
  reservation_relative: StayTrigger,
  manual: ManualTrigger,
});

/** The trigger. Each kind has its own fields, and accepts no other kind's. */
@Union('kind', classes)
export class WorkflowTrigger {
  @OneOf(triggerKinds, kind) kind: TriggerKind;
}

export class EventTrigger extends WorkflowTrigger {
  @OneOf(['event'], kind) override kind: 'event';
  @Text({ description: 'Event type, such as reservation.moved.', max: 100, example: 'reservation.moved' })
  eventType: string;
}

export class ScheduleTrigger extends WorkflowTrigger {
  @OneOf(['schedule'], kind) override kind: 'schedule';

  @Text({
    description: 'RFC 5545 rule that recurs at most daily, such as FREQ=WEEKLY;BYDAY=MO.',
    max: 500,
    example: 'FREQ=WEEKLY;BYDAY=MO',
  })
  recurrence: string;

  @Pattern({
    description: 'Time of day in timezone.',
    pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
    max: 5,
    message: 'Pass a time of day such as 09:00.',
    example: '09:00',
  })
  timeOfDay: string;

  @TimeZone({ description: 'IANA time zone of timeOfDay.' }) timezone: string;

  @CalendarDate({
    description: 'First day, at most a year ago; default: today.',
    optional: true,
  })
  startsOn?: string;
}

export class StayTrigger extends WorkflowTrigger {
  @OneOf(['reservation_relative'], kind) override kind: 'reservation_relative';
  @OneOf(stayMoments, { description: 'Arrival or departure of each confirmed stay.' }) moment: StayMoment;
  @Int(offset) offsetMinutes: number;
}

export class ManualTrigger extends WorkflowTrigger {
  @OneOf(['manual'], kind) override kind: 'manual';
  @Flag({ description: 'Whether runWorkflow needs a stay.', optional: true }) reservation?: boolean;
}

export type Trigger = MemberOf<typeof classes>;
