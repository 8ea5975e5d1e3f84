import {
  CalendarDate,
  Email,
  Flag,
  Id,
  Int,
  IntersectionType,
  ObjectOf,
  OneOf,
  PageOf,
  SearchText,
  Text,
  Timestamp,
} from '#operations';
import { ReferredTo } from '../../tenancy/references/external-ref.dto.js';
import { reservationStatuses, type ReservationStatus, stayStatuses, type StayStatus } from './reservation.dto.js';

class ReservationFilters {
  @Id('property', { description: 'Only stays at this property (property_…), from listProperties.', optional: true })
  propertyId?: string;
  @Id('unit', { description: 'Only stays in this unit (unit_…), from listUnits; also for a part.', optional: true })
  unitId?: string;
  @Id('unittype', { description: 'Only stays of this unit type (unittype_…), from listUnitTypes.', optional: true })
  unitTypeId?: string;
  @Flag({
    description: 'true: only stays that still need a unit; false: only others.',
    optional: true,
  })
  unassigned?: boolean;
  @Text({ description: 'Only stays of this group.', max: 100, optional: true })
  groupRef?: string;
  @Id('guest', {
    description: 'Only stays of this guest (guest_…), from listGuests; also as a companion.',
    optional: true,
  })
  guestId?: string;
  @Email({ description: 'Only stays whose guest has this email address.', optional: true }) guestEmail?: string;
  @OneOf(reservationStatuses, { description: 'Only this status.', optional: true })
  status?: ReservationStatus;
  @OneOf(stayStatuses, { description: 'Only this progress.', optional: true }) stayStatus?: StayStatus;
  @Text({ description: 'Only this booking channel.', max: 50, optional: true }) channel?: string;
  @Text({ description: 'Only this confirmation code.', max: 100, optional: true })
  confirmationCode?: string;
  @CalendarDate({
    description: 'Only stays over this night, by booked dates.',
    optional: true,
  })
  stayingOn?: string;
  @CalendarDate({
    description: 'Only guests in house on this night.',
    optional: true,
  })
  inHouseOn?: string;
  @CalendarDate({ description: 'Only arrivals on this date.', optional: true })
  arrivingOn?: string;
  @CalendarDate({ description: 'Only arrivals on or after this date.', optional: true })
  arrivingFrom?: string;
  @CalendarDate({ description: 'Only arrivals before this date.', optional: true })
  arrivingBefore?: string;
  @CalendarDate({ description: 'Only departures on this date, by booked dates.', optional: true })
  departingOn?: string;
}

export class CountReservations extends ReservationFilters {}

export class ListReservations extends IntersectionType(
  ReservationFilters,
  PageOf(['createdAt', 'updatedAt', 'checkInDate']),
  ReferredTo,
) {
  @SearchText({ description: "Only stays whose guest's name contains this text.", min: 3, optional: true })
  q?: string;
  @Timestamp({
    description: 'Only stays changed since this time, including cancelled ones.',
    optional: true,
  })
  updatedSince?: string;
}

const count = { min: 0, max: 1_001 };

/** Reservations by status; a number of 1,001 says that there are more than a thousand. */
export class StatusCounts {
  @Int({ description: 'Inquiries.', ...count }) inquiry: number;
  @Int({ description: 'Pending reservations.', ...count }) pending: number;
  @Int({ description: 'Confirmed reservations.', ...count }) confirmed: number;
  @Int({ description: 'Cancelled reservations.', ...count }) cancelled: number;
  @Int({ description: 'Declined reservations.', ...count }) declined: number;
  @Int({ description: 'Expired reservations.', ...count }) expired: number;
}

export class StayStatusCounts {
  @Int({ description: 'Stays whose guests have not arrived.', ...count }) not_arrived: number;
  @Int({ description: 'Stays whose guests are checked in.', ...count }) checked_in: number;
  @Int({ description: 'Stays whose guests are checked out.', ...count }) checked_out: number;
  @Int({ description: 'No-shows.', ...count }) no_show: number;
}

export class ReservationCountsView {
  @ObjectOf(() => StatusCounts, { description: 'Reservations by status.' }) status: StatusCounts;
  @ObjectOf(() => StayStatusCounts, { description: 'The same by progress of the stay.' }) stayStatus: StayStatusCounts;
}
