import { CalendarDate, exampleOfField, fieldsOf, Id, type Shape, schemaOf, Text, Timestamp } from '#operations';
import { EventSubject } from '../../events/event.dto.js';
import { type EventType, eventTypes } from '../../platform/events/event-type.js';
import type { StayMoment, WorkflowTrigger } from '../../workflows/definition.dto.js';
import type { Facts } from './references.js';

/** What a run knows of the event that triggered it, beside the event's data. */
class EventFacts {
  @Id('event', { about: 'The event.' }) id: string;
  @Text({ about: 'Its type.', max: 100 }) type: string;
  @Timestamp({ about: 'When it happened.' }) occurredAt: string;
}

/** What a run knows of the stay that it is about, as it is then; of the guest nothing but the id. */
export class StayFacts {
  @Id('reservation', { about: 'The stay.' }) id: string;
  @Id('property', { about: 'Where.' }) propertyId: string;
  @Id('unit', { about: 'Which unit of it.', nullable: true }) unitId: string | null;
  @Id('guest', { about: 'The guest who is answerable for it.', nullable: true }) guestId: string | null;
  @Text({ about: 'How firm it is.', max: 20 }) status: string;
  @Text({ about: 'Where the stay stands.', max: 20 }) stayStatus: string;
  @CalendarDate({ about: 'The first night.' }) checkInDate: string;
  @CalendarDate({ about: 'The day of leaving.' }) checkOutDate: string;
  @Timestamp({ about: 'When they arrive.' }) arrivalAt: string;
  @Timestamp({ about: 'When they leave.' }) departureAt: string;
  @Text({ about: 'Where it was booked.', max: 50, nullable: true }) channel: string | null;
}

class ScheduleFacts {
  @Timestamp({ about: 'The time that has come.' }) occursAt: string;
  @CalendarDate({ about: 'Its local date.' }) date: string;
}

class WorkflowFacts {
  @Id('workflow', { about: 'The workflow.' }) id: string;
  @Text({ about: 'What it is called.', max: 200 }) name: string;
}

class RunFacts {
  @Id('run', { about: 'The run.' }) id: string;
}

/** What steps have made, by their names. */
export type Made = Record<string, { id?: string }>;

/** Events of what workflows do themselves would have them run each other without end. */
const isOfWorkflows = ({ subject }: EventType): boolean => subject === 'workflow' || subject === 'workflow_run';

/** The events that can have a workflow run. */
export const triggeringEvents = (): EventType[] => [...eventTypes().values()].filter((type) => !isOfWorkflows(type));

export const triggeringEvent = (name: string | undefined): EventType | undefined =>
  triggeringEvents().find((type) => type.name === name);

/** The stay that an event is about: its subject, or what its data name. */
export function stayOfEvent({ subject, data }: { subject: EventSubject; data: object }): string | undefined {
  if (subject.type === 'reservation') return subject.id;
  return (data as { reservationId?: string | null }).reservationId ?? undefined;
}

/** Whether runs that a trigger starts know of a stay. */
export function knowsStay({ kind, eventType, reservation = false }: WorkflowTrigger): boolean {
  if (kind === 'reservation_relative') return true;
  if (kind === 'manual') return reservation;
  const type = kind === 'event' ? triggeringEvent(eventType) : undefined;
  return type !== undefined && stayOfEvent(sampleEvent(type)) !== undefined;
}

/** Facts as runs of a trigger have them, made up, by which references and inputs are judged. */
export function sampleFacts(trigger: WorkflowTrigger, made: Made): Facts {
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

/** When a moment of a stay is, with a distance from it. */
export const momentOf = (
  stay: Pick<StayFacts, 'arrivalAt' | 'departureAt'>,
  moment: StayMoment,
  offsetMinutes: number,
): string => minutesFrom(moment === 'arrival' ? stay.arrivalAt : stay.departureAt, offsetMinutes);
