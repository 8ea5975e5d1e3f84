import { IntersectionType, OmitType, PartialType } from '@nestjs/swagger';
import {
  CalendarDate,
  Flag,
  Id,
  Int,
  ListOfObjects,
  Metadata,
  ObjectOf,
  OneOf,
  Pattern,
  Text,
  Timestamp,
} from '#operations';
import { ExternalRef } from '../organizations/external-ref.dto.js';
import { Money } from '../organizations/money.dto.js';
import { PageOf } from '../../libs/operations/paging.js';

export const reservationStatuses = ['inquiry', 'pending', 'confirmed', 'cancelled', 'declined', 'expired'] as const;
export type ReservationStatus = (typeof reservationStatuses)[number];

export const stayStatuses = ['not_arrived', 'checked_in', 'checked_out', 'no_show'] as const;
export type StayStatus = (typeof stayStatuses)[number];

export const reservationSources = ['manual', 'ical', 'provider'] as const;
export type ReservationSource = (typeof reservationSources)[number];

const openings = ['inquiry', 'pending', 'confirmed'] as const;
const languageTag = {
  pattern: /^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8})*$/,
  max: 35,
  says: 'Give a language tag such as pt-BR.',
};

export class GuestCounts {
  @Int({ about: 'Adults.', min: 0, max: 1_000 }) adults: number;
  @Int({ about: 'Children; 0 when left out.', optional: true, min: 0, max: 1_000 }) children?: number;
  @Int({ about: 'Infants; 0 when left out.', optional: true, min: 0, max: 1_000 }) infants?: number;
  @Int({ about: 'Pets; 0 when left out.', optional: true, min: 0, max: 1_000 }) pets?: number;
}

/** The guest who is answerable for the stay, by id or by name; a new name makes a new guest. */
export class PrimaryGuest {
  @Id('guest', { about: 'A guest that is known already; leave the other fields out then.', optional: true })
  id?: string;

  @Text({ about: "The guest's name, for a new guest.", max: 200, optional: true })
  name?: string;

  @Text({ about: 'Their email address.', max: 254, optional: true, nullable: true })
  email?: string | null;

  @Text({ about: 'Their phone number.', max: 50, optional: true, nullable: true })
  phone?: string | null;
}

export class PrimaryGuestView {
  @Id('guest', { about: 'The guest.' }) id: string;
  @Text({ about: "The guest's name.", max: 200 }) name: string;
}

class Details {
  @Text({ about: 'The code that guests and channels know it by.', max: 100, optional: true, nullable: true })
  confirmationCode?: string | null;

  @Text({ about: 'Where it was booked, such as direct or airbnb.', max: 50, optional: true, nullable: true })
  channel?: string | null;

  @OneOf(openings, { about: 'How firm it is; confirmed when left out.', optional: true })
  status?: (typeof openings)[number];

  @ObjectOf(() => PrimaryGuest, { about: 'The guest who is answerable for the stay.', optional: true, nullable: true })
  primaryGuest?: PrimaryGuest | null;

  @ObjectOf(() => GuestCounts, { about: 'How many stay.', optional: true, nullable: true })
  guestCounts?: GuestCounts | null;

  @Timestamp({
    about: 'When they arrive, on the check-in date; the check-in time when left out.',
    optional: true,
    nullable: true,
  })
  arrivalAt?: string | null;

  @Timestamp({
    about: 'When they leave, on the check-out date; the check-out time when left out.',
    optional: true,
    nullable: true,
  })
  departureAt?: string | null;

  @Pattern({ about: "The guests' language.", optional: true, nullable: true, ...languageTag })
  locale?: string | null;

  @Text({ about: 'Notes for those who look after the stay.', max: 10_000, optional: true, nullable: true })
  notes?: string | null;

  @ObjectOf(() => Money, { about: 'What it costs altogether.', optional: true, nullable: true })
  total?: Money | null;

  @Metadata({ about: 'Your own keys and values.', optional: true })
  metadata?: Record<string, string>;

  @ListOfObjects(() => ExternalRef, { about: 'What other systems call it.', optional: true, max: 20 })
  externalRefs?: ExternalRef[];
}

class PlaceAndDates {
  @Id('property', { about: 'Where.' })
  propertyId: string;

  @Id('unit', { about: 'Which unit of it; the whole property when left out.', optional: true, nullable: true })
  unitId?: string | null;

  @CalendarDate({ about: 'The first night, local to the property.', example: '2027-07-01' })
  checkInDate: string;

  @CalendarDate({ about: 'The day of leaving, local to the property.', example: '2027-07-04' })
  checkOutDate: string;
}

export class CreateReservation extends IntersectionType(PlaceAndDates, Details) {}

export class ThisReservation {
  @Id('reservation', { about: 'The reservation.' }) reservationId: string;
}

const answers = ['inquiry', 'pending', 'confirmed', 'declined', 'expired'] as const;

export class UpdateReservation extends IntersectionType(
  ThisReservation,
  PartialType(OmitType(Details, ['status']), { skipNullProperties: false }),
) {
  @OneOf(answers, { about: 'How firm it is; cancelReservation cancels it.', optional: true })
  status?: (typeof answers)[number];
}

export class MoveReservation extends IntersectionType(ThisReservation, OmitType(PlaceAndDates, ['propertyId'])) {
  @Id('property', { about: 'Where to; where it is when left out.', optional: true })
  propertyId?: string;
}

export class CancelReservation extends ThisReservation {
  @Text({ about: 'Why, for those who look at it later.', max: 1_000, optional: true })
  reason?: string;
}

export class ListReservations extends PageOf(['createdAt', 'updatedAt', 'checkInDate']) {
  @Id('property', { about: 'Only stays at this property.', optional: true }) propertyId?: string;
  @Id('unit', { about: 'Only stays in this unit.', optional: true }) unitId?: string;
  @Id('guest', { about: 'Only stays of this guest.', optional: true }) guestId?: string;
  @OneOf(reservationStatuses, { about: 'Only of this status.', optional: true }) status?: ReservationStatus;
  @OneOf(stayStatuses, { about: 'Only where the stay stands so.', optional: true }) stayStatus?: StayStatus;
  @CalendarDate({ about: 'Only stays over the night that begins on this local date.', optional: true })
  stayingOn?: string;
  @CalendarDate({ about: 'Only arrivals on this local date.', optional: true }) arrivingOn?: string;
  @CalendarDate({ about: 'Only arrivals on this local date or later.', optional: true }) arrivingFrom?: string;
  @CalendarDate({ about: 'Only arrivals before this local date.', optional: true }) arrivingBefore?: string;
  @CalendarDate({ about: 'Only departures on this local date.', optional: true }) departingOn?: string;
  @Text({ about: "Only where the guest's name holds this text.", min: 3, max: 100, optional: true }) q?: string;
  @Timestamp({ about: 'Only what changed at this time or later, cancelled ones included.', optional: true })
  updatedSince?: string;
}

export class ReservationView {
  @Id('reservation', { about: 'The reservation.' }) id: string;
  @Id('property', { about: 'Where.' }) propertyId: string;
  @Id('unit', { about: 'Which unit of it.', nullable: true }) unitId: string | null;
  @CalendarDate({ about: 'The first night, local to the property.' }) checkInDate: string;
  @CalendarDate({ about: 'The day of leaving, local to the property.' }) checkOutDate: string;
  @Timestamp({ about: 'When they arrive.' }) arrivalAt: string;
  @Timestamp({ about: 'When they leave.' }) departureAt: string;
  @Text({ about: 'The code that guests and channels know it by.', max: 100, nullable: true }) confirmationCode:
    | string
    | null;
  @Text({ about: 'Where it was booked.', max: 50, nullable: true }) channel: string | null;
  @OneOf(reservationStatuses, { about: 'How firm it is.' }) status: ReservationStatus;
  @OneOf(stayStatuses, { about: 'Where the stay stands.' }) stayStatus: StayStatus;
  @ObjectOf(() => PrimaryGuestView, { about: 'The guest who is answerable for it.', nullable: true })
  primaryGuest: PrimaryGuestView | null;
  @ObjectOf(() => GuestCounts, { about: 'How many stay.', nullable: true }) guestCounts: GuestCounts | null;
  @Text({ about: "The guests' language.", max: 35, nullable: true }) locale: string | null;
  @Text({ about: 'Notes for those who look after the stay.', max: 10_000, nullable: true }) notes: string | null;
  @ObjectOf(() => Money, { about: 'What it costs altogether.', nullable: true }) total: Money | null;
  @OneOf(reservationSources, { about: 'Who owns its dates: we, a calendar, or a provider.' }) source: ReservationSource;
  @Flag({ about: 'Whether another confirmed stay takes the same place on some of its nights.' }) overlapping: boolean;
  @Timestamp({ about: 'When it was cancelled.', nullable: true }) cancelledAt: string | null;
  @Text({ about: 'Why it was cancelled.', max: 1_000, nullable: true }) cancellationReason: string | null;
  @Metadata({ about: 'Your own keys and values.' }) metadata: Record<string, string>;
  @ListOfObjects(() => ExternalRef, { about: 'What other systems call it.', max: 20 }) externalRefs: ExternalRef[];
  @Int({ about: 'Rises with every change.', min: 1, max: 2_147_483_647 }) version: number;
  @Timestamp({ about: 'When it was made.' }) createdAt: string;
  @Timestamp({ about: 'When it last changed.' }) updatedAt: string;
}
