import { Column, Entity, PrimaryColumn } from 'typeorm';
import { idColumn, newId } from '#persistence';
import { localTime } from '#recurrence';
import type { ExternalRef } from '../../tenancy/references/external-ref.dto.js';
import type { Money } from '#money';
import type { Segment } from '../../tenancy/stays/nights.repository.js';
import { nightsOf, type Occupies, occupiesOf, type Room, segmentsOf } from './occupancy.js';
import type {
  GuestCounts,
  GuestOfStayView,
  ReservationSource,
  ReservationStatus,
  ReservationView,
  StayStatus,
  StayWarning,
} from './reservation.dto.js';

@Entity('reservations')
export class Reservation implements ReservationView {
  @PrimaryColumn('uuid', { transformer: idColumn('org') }) orgId: string;
  @PrimaryColumn('uuid', { transformer: idColumn('reservation') }) id: string;
  @Column('uuid', { transformer: idColumn('property') }) propertyId: string;
  @Column('uuid', { nullable: true, transformer: idColumn('unit') }) unitId: string | null;
  /** The type of the unit, or the type that it is sold as until a unit is assigned. */
  @Column('uuid', { nullable: true, transformer: idColumn('unittype') }) unitTypeId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('unittype') }) bookedUnitTypeId: string | null;
  @Column('uuid', { nullable: true, transformer: idColumn('guest') }) guestId: string | null;
  @Column('uuid', { array: true, transformer: idColumn('guest') }) companionIds: string[];
  @Column('date') checkInDate: string;
  @Column('date') checkOutDate: string;
  /** Local times of day that differ from the property's; the moments follow from them. */
  @Column('time', { nullable: true }) arrivalTime: string | null;
  @Column('time', { nullable: true }) departureTime: string | null;
  @Column('timestamptz') arrivalAt: string;
  @Column('timestamptz') departureAt: string;
  /** The time zone that they are of: that of the property, until the stay has followed it to another one. */
  @Column('text') timezone: string;
  @Column('text', { nullable: true }) confirmationCode: string | null;
  @Column('text', { nullable: true }) groupRef: string | null;
  @Column('text', { nullable: true }) channel: string | null;
  @Column('text') status: ReservationStatus;
  @Column('text') stayStatus: StayStatus;
  @Column('timestamptz', { nullable: true }) checkedInAt: string | null;
  @Column('timestamptz', { nullable: true }) departedAt: string | null;
  /** The same, as a day of the property. */
  @Column('date', { nullable: true }) departedOn: string | null;
  /** Whether the nights of a no-show were given up. */
  @Column('boolean') released: boolean;
  /** Where it changed rooms in house: all its rooms, in order. */
  @Column('jsonb') rooms: Room[];
  /** The first night in another room, while that is in the future. */
  @Column('date', { nullable: true }) nextRoomFrom: string | null;
  @Column('jsonb', { nullable: true }) guestCounts: GuestCounts | null;
  @Column('text', { nullable: true }) locale: string | null;
  @Column('text', { nullable: true }) notes: string | null;
  @Column('jsonb', { nullable: true }) total: Money | null;
  @Column('text') source: ReservationSource;
  /** The connection that brought it, and its name there. */
  @Column('uuid', { nullable: true, transformer: idColumn('connection') }) connectionId: string | null;
  @Column('text', { nullable: true }) externalId: string | null;
  @Column('boolean') overlapping: boolean;
  /**
   * Its nights or hours may meet those of others: another system owns it, it lost its unit to a block and waits for another one,
   * its guests have left a day use, or it did so before that was refused.
   */
  @Column('boolean') exempt: boolean;
  @Column('timestamptz', { nullable: true }) cancelledAt: string | null;
  @Column('text', { nullable: true }) cancellationReason: string | null;
  @Column('jsonb') metadata: Record<string, string>;
  @Column('jsonb') externalRefs: ExternalRef[];
  @Column('integer') version: number;
  @Column('timestamptz') createdAt: string;
  @Column('timestamptz') updatedAt: string;

  /** Filled in from the guests when it is read. */
  primaryGuest: GuestOfStayView | null = null;
  companions: GuestOfStayView[] = [];

  get arrivalLocal(): string {
    return wallTime(this.arrivalAt, this.timezone);
  }

  get departureLocal(): string {
    return wallTime(this.departureAt, this.timezone);
  }

  /** Where the system that it came from writes to us: what that system decides. Filled in when it is read. */
  pushed: Pushed | null = null;

  /** Filled in from its place when it is read. */
  warnings: StayWarning[] = [];

  get occupies(): Occupies {
    return occupiesOf(this);
  }

  get occupiedFrom(): string | null {
    return nightsOf(this)?.from ?? null;
  }

  get occupiedUntil(): string | null {
    return nightsOf(this)?.until ?? null;
  }

  get segments(): Segment[] {
    return segmentsOf(this);
  }
}

/** What a system that writes to us decides of its stays. */
export interface Pushed {
  ownsOverlaps: boolean;
  fields: 'all' | 'dates';
}

/** What a clock at the property shows, to the minute. */
const wallTime = (moment: string, timezone: string): string => localTime(moment, timezone).toISOString().slice(0, 16);

type Given = Partial<Reservation> &
  Pick<Reservation, 'propertyId' | 'checkInDate' | 'checkOutDate' | 'arrivalAt' | 'departureAt' | 'timezone'>;

/** A confirmed reservation of our own, with the given values and defaults. */
export function newReservation(orgId: string, given: Given): Reservation {
  const now = new Date().toISOString();
  return Object.assign(new Reservation(), {
    unitId: null,
    unitTypeId: null,
    bookedUnitTypeId: null,
    guestId: null,
    companionIds: [],
    confirmationCode: null,
    groupRef: null,
    channel: null,
    status: 'confirmed' as const,
    stayStatus: 'not_arrived' as const,
    checkedInAt: null,
    departedAt: null,
    departedOn: null,
    released: false,
    rooms: [],
    nextRoomFrom: null,
    guestCounts: null,
    locale: null,
    notes: null,
    total: null,
    source: 'manual' as const,
    connectionId: null,
    externalId: null,
    overlapping: false,
    exempt: false,
    cancelledAt: null,
    cancellationReason: null,
    metadata: {},
    externalRefs: [],
    ...given,
    orgId,
    id: newId('reservation'),
    version: 1,
    createdAt: now,
    updatedAt: now,
  });
}
