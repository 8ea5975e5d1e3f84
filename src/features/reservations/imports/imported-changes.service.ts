import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { valueOf } from '#errors';
import type { Changed } from '#persistence';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import type { Property } from '../../../tenancy/properties/property.entity.js';
import { type ExternalRef, longestName, mostReferences } from '../../../tenancy/references/external-ref.dto.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import { GuestsService } from '../guests.service.js';
import { Parties } from '../parties.service.js';
import type { ReservationSource } from '../reservation.dto.js';
import { newReservation, type Reservation } from '../reservation.entity.js';
import { ReservationsRepository } from '../reservations.repository.js';
import { StayTimes, type Times } from '../stay-times.js';
import type { ImportedStay } from './imported-stay.js';

/** With the type of its unit. */
export type PlacedStay = ImportedStay & { unitTypeId: string | null };

/** A reservation, and what the other system says of it now. */
export interface Said {
  reservation: Reservation;
  stay: PlacedStay;
}

/** How reservations become what another system says: with statements for many of them together. */
@Injectable()
export class ImportedChanges {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly properties: PropertiesService,
    private readonly parties: Parties,
    private readonly guests: GuestsService,
    private readonly times: StayTimes,
  ) {}

  async add(
    caller: Caller,
    { orgId, id }: Connection,
    source: ReservationSource,
    stays: readonly PlacedStay[],
  ): Promise<Reservation[]> {
    const live = stays.filter(({ status }) => status !== 'cancelled');
    const times = await this.timesOf(caller, live);
    const named = live.map(({ guestName }) => ({ primaryGuest: guestName ? { name: guestName } : null }));
    const parties = (await this.parties.ofAll(caller, named)).map(valueOf);
    const added = live.map(({ guestName: _guest, ...stay }, index) =>
      newReservation(orgId, {
        ...stay,
        ...(times[index] as Times),
        ...parties[index]?.party,
        bookedUnitTypeId: stay.unitTypeId,
        source,
        exempt: true,
        connectionId: id,
        externalRefs: referring([], id, stay.externalId),
      }),
    );
    await this.guests.addAll(
      caller,
      parties.flatMap(({ newGuests }) => newGuests),
    );
    await this.reservations.insertAll(added);
    return added;
  }

  async follow(caller: Caller, connection: Connection, said: readonly Said[]): Promise<Changed<Reservation>[]> {
    const other = said.filter(({ reservation, stay }) => !isAsImported(reservation, stay, connection));
    const times = await this.timesOf(
      caller,
      other.map(({ stay }) => stay),
    );
    const now = new Date().toISOString();
    return await this.reservations.updateEach(
      other.map(({ reservation, stay }, index) => ({
        row: reservation,
        changes: {
          ...ownedBy(stay, connection.id),
          ...times[index],
          externalRefs: referring(reservation.externalRefs, connection.id, stay.externalId),
          cancelledAt: stay.status === 'cancelled' ? (reservation.cancelledAt ?? now) : null,
          cancellationReason: null,
        },
      })),
    );
  }

  /** Cancels stays that the other system no longer has. */
  async callOff(caller: Caller, reservations: readonly Reservation[]): Promise<Changed<Reservation>[]> {
    const cancelled = {
      status: 'cancelled' as const,
      cancelledAt: new Date().toISOString(),
      cancellationReason: 'The reservation is no longer in the system that it was imported from.',
    };
    const toEnd = await this.toEnd(caller, reservations);
    return await this.reservations.updateEach(toEnd.map((row) => ({ row, changes: cancelled })));
  }

  /** Those that end with the other system: a stay that started before today may have left it only for that reason. */
  async toEnd(caller: Caller, reservations: readonly Reservation[]): Promise<Reservation[]> {
    const expected = reservations.filter(
      ({ status, stayStatus }) => ['inquiry', 'pending', 'confirmed'].includes(status) && stayStatus === 'not_arrived',
    );
    const properties = await this.propertiesOf(caller, expected);
    return expected.filter(
      ({ propertyId, checkInDate }) => checkInDate >= dayIn((properties.get(propertyId) as Property).timezone),
    );
  }

  private async timesOf(caller: Caller, stays: readonly PlacedStay[]): Promise<Times[]> {
    const properties = await this.propertiesOf(caller, stays);
    const asked = stays.map((stay) => ({
      property: properties.get(stay.propertyId) as Property,
      asked: { ...stay, arrivalAt: null, departureAt: null },
    }));
    return (await this.times.ofAll(asked)).map(valueOf);
  }

  private async propertiesOf(
    caller: Caller,
    stays: readonly { propertyId: string }[],
  ): Promise<ReadonlyMap<string, Property>> {
    const ids = stays.map(({ propertyId }) => propertyId);
    const properties = await this.properties.getMany(caller, ids);
    return new Map(properties.map((property) => [property.id, property]));
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

/** Whether a stay already is as its connection reports it. */
export const isAsImported = (reservation: Reservation, stay: PlacedStay, { id }: Connection): boolean =>
  saysTheSame(reservation, ownedBy(stay, id));
