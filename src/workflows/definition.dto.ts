import {
  CalendarDate,
  Comparable,
  Flag,
  Id,
  Int,
  ListOfObjects,
  ListOfOpenObjects,
  ObjectOf,
  OneOf,
  OpenObject,
  Pattern,
  Text,
  TimeZone,
} from '#operations';

export const triggerKinds = ['event', 'schedule', 'reservation_relative', 'manual'] as const;
export type TriggerKind = (typeof triggerKinds)[number];

export const stayMoments = ['arrival', 'departure'] as const;
export type StayMoment = (typeof stayMoments)[number];

export const operators = ['equals', 'not', 'in', 'greater_than', 'less_than', 'exists'] as const;
export type Operator = (typeof operators)[number];

export const matches = ['all', 'any'] as const;

export const stepKinds = ['operation', 'send_email', 'wait', 'branch', 'webhook'] as const;
export type StepKind = (typeof stepKinds)[number];

export const recipients = ['guest', 'member'] as const;
export type RecipientKind = (typeof recipients)[number];

export const mostSteps = 30;
const yearMinutes = 525_600;

const offset = {
  about: 'Minutes after the moment of the stay; negative for before it.',
  min: -yearMinutes,
  max: yearMinutes,
};

/** A name within what a run knows, such as event.data.status. */
export const factPath = /^[a-zA-Z]\w*(\.[a-zA-Z]\w*){0,6}$/;

/** What has it run. Each kind has fields of its own, and takes no other's. */
export class WorkflowTrigger {
  @OneOf(triggerKinds, { about: 'What has it run: an event, the clock, a moment of each stay, or runWorkflow.' })
  kind: TriggerKind;

  @Text({ about: 'Of an event: its type, such as reservation.moved.', max: 100, optional: true }) eventType?: string;

  @Text({
    about: 'Of a schedule: a rule of RFC 5545 that comes daily or more rarely, such as FREQ=WEEKLY;BYDAY=MO.',
    max: 500,
    optional: true,
  })
  recurrence?: string;

  @Pattern({
    about: 'Of a schedule: the local time of day.',
    pattern: /^([01]\d|2[0-3]):[0-5]\d$/,
    max: 5,
    says: 'Give a time of day such as 09:00.',
    optional: true,
  })
  timeOfDay?: string;

  @TimeZone({ about: 'Of a schedule: where that time is local.', optional: true, example: undefined })
  timezone?: string;

  @CalendarDate({
    about: 'Of a schedule: its first day, a year ago at the earliest; the day it is written when left out.',
    optional: true,
  })
  startsOn?: string;

  @OneOf(stayMoments, { about: 'Of reservation_relative: the moment of each confirmed stay.', optional: true })
  moment?: StayMoment;

  @Int({ ...offset, about: `Of reservation_relative: ${offset.about}`, optional: true }) offsetMinutes?: number;

  @Flag({ about: 'Of manual: whether runWorkflow names a stay each time.', optional: true }) reservation?: boolean;
}

export class WorkflowRule {
  @Pattern({
    about: 'What is looked at, such as event.data.status or reservation.propertyId.',
    pattern: factPath,
    max: 200,
    says: 'Give a name such as event.data.status.',
    example: 'event.data.status',
  })
  field: string;

  @OneOf(operators, { about: 'How it is compared; exists takes true or false, in takes a list.' }) operator: Operator;
  @Comparable({ about: 'With what.', example: 'confirmed' }) value: unknown;
}

export class WorkflowConditions {
  @OneOf(matches, { about: 'Whether all rules must hold, or any.' }) match: (typeof matches)[number];
  @ListOfObjects(() => WorkflowRule, { about: 'The rules.', min: 1, max: 20 }) rules: WorkflowRule[];
}

const inner = `steps as above, in each other up to three deep and ${mostSteps} altogether.`;

/** One step. Each kind has fields of its own; getWorkflowCatalog lists the operations and what they take. */
export class WorkflowStep {
  @Pattern({
    about: 'Its name, by which later steps refer to what it made: {{steps.name.id}}. Made up when left out.',
    pattern: /^[a-z][a-zA-Z0-9_]{0,39}$/,
    max: 40,
    says: 'Give a name such as clean or step_2.',
    optional: true,
  })
  id?: string;

  @OneOf(stepKinds, { about: 'What is done.' }) kind: StepKind;

  @Text({ about: 'Of operation: which one, such as createTask.', max: 100, optional: true }) operation?: string;

  @OpenObject({
    about: 'Of operation: what it is given. A text may name facts in braces: {{event.subject.id}}.',
    optional: true,
  })
  input?: Record<string, unknown>;

  @Id('template', { about: 'Of send_email: what is sent, as it is published then.', optional: true })
  templateId?: string;

  @OneOf(recipients, { about: 'Of send_email: the guest of the stay, or a member.', optional: true })
  to?: RecipientKind;

  @Id('member', { about: 'Of send_email to a member: which one.', optional: true }) memberId?: string;

  @Int({ about: 'Of wait: how long.', min: 1, max: yearMinutes, optional: true }) minutes?: number;

  @OneOf(stayMoments, { about: 'Of wait: until this moment of the stay, which is followed.', optional: true })
  until?: StayMoment;

  @Int({ ...offset, about: `Of wait until: ${offset.about}`, optional: true }) offsetMinutes?: number;

  @ObjectOf(() => WorkflowConditions, { about: 'Of branch: which way it goes.', optional: true })
  conditions?: WorkflowConditions;

  @ListOfOpenObjects({
    about: `Of branch: what is done where the conditions hold, ${inner}`,
    max: mostSteps,
    optional: true,
  })
  steps?: object[];

  @ListOfOpenObjects({ about: `Of branch: what is done otherwise, ${inner}`, max: mostSteps, optional: true })
  otherwise?: object[];

  @Text({ about: 'Of webhook: the https address that is told, signed as webhooks are.', max: 2_000, optional: true })
  url?: string;

  @OpenObject({ about: 'Of webhook: what it is told; the facts of the run when left out.', optional: true })
  payload?: Record<string, unknown>;
}
