import {
  CalendarDate,
  Flag,
  Id,
  IntersectionType,
  ListOfObjects,
  Metadata,
  MetadataChange,
  ObjectOf,
  OmitType,
  OneOf,
  PartialType,
  Pattern,
  PickType,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRefChange, mostReferences } from '../../tenancy/references/external-ref.dto.js';
import { Money } from '#money';
import { GuestFields } from './guest.dto.js';
import { reservationStatuses, type ReservationStatus, GuestCounts, mostCompanions } from './reservation.dto.js';

const openings = ['inquiry', 'pending', 'confirmed'] as const;

const languageTag = {
  pattern: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
  max: 35,
  message: 'Pass a language tag such as pt-BR.',
};

/** A guest of a stay, by id or by name; a name without an id creates a new guest. */
export class GuestOfStay extends PartialType(PickType(GuestFields, ['name', 'email', 'phone'])) {
  @Id('guest', {
    description: 'Existing guest (guest_…), from listGuests; without other details.',
    optional: true,
  })
  id?: string;
}

class Details {
  @Text({ description: 'Confirmation code.', max: 100, optional: true, nullable: true })
  confirmationCode?: string | null;

  @Text({ description: 'Booking channel, such as direct or airbnb.', max: 50, optional: true, nullable: true })
  channel?: string | null;

  @Text({
    description: 'Your reference of its group.',
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

  @ListOfObjects(() => ExternalRefChange, { description: 'Ids in other systems.', optional: true, max: mostReferences })
  externalRefs?: ExternalRefChange[];
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
  @Flag({ description: 'true: release the nights, so that others can book them; default: false.', optional: true })
  release?: boolean;
}

export class MoveReservation extends IntersectionType(
  ThisReservation,
  OmitType(PlaceAndDates, ['propertyId', 'checkInDate', 'checkOutDate']),
  PartialType(PickType(PlaceAndDates, ['checkInDate', 'checkOutDate'])),
) {
  @CalendarDate({
    description: 'First night in unitId, for guests in house; checkOutDate is optional then.',
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
