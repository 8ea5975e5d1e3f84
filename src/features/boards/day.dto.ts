import { CalendarDate, Id, Int, ListOf, ListOfObjects, LocalTime, OneOf, Text } from '#operations';
import { type CleaningStatus, cleaningStatuses } from '../../tenancy/properties/property.dto.js';

export class GetDay {
  @CalendarDate({
    description: "Date at each property; default: today at propertyId, else in the organization's time zone.",
    optional: true,
  })
  date?: string;

  @Id('property', { description: 'Only this property (property_…), from listProperties.', optional: true })
  propertyId?: string;

  @Int({ description: 'Maximum number of stays in all lists; default: 100.', optional: true, min: 1, max: 100 })
  limit?: number;

  @Text({
    description: 'meta.pagination.nextCursor of the previous page; the filters must stay the same.',
    optional: true,
    max: 500,
  })
  cursor?: string;
}

export class DayTask {
  @Id('task', { description: 'Task id (task_…).' }) id: string;
  @Text({ description: 'Short name of the task.', max: 200 }) name: string;
  @OneOf(['pending', 'in_progress'], { description: 'Status of the task.' }) status: 'pending' | 'in_progress';
  @LocalTime({ description: 'Due time, local to the property.', nullable: true }) dueLocal: string | null;
  @ListOf({ text: 200 }, { description: 'Names of the assignees.', max: 50 }) assignees: string[];
}

export class DayRow {
  @Id('reservation', { description: 'Reservation id (reservation_…).' }) reservationId: string;
  @Text({ description: 'Name of the guest who booked the stay.', max: 200, nullable: true }) guestName: string | null;
  @Id('property', { description: 'Property (property_…).' }) propertyId: string;
  @Text({ description: 'Name of the property.', max: 200 }) propertyName: string;
  @Id('unit', {
    description: 'Unit (unit_…); null while none is assigned, and for the whole property.',
    nullable: true,
  })
  unitId: string | null;
  @Text({ description: 'Name of the unit.', max: 200, nullable: true }) unitName: string | null;
  @Text({ description: 'Name of the unit type.', max: 200, nullable: true }) unitTypeName: string | null;
  @LocalTime({ description: 'Arrival, local to the property.' }) arrivalLocal: string;
  @LocalTime({ description: 'Departure, local to the property; as booked until the guests have left.' })
  departureLocal: string;
  @OneOf(['not_arrived', 'checked_in', 'checked_out'], {
    description: 'Progress of the stay; a no-show is not listed.',
  })
  stayStatus: 'not_arrived' | 'checked_in' | 'checked_out';
  @OneOf(cleaningStatuses, {
    description: 'Cleaning status of the unit or property; null while no unit is assigned.',
    nullable: true,
  })
  cleaningStatus: CleaningStatus | null;
  @ListOfObjects(() => DayTask, {
    description:
      'Pending and started tasks of the stay, or there before it ends, due by the end of the date or without a due time.',
    max: 100,
  })
  openTasks: DayTask[];
}

export class DayView {
  @CalendarDate({ description: 'Date at each property.' }) date: string;
  @ListOfObjects(() => DayRow, {
    description: 'Stays that begin on the date, and guests who are late: expected before, and not here yet.',
    max: 100,
  })
  arrivals: DayRow[];
  @ListOfObjects(() => DayRow, {
    description: 'Stays that end on the date; today also overdue guests.',
    max: 100,
  })
  departures: DayRow[];
  @ListOfObjects(() => DayRow, {
    description:
      'Other stays that include the night of the date, and guests who came before their first day or left after their last.',
    max: 100,
  })
  inHouse: DayRow[];
}
