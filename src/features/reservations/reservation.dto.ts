import {
  CalendarDate,
  Flag,
  Id,
  Int,
  ListOf,
  ListOfObjects,
  LocalTime,
  Metadata,
  ObjectOf,
  OneOf,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRef, mostReferences } from '../../tenancy/references/external-ref.dto.js';
import { Money } from '#money';
import { occupancies, type Occupies } from './occupancy.js';

export const reservationStatuses = ['inquiry', 'pending', 'confirmed', 'cancelled', 'declined', 'expired'] as const;

export type ReservationStatus = (typeof reservationStatuses)[number];

export const stayStatuses = ['not_arrived', 'checked_in', 'checked_out', 'no_show'] as const;

export type StayStatus = (typeof stayStatuses)[number];

export const reservationSources = ['manual', 'ical', 'provider'] as const;

export type ReservationSource = (typeof reservationSources)[number];

export const stayWarnings = ['over_capacity', 'unit_blocked', 'unit_occupied', 'nights_not_held'] as const;

export type StayWarning = (typeof stayWarnings)[number];

export class GuestCounts {
  @Int({ description: 'Adults.', min: 0, max: 1_000 }) adults: number;
  @Int({ description: 'Children; default: 0.', optional: true, min: 0, max: 1_000 }) children?: number;
  @Int({ description: 'Infants; default: 0.', optional: true, min: 0, max: 1_000 }) infants?: number;
  @Int({ description: 'Pets; default: 0.', optional: true, min: 0, max: 1_000 }) pets?: number;
}

export const mostCompanions = 50;

export class GuestOfStayView {
  @Id('guest', { description: 'Guest id (guest_…).' }) id: string;
  @Text({ description: 'Name of the guest.', max: 200 }) name: string;
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
    description: 'Unit of the property (unit_…), today’s unit after a move in house; null while it has none.',
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
  @Text({ description: 'Your reference of its group.', max: 100, nullable: true })
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
  @Flag({ description: 'Whether another confirmed stay has the same place on a night, or its type has too few units.' })
  overlapping: boolean;
  @ListOf(
    { oneOf: stayWarnings },
    {
      description:
        'Problems: more guests than the capacity of the unit or its type, a blocked unit, also in a whole property, others in the unit of guests in house or a day use, or in house before their nights; or guests in house before their first night, whose nights until then others can get.',
      max: stayWarnings.length,
    },
  )
  warnings: StayWarning[];
  @Timestamp({ description: 'When the reservation was cancelled.', nullable: true }) cancelledAt: string | null;
  @Text({ description: 'Reason for the cancellation.', max: 1_000, nullable: true }) cancellationReason: string | null;
  @Metadata({ description: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, {
    description: 'Ids of the reservation in other systems, for credentials that may read connections.',
    max: mostReferences,
  })
  externalRefs: ExternalRef[];
  @Int({ description: 'Version, increased by every change; send it as If-Match.', min: 1, max: 2_147_483_647 })
  version: number;
  @Timestamp({ description: 'When the reservation was created.' }) createdAt: string;
  @Timestamp({ description: 'When the reservation was last changed.' }) updatedAt: string;
}
