import {
  CalendarDate,
  Email,
  Flag,
  Id,
  Int,
  IntersectionType,
  ListOf,
  ListOfObjects,
  LocalTime,
  Metadata,
  MetadataChange,
  ObjectOf,
  OmitType,
  OneOf,
  PageOf,
  PartialType,
  Pattern,
  PickType,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRef } from '../../outside/connections/external-ref.dto.js';
import { Money } from '#money';
import { GuestFields } from './guest.dto.js';
import { occupancies, type Occupies } from './occupancy.js';

export const reservationStatuses = ['inquiry', 'pending', 'confirmed', 'cancelled', 'declined', 'expired'] as const;
export type ReservationStatus = (typeof reservationStatuses)[number];

export const stayStatuses = ['not_arrived', 'checked_in', 'checked_out', 'no_show'] as const;
export type StayStatus = (typeof stayStatuses)[number];

export const reservationSources = ['manual', 'ical', 'provider'] as const;
export type ReservationSource = (typeof reservationSources)[number];

export const stayWarnings = ['over_capacity', 'unit_blocked'] as const;
export type StayWarning = (typeof stayWarnings)[number];

const openings = ['inquiry', 'pending', 'confirmed'] as const;
const languageTag = {
  pattern: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
  max: 35,
  message: 'Pass a language tag such as pt-BR.',
};

export class GuestCounts {
  @Int({ description: 'Number of adults.', min: 0, max: 1_000 }) adults: number;
  @Int({ description: 'Number of children; default: 0.', optional: true, min: 0, max: 1_000 }) children?: number;
  @Int({ description: 'Number of infants; default: 0.', optional: true, min: 0, max: 1_000 }) infants?: number;
  @Int({ description: 'Number of pets; default: 0.', optional: true, min: 0, max: 1_000 }) pets?: number;
}

/** A guest of a stay, by id or by name; a name without an id creates a new guest. */
export class GuestOfStay extends PartialType(PickType(GuestFields, ['name', 'email', 'phone'])) {
  @Id('guest', {
    description: 'Existing guest (guest_…), from listGuests; other fields must then equal those of the guest.',
    optional: true,
  })
  id?: string;
}

export const mostCompanions = 50;

export class GuestOfStayView {
  @Id('guest', { description: 'Guest id (guest_…).' }) id: string;
  @Text({ description: 'Name of the guest.', max: 200 }) name: string;
}

class Details {
  @Text({ description: 'Confirmation code that guests and channels use.', max: 100, optional: true, nullable: true })
  confirmationCode?: string | null;

  @Text({ description: 'Booking channel, such as direct or airbnb.', max: 50, optional: true, nullable: true })
  channel?: string | null;

  @Text({
    description: 'Your own reference of the group that the stay belongs to.',
    max: 100,
    optional: true,
    nullable: true,
  })
  groupRef?: string | null;

  @OneOf(openings, { description: 'Status of the booking; default: confirmed.', optional: true })
  status?: (typeof openings)[number];

  @ObjectOf(() => GuestOfStay, {
    description: 'Guest who booked the stay.',
    optional: true,
    nullable: true,
  })
  primaryGuest?: GuestOfStay | null;

  @ListOfObjects(() => GuestOfStay, {
    description: 'Other guests of the stay; replaces the existing list.',
    optional: true,
    max: mostCompanions,
  })
  companions?: GuestOfStay[];

  @ObjectOf(() => GuestCounts, { description: 'Number of people and pets.', optional: true, nullable: true })
  guestCounts?: GuestCounts | null;

  @Timestamp({
    description: "Arrival time, on checkInDate; default: the property's check-in time.",
    optional: true,
    nullable: true,
  })
  arrivalAt?: string | null;

  @Timestamp({
    description: "Departure time, on checkOutDate; default: the property's check-out time.",
    optional: true,
    nullable: true,
  })
  departureAt?: string | null;

  @Pattern({ description: 'Language of the guests (BCP 47).', optional: true, nullable: true, ...languageTag })
  locale?: string | null;

  @Text({ description: 'Notes for staff.', max: 10_000, optional: true, nullable: true })
  notes?: string | null;

  @ObjectOf(() => Money, { description: 'Total price.', optional: true, nullable: true })
  total?: Money | null;

  @Metadata({ description: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;

  @ListOfObjects(() => ExternalRef, {
    description: 'Ids of the reservation in other systems.',
    optional: true,
    max: 20,
  })
  externalRefs?: ExternalRef[];
}

class PlaceAndDates {
  @Id('property', { description: 'Property of the stay (property_…), from listProperties.' })
  propertyId: string;

  @Id('unit', {
    description:
      'Unit of the property (unit_…), from listUnits; omitted or null: a unit of unitTypeId, or else the whole property.',
    optional: true,
    nullable: true,
  })
  unitId?: string | null;

  @Id('unittype', {
    description:
      'Unit type that is booked (unittype_…), from listUnitTypes; a unit can be assigned later. With unitId, the type of that unit.',
    optional: true,
    nullable: true,
  })
  unitTypeId?: string | null;

  @CalendarDate({ description: 'Date of the first night, local to the property.', example: '2027-07-01' })
  checkInDate: string;

  @CalendarDate({
    description: 'Departure date, local to the property; the same as checkInDate for a day use.',
    example: '2027-07-04',
  })
  checkOutDate: string;
}

export class CreateReservation extends IntersectionType(PlaceAndDates, Details) {}

export class ThisReservation {
  @Id('reservation', { description: 'Reservation id (reservation_…), from listReservations.' }) reservationId: string;
}

export class UpdateReservation extends IntersectionType(ThisReservation, PartialType(OmitType(Details, ['status']))) {
  @MetadataChange({ description: 'Keys to set; null removes.', optional: true })
  override metadata?: Record<string, string>;

  @OneOf(reservationStatuses, {
    description: 'Status of the booking; use cancelReservation to cancel it.',
    optional: true,
  })
  status?: ReservationStatus;
}

export class CheckInReservation extends ThisReservation {
  @Flag({ description: 'true: check in before the day of arrival; default: false.', optional: true })
  early?: boolean;
}

export class CheckOutReservation extends ThisReservation {
  @Timestamp({ description: 'When the guests left; default: now.', optional: true })
  departedAt?: string;
}

export class MarkNoShow extends ThisReservation {
  @Flag({ description: 'true: give the nights up, so that others can book them; default: false.', optional: true })
  release?: boolean;
}

export class MoveReservation extends IntersectionType(
  ThisReservation,
  OmitType(PlaceAndDates, ['propertyId', 'checkInDate', 'checkOutDate']),
  PartialType(PickType(PlaceAndDates, ['checkInDate', 'checkOutDate'])),
) {
  @CalendarDate({
    description: 'First night in unitId, for guests who are in house, in place of the dates.',
    optional: true,
  })
  from?: string;

  @Id('property', {
    description: 'New property (property_…), from listProperties; default: unchanged.',
    optional: true,
  })
  propertyId?: string;
}

export class CancelReservation extends ThisReservation {
  @Text({ description: 'Reason for the cancellation.', max: 1_000, optional: true })
  reason?: string;
}

class ReservationFilters {
  @Id('property', { description: 'Only stays at this property (property_…), from listProperties.', optional: true })
  propertyId?: string;
  @Id('unit', { description: 'Only stays in this unit (unit_…), from listUnits; also for a part.', optional: true })
  unitId?: string;
  @Id('unittype', { description: 'Only stays of this unit type (unittype_…), from listUnitTypes.', optional: true })
  unitTypeId?: string;
  @Flag({
    description: 'true: only stays of a unit type that have no unit yet; false: only other stays.',
    optional: true,
  })
  unassigned?: boolean;
  @Text({ description: 'Only stays of the group with this reference of yours.', max: 100, optional: true })
  groupRef?: string;
  @Id('guest', {
    description: 'Only stays of this guest (guest_…), from listGuests; also as a companion.',
    optional: true,
  })
  guestId?: string;
  @Email({ description: 'Only stays whose guest has this email address.', optional: true }) guestEmail?: string;
  @OneOf(reservationStatuses, { description: 'Only reservations with this status.', optional: true })
  status?: ReservationStatus;
  @OneOf(stayStatuses, { description: 'Only stays with this progress.', optional: true }) stayStatus?: StayStatus;
  @Text({ description: 'Only reservations of this booking channel.', max: 50, optional: true }) channel?: string;
  @Text({ description: 'Only reservations with this confirmation code.', max: 100, optional: true })
  confirmationCode?: string;
  @CalendarDate({
    description: 'Only stays that include the night of this date, local to the property.',
    optional: true,
  })
  stayingOn?: string;
  @CalendarDate({
    description: 'Only stays that include the night of this date and whose guests are checked in.',
    optional: true,
  })
  inHouseOn?: string;
  @CalendarDate({ description: 'Only arrivals on this date, local to the property.', optional: true })
  arrivingOn?: string;
  @CalendarDate({ description: 'Only arrivals on or after this date, local to the property.', optional: true })
  arrivingFrom?: string;
  @CalendarDate({ description: 'Only arrivals before this date, local to the property.', optional: true })
  arrivingBefore?: string;
  @CalendarDate({ description: 'Only departures on this date, local to the property.', optional: true })
  departingOn?: string;
}

export class CountReservations extends ReservationFilters {}

export class ListReservations extends IntersectionType(
  ReservationFilters,
  PageOf(['createdAt', 'updatedAt', 'checkInDate']),
) {
  @Text({ description: "Only stays whose guest's name contains this text.", min: 3, max: 100, optional: true })
  q?: string;
  @Timestamp({
    description: 'Only reservations changed at or after this time, including cancelled ones.',
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

export class StaySegment {
  @Id('unit', {
    description: 'Unit (unit_…); null while none is assigned, and for the whole property.',
    nullable: true,
  })
  unitId: string | null;
  @Id('unittype', { description: 'Type of the unit (unittype_…); null for the whole property.', nullable: true })
  unitTypeId: string | null;
  @CalendarDate({ description: 'First night.' }) from: string;
  @CalendarDate({ description: 'Day after the last night.' }) until: string;
}

export class ReservationView {
  @Id('reservation', { description: 'Reservation id (reservation_…).' }) id: string;
  @Id('property', { description: 'Property of the stay (property_…).' }) propertyId: string;
  @Id('unit', {
    description: 'Unit of the property (unit_…), today’s one after a move in house; null while it has none.',
    nullable: true,
  })
  unitId: string | null;
  @Id('unittype', {
    description: 'Type of the unit, or of the unit that is still to be assigned (unittype_…).',
    nullable: true,
  })
  unitTypeId: string | null;
  @Id('unittype', { description: 'Unit type that was sold (unittype_…).', nullable: true }) bookedUnitTypeId:
    | string
    | null;
  @OneOf(occupancies, { description: 'What the stay takes: the whole property, a unit of a type, or one unit.' })
  occupies: Occupies;
  @CalendarDate({
    description: 'First night that the stay takes, local to the property; null if it takes none.',
    nullable: true,
  })
  occupiedFrom: string | null;
  @CalendarDate({
    description: 'Day after the last night that the stay takes, local to the property; null if it takes none.',
    nullable: true,
  })
  occupiedUntil: string | null;
  @ListOfObjects(() => StaySegment, { description: 'Where the stay is on which nights.', max: 1_095 })
  segments: StaySegment[];
  @CalendarDate({ description: 'Date of the first night, local to the property.' }) checkInDate: string;
  @CalendarDate({ description: 'Departure date, local to the property.' }) checkOutDate: string;
  @Timestamp({ description: 'Arrival time.' }) arrivalAt: string;
  @Timestamp({ description: 'Departure time.' }) departureAt: string;
  @LocalTime({ description: 'Arrival, local to the property.' }) arrivalLocal: string;
  @LocalTime({ description: 'Departure, local to the property.' }) departureLocal: string;
  @Text({ description: 'Confirmation code that guests and channels use.', max: 100, nullable: true }) confirmationCode:
    | string
    | null;
  @Text({ description: 'Booking channel.', max: 50, nullable: true }) channel: string | null;
  @Text({ description: 'Your own reference of the group that the stay belongs to.', max: 100, nullable: true })
  groupRef: string | null;
  @OneOf(reservationStatuses, { description: 'Status of the booking.' }) status: ReservationStatus;
  @OneOf(stayStatuses, { description: 'Progress of the stay.' }) stayStatus: StayStatus;
  @Timestamp({ description: 'When the guests left, if they have.', nullable: true }) departedAt: string | null;
  @ObjectOf(() => GuestOfStayView, { description: 'Guest who booked the stay.', nullable: true })
  primaryGuest: GuestOfStayView | null;
  @ListOfObjects(() => GuestOfStayView, { description: 'Other guests of the stay.', max: mostCompanions })
  companions: GuestOfStayView[];
  @ObjectOf(() => GuestCounts, { description: 'Number of people and pets.', nullable: true })
  guestCounts: GuestCounts | null;
  @Text({ description: 'Language of the guests (BCP 47).', max: 35, nullable: true }) locale: string | null;
  @Text({ description: 'Notes for staff.', max: 10_000, nullable: true }) notes: string | null;
  @ObjectOf(() => Money, { description: 'Total price.', nullable: true }) total: Money | null;
  @OneOf(reservationSources, { description: 'Owner of the dates: this service (manual), a calendar, or a provider.' })
  source: ReservationSource;
  @Flag({ description: 'Whether another confirmed stay has the same place on one of the nights.' })
  overlapping: boolean;
  @ListOf(
    { oneOf: stayWarnings },
    {
      description:
        'What to look at: more guests than the unit or its type sleeps, or a blocked unit in a whole property.',
      max: stayWarnings.length,
    },
  )
  warnings: StayWarning[];
  @Timestamp({ description: 'When the reservation was cancelled.', nullable: true }) cancelledAt: string | null;
  @Text({ description: 'Reason for the cancellation.', max: 1_000, nullable: true }) cancellationReason: string | null;
  @Metadata({ description: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, { description: 'Ids of the reservation in other systems.', max: 20 })
  externalRefs: ExternalRef[];
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the reservation was created.' }) createdAt: string;
  @Timestamp({ description: 'When the reservation was last changed.' }) updatedAt: string;
}
