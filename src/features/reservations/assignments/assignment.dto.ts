import { CalendarDate, Flag, Id, IntersectionType, ObjectOf, OmitType, PageOf, Pattern, Text } from '#operations';
import { clock, ThisProperty } from '../../../tenancy/properties/property.dto.js';
import { WantedNights } from '../availability/availability.dto.js';
import { ThisReservation } from '../reservation-changes.dto.js';

export class AssignUnit extends ThisReservation {
  @Id('unit', { description: 'Unit for the stay (unit_…), from listAvailableUnits.' }) unitId: string;

  @Flag({ description: 'true: allow a unit of a type that was not booked.', optional: true })
  force?: boolean;
}

export class ListAvailableUnits extends IntersectionType(
  ThisProperty,
  WantedNights,
  OmitType(PageOf(['createdAt']), ['sort']),
) {
  @Id('unittype', { description: 'Only units of this type (unittype_…), from listUnitTypes.', optional: true })
  unitTypeId?: string;
  @Pattern({
    description: 'When the guests come, local; default: when the stay arrives, or the check-in time.',
    optional: true,
    ...clock,
  })
  fromTime?: string;
  @Pattern({
    description: 'When a day use ends, local: from and until are its day; default: when the stay leaves.',
    optional: true,
    ...clock,
  })
  untilTime?: string;
  @Id('reservation', {
    description: 'Stay (reservation_…), from listReservations, whose own time counts as free; needs reservations:read.',
    optional: true,
  })
  reservationId?: string;
}

export class AssignUnits extends ThisProperty {
  @CalendarDate({ description: 'Day of arrival, local to the property.', example: '2027-07-01' }) date: string;
}

export class AssignmentRefusal {
  @Text({ description: 'Error category.', max: 50 }) type: string;
  @Text({ description: 'Error code in UPPER_SNAKE_CASE.', max: 100 }) code: string;
  @Text({ description: 'What is wrong and what to do about it.', max: 1_000 }) message: string;
}

export class AssignmentView {
  @Id('reservation', { description: 'Arriving stay (reservation_…).' }) reservationId: string;
  @Id('unit', { description: 'Unit assigned to the stay (unit_…).', optional: true }) unitId?: string;
  @ObjectOf(() => AssignmentRefusal, { description: 'Why no unit was assigned.', optional: true })
  error?: AssignmentRefusal;
}
