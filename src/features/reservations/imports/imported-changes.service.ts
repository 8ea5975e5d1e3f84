import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { type ExternalRef, longestName, mostReferences } from '../../../tenancy/references/external-ref.dto.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import { Parties } from '../parties.service.js';
import type { ReservationSource } from '../reservation.dto.js';
import { newReservation, type Reservation } from '../reservation.entity.js';
import { ReservationsRepository } from '../reservations.repository.js';
import { StayTimes } from '../stay-times.js';
import type { ImportedStay } from './imported-stay.js';

/** With the type of its unit. */
export type PlacedStay = ImportedStay & { unitTypeId: string | null };

export interface Change {
  stay: Reservation;
  before?: Reservation;
}

/** How one reservation becomes what another system says. */
@Injectable()
export class ImportedChanges {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly properties: PropertiesService,
    private readonly parties: Parties,
    private readonly times: StayTimes,
  ) {}

  async add(
    caller: Caller,
    { orgId, id }: Connection,
    source: ReservationSource,
    { guestName, ...stay }: PlacedStay,
  ): Promise<Change | undefined> {
    if (stay.status === 'cancelled') return undefined;
    const times = await this.timesOf(caller, stay);
    const party = await this.parties.of(caller, { primaryGuest: guestName ? { name: guestName } : null });
    const reservation = newReservation(orgId, {
      ...stay,
      ...times,
      bookedUnitTypeId: stay.unitTypeId,
      source,
      exempt: true,
      connectionId: id,
      externalRefs: referring([], id, stay.externalId),
      ...party,
    });
    return { stay: await this.reservations.insert(reservation) };
  }

  async follow(
    caller: Caller,
    { id }: Connection,
    reservation: Reservation,
    stay: PlacedStay,
  ): Promise<Change | undefined> {
    const owned = ownedBy(stay, id);
    if (saysTheSame(reservation, owned)) return undefined;
    const times = await this.timesOf(caller, stay);
    const cancelledAt = stay.status === 'cancelled' ? (reservation.cancelledAt ?? new Date().toISOString()) : null;
    const externalRefs = referring(reservation.externalRefs, id, stay.externalId);
    const changes = { ...owned, ...times, externalRefs, cancelledAt, cancellationReason: null };
    return { before: await this.reservations.update(reservation, changes), stay: reservation };
  }

  /** Cancels a stay that the other system no longer has. */
  async callOff(caller: Caller, reservation: Reservation): Promise<Change | undefined> {
    if (!(await this.isToEnd(caller, reservation))) return undefined;
    const before = await this.reservations.update(reservation, {
      status: 'cancelled',
      cancelledAt: new Date().toISOString(),
      cancellationReason: 'The reservation is no longer in the system that it was imported from.',
    });
    return { stay: reservation, before };
  }

  /** A stay that started before today may have left the other system only for that reason. */
  async isToEnd(caller: Caller, { status, stayStatus, checkInDate, propertyId }: Reservation): Promise<boolean> {
    if (!['inquiry', 'pending', 'confirmed'].includes(status) || stayStatus !== 'not_arrived') return false;
    return checkInDate >= dayIn((await this.properties.get(caller, propertyId)).timezone);
  }

  private async timesOf(caller: Caller, stay: Omit<ImportedStay, 'guestName'>) {
    const property = await this.properties.get(caller, stay.propertyId);
    return await this.times.of(property, { ...stay, arrivalAt: null, departureAt: null });
  }
}

/** The references of a stay, with its name at the connection; the names of some calendars are too long for one. */
function referring(refs: readonly ExternalRef[], connectionId: string, externalId: string): ExternalRef[] {
  const isThere = refs.some((ref) => ref.connectionId === connectionId && ref.externalId === externalId);
  if (isThere || externalId.length > longestName || refs.length >= mostReferences) return [...refs];
  return [...refs, { connectionId, externalId }];
}

const ownedBy = (
  { guestName: _guest, notes: _notes, externalId: _id, ...owned }: PlacedStay,
  connectionId: string,
) => ({
  ...owned,
  connectionId,
  exempt: true,
});

const saysTheSame = (reservation: Reservation, owned: object): boolean =>
  Object.entries(owned).every(([name, value]) => reservation[name as keyof Reservation] === value);

/** Whether a connection says of a stay what is here already. */
export const isAsImported = (reservation: Reservation, stay: PlacedStay, { id }: Connection): boolean =>
  saysTheSame(reservation, ownedBy(stay, id));
