import { CalendarDate, exampleOfField, fieldsOf, Id, type Shape, schemaOf, Text, Timestamp } from '#operations';
import { EventSubject } from '../../platform/callers/act.dto.js';
import { type EventType, eventTypes } from '../../platform/events/event-type.js';
import type { StayMoment } from './definition.dto.js';
import type { Facts } from './references.js';
import type { EventTrigger, ManualTrigger, TriggerKind } from './trigger.dto.js';

/** The facts of the event that triggered a run, in addition to the event's data. */
class EventFacts {
  @Id('event', { description: 'Event id (event_…).' }) id: string;
  @Text({ description: 'Event type.', max: 100 }) type: string;
  @Timestamp({ description: 'When the event occurred.' }) occurredAt: string;
}

/** The facts of the stay that a run is about, as they are at that time. Of the guest, only the id is included. */
export class StayFacts {
  @Id('reservation', { description: 'Reservation id (reservation_…).' }) id: string;
  @Id('property', { description: 'Property of the stay (property_…).' }) propertyId: string;
  @Id('unit', { description: 'Unit of the property (unit_…); null for the whole property.', nullable: true }) unitId:
    | string
    | null;
  @Id('guest', { description: 'Guest who booked the stay (guest_…).', nullable: true }) guestId: string | null;
  @Text({ description: 'Status of the booking.', max: 20 }) status: string;
  @Text({ description: 'Progress of the stay.', max: 20 }) stayStatus: string;
  @CalendarDate({ description: 'Date of the first night, local to the property.' }) checkInDate: string;
  @CalendarDate({ description: 'Departure date, local to the property.' }) checkOutDate: string;
  @Timestamp({ description: 'Arrival time.' }) arrivalAt: string;
  @Timestamp({ description: 'Departure time.' }) departureAt: string;
  @Text({ description: 'Booking channel.', max: 50, nullable: true }) channel: string | null;
}

class ScheduleFacts {
  @Timestamp({ description: 'Scheduled time.' }) occursAt: string;
  @CalendarDate({ description: 'Local date of the scheduled time.' }) date: string;
}

class WorkflowFacts {
  @Id('workflow', { description: 'Workflow id (workflow_…).' }) id: string;
  @Text({ description: 'Name of the workflow.', max: 200 }) name: string;
}

class RunFacts {
  @Id('run', { description: 'Run id (run_…).' }) id: string;
}

/** The results of steps, by step name. */
export type Made = Record<string, { id?: string }>;

/** Events of workflows themselves are excluded, because workflows could otherwise trigger each other endlessly. */
const isOfWorkflows = ({ subject }: EventType): boolean => subject === 'workflow' || subject === 'workflow_run';

/** The events that can start a run. */
export const triggeringEvents = (): EventType[] => [...eventTypes().values()].filter((type) => !isOfWorkflows(type));

export const triggeringEvent = (name: string): EventType | undefined =>
  triggeringEvents().find((type) => type.name === name);

/** The stay that an event is about: its subject, or a stay that its data names. */
export function stayOfEvent({ subject, data }: { subject: EventSubject; data: object }): string | undefined {
  if (subject.type === 'reservation') return subject.id;
  return (data as { reservationId?: string | null }).reservationId ?? undefined;
}

/** The fields of a trigger that determine the facts of its runs. */
export type TriggerOutline =
  | Pick<EventTrigger, 'kind' | 'eventType'>
  | Pick<ManualTrigger, 'kind' | 'reservation'>
  | { kind: Exclude<TriggerKind, 'event' | 'manual'> };

/** Whether the runs of a trigger know a stay. */
export function knowsStay(trigger: TriggerOutline): boolean {
  if (trigger.kind === 'reservation_relative') return true;
  if (trigger.kind === 'manual') return trigger.reservation ?? false;
  const type = trigger.kind === 'event' ? triggeringEvent(trigger.eventType) : undefined;
  return type !== undefined && stayOfEvent(sampleEvent(type)) !== undefined;
}

/** Sample facts of a trigger's runs, against which references and inputs are checked. */
export function sampleFacts(trigger: TriggerOutline, made: Made): Facts {
  const type = trigger.kind === 'event' ? triggeringEvent(trigger.eventType) : undefined;
  return {
    workflow: sampleOf(WorkflowFacts),
    run: sampleOf(RunFacts),
    ...(type && { event: sampleEvent(type) }),
    ...(knowsStay(trigger) && { reservation: sampleOf(StayFacts) }),
    ...(trigger.kind === 'schedule' && { schedule: sampleOf(ScheduleFacts) }),
    steps: made,
  };
}

/** JSON Schemas of the facts that do not depend on the type of event. */
export const describedFacts = (): object =>
  Object.fromEntries(
    Object.entries({
      event: EventFacts,
      reservation: StayFacts,
      schedule: ScheduleFacts,
      workflow: WorkflowFacts,
      run: RunFacts,
    }).map(([name, shape]) => [name, schemaOf(shape)]),
  );

const sampleEvent = (type: EventType) => {
  const data = sampleOf(type.output.view) as { id?: string };
  const subject = { type: type.subject, id: data.id ?? '' };
  return { ...sampleOf(EventFacts), subject, data };
};

/** A value for every field of a class. */
const sampleOf = (shape: Shape): object =>
  Object.fromEntries(fieldsOf(shape).map(({ name, schema }) => [name, exampleOfField(schema)]));

const minuteMs = 60_000;

export const minutesFrom = (time: string, minutes: number): string =>
  new Date(Date.parse(time) + minutes * minuteMs).toISOString();

/** The time of a moment of a stay, with an offset. */
export const momentOf = (
  stay: Pick<StayFacts, 'arrivalAt' | 'departureAt'>,
  moment: StayMoment,
  offsetMinutes: number,
): string => minutesFrom(moment === 'arrival' ? stay.arrivalAt : stay.departureAt, offsetMinutes);
