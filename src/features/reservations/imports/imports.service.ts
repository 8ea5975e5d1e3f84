import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { LoopShare, mapInTurns } from '#turns';
import type { SyncCounts } from '../../../outside/connections/connection.dto.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { EventsService } from '../../../platform/events/events.service.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { type ExternalRef, longestName, mostReferences } from '../../../tenancy/references/external-ref.dto.js';
import { ReferencesRepository } from '../../../tenancy/references/references.repository.js';
import { UnitsService } from '../../../tenancy/units/units.service.js';
import { Followers } from '../../../tenancy/followers/followers.js';
import { GuestsService } from '../guests.service.js';
import type { ReservationSource } from '../reservation.dto.js';
import { newReservation, type Reservation } from '../reservation.entity.js';
import { reservationCancelled, reservationCreated, reservationUpdated } from '../reservations.events.js';
import { ReservationsRepository } from '../reservations.repository.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import { StayPlaces } from '../stay-places.js';
import { StayTimes } from '../stay-times.js';
import type { ImportedStay } from './imported-stay.js';

/** With the type of its unit. */
type PlacedStay = ImportedStay & { unitTypeId: string | null };

interface Change {
  stay: Reservation;
  before?: Reservation;
}

/** Brings reservations in line with all that another system says at one time. Runs in the transaction of a sync. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly properties: PropertiesService,
    private readonly units: UnitsService,
    private readonly guests: GuestsService,
    private readonly times: StayTimes,
    private readonly followers: Followers,
    private readonly places: StayPlaces,
    private readonly references: ReferencesRepository,
    private readonly events: EventsService,
  ) {}

  /** Importing the same stays again changes nothing; future stays that are gone there are cancelled here. */
  async apply(
    caller: Caller,
    connection: Connection,
    source: Exclude<ReservationSource, 'manual'>,
    stays: readonly ImportedStay[],
  ): Promise<SyncCounts> {
    // Places before stays, in the order of all locks; only a sync of this connection could move its stays in between.
    const seen = await this.reservations.imported(connection, source, stays);
    await this.places.lock(
      caller,
      [...stays, ...seen].map(({ propertyId }) => propertyId),
    );
    const known = await this.reservations.imported(connection, source, stays, 'for no key update');
    const left = new Map(known.map((reservation) => [reservation.externalId, reservation]));
    const types = await this.units.typesOf(
      caller.orgId,
      stays.flatMap(({ unitId }) => unitId ?? []),
    );
    const changes: Change[] = [];
    const share = new LoopShare();
    for (const stay of stays) {
      if (share.isUsedUp) await share.next();
      const before = left.get(stay.externalId);
      const placed = { ...stay, unitTypeId: (stay.unitId && types.get(stay.unitId)) || null };
      left.delete(stay.externalId);
      const change = before
        ? await this.follow(caller, connection, before, placed)
        : await this.add(caller, connection, source, placed);
      if (change) changes.push(change);
    }
    const unchanged = stays.length - changes.length;
    for (const gone of left.values()) {
      const change = await this.callOff(caller, gone);
      if (change) changes.push(change);
    }
    this.refer(connection, changes);
    await this.announce(caller, changes);
    return { ...countsOf(changes), unchanged };
  }

  /** Others find the stay by its name there too. */
  private refer({ orgId, id: connectionId }: Connection, changes: readonly Change[]): void {
    const named = changes.flatMap(({ stay: { id, externalRefs } }) =>
      externalRefs.flatMap((ref) => (ref.connectionId === connectionId ? { id, externalId: ref.externalId } : [])),
    );
    if (named.length > 0) this.references.addAll(orgId, { resource: 'reservation', connectionId }, named);
  }

  /**
   * Stays that a connection imported are ours from now on; another connection that imports the same stays takes them
   * over.
   */
  async release(connection: Connection): Promise<void> {
    const released = await this.reservations.release(connection);
    await this.events.recordAll({ orgId: connection.orgId }, released, () => reservationUpdated);
  }

  private async add(
    caller: Caller,
    { orgId, id }: Connection,
    source: ReservationSource,
    { guestName, ...stay }: PlacedStay,
  ): Promise<Change | undefined> {
    if (stay.status === 'cancelled') return undefined;
    const times = await this.timesOf(caller, stay);
    const party = await this.guests.party(caller, { primaryGuest: guestName ? { name: guestName } : null });
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

  private async follow(
    caller: Caller,
    { id }: Connection,
    reservation: Reservation,
    stay: PlacedStay,
  ): Promise<Change | undefined> {
    const owned = { ...ownedBy(stay), connectionId: id, exempt: true };
    const isSame = Object.entries(owned).every(([name, value]) => reservation[name as keyof Reservation] === value);
    if (isSame) return undefined;
    const times = await this.timesOf(caller, stay);
    const cancelledAt = stay.status === 'cancelled' ? (reservation.cancelledAt ?? new Date().toISOString()) : null;
    const externalRefs = referring(reservation.externalRefs, id, stay.externalId);
    const changes = { ...owned, ...times, externalRefs, cancelledAt, cancellationReason: null };
    return { before: await this.reservations.update(reservation, changes), stay: reservation };
  }

  /** A stay that started before today may have left the other system only for that reason. */
  private async callOff(caller: Caller, reservation: Reservation): Promise<Change | undefined> {
    const { status, stayStatus, checkInDate, propertyId } = reservation;
    if (!['inquiry', 'pending', 'confirmed'].includes(status) || stayStatus !== 'not_arrived') return undefined;
    const { timezone } = await this.properties.get(caller, propertyId);
    if (checkInDate < dayIn(timezone)) return undefined;
    const before = await this.reservations.update(reservation, {
      status: 'cancelled',
      cancelledAt: new Date().toISOString(),
      cancellationReason: 'The reservation is no longer in the system that it was imported from.',
    });
    return { stay: reservation, before };
  }

  private async timesOf(caller: Caller, stay: Omit<ImportedStay, 'guestName'>) {
    const property = await this.properties.get(caller, stay.propertyId);
    return await this.times.of(property, { ...stay, arrivalAt: null, departureAt: null });
  }

  /** Runs after all stays are written, so that every listener sees the neighbours of a stay in their new state. */
  private async announce(caller: Caller, changes: readonly Change[]): Promise<void> {
    await mapInTurns(changes, ({ stay, before }) =>
      before
        ? this.events.record(caller, happenedTo(stay, before), stay, before)
        : this.events.record(caller, reservationCreated, stay),
    );
    const properties = changes.flatMap(({ stay, before }) => [stay.propertyId, ...(before ? [before.propertyId] : [])]);
    const stayIds = changes.map(({ stay }) => stay.id);
    if (stayIds.length > 0) await this.places.markOverlaps(caller, properties, stayIds);
    await this.followers.staysChanged(caller, changes);
  }
}

/** The references of a stay, with its name at the connection; the names of some calendars are too long for one. */
function referring(refs: readonly ExternalRef[], connectionId: string, externalId: string): ExternalRef[] {
  const isThere = refs.some((ref) => ref.connectionId === connectionId && ref.externalId === externalId);
  if (isThere || externalId.length > longestName || refs.length >= mostReferences) return [...refs];
  return [...refs, { connectionId, externalId }];
}

const happenedTo = (stay: Reservation, before: Reservation) =>
  stay.status === 'cancelled' && before.status !== 'cancelled' ? reservationCancelled : reservationUpdated;

const ownedBy = ({ guestName: _guest, notes: _notes, externalId: _id, ...owned }: PlacedStay) => owned;

function countsOf(changes: readonly Change[]): Omit<SyncCounts, 'unchanged'> {
  const created = changes.filter(({ before }) => !before).length;
  const cancelled = changes.filter(({ stay, before }) => before && stay.status === 'cancelled').length;
  return { created, updated: changes.length - created - cancelled, cancelled };
}
