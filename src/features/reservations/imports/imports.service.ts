import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { loopShare } from '#turns';
import type { SyncCounts } from '../../../outside/connections/connection.dto.js';
import type { Apply } from '../../../outside/connections/connection-provider.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { EventsService } from '../../../platform/events/events.service.js';
import { ReferencesRepository } from '../../../tenancy/references/references.repository.js';
import { UnitsService } from '../../../tenancy/units/units.service.js';
import { Followers } from '../../../tenancy/followers/followers.js';
import type { ReservationSource } from '../reservation.dto.js';
import type { Reservation } from '../reservation.entity.js';
import { reservationCancelled, reservationCreated, reservationUpdated } from '../reservations.events.js';
import type { ChangedReservation } from '../overlaps/overlaps.repository.js';
import { ReservationsRepository } from '../reservations.repository.js';
import { OverlapFlags } from '../overlaps/overlap-flags.service.js';
import { StayPlaces } from '../stay-places.js';
import { ImportedChanges, isAsImported, type PlacedStay, type Said } from './imported-changes.service.js';
import type { ImportedStay } from './imported-stay.js';

type ImportSource = Exclude<ReservationSource, 'manual'>;

/** Up to this many changes are applied in the transaction of the sync. More are applied in parts, before it. */
const mostAtOnce = 100;

/** A stay that is new or other than here, or one that is gone there. */
type Difference = { stay: PlacedStay; knownId?: string } | { stay?: undefined; knownId: string };

/** Brings reservations in line with all that another system says at one time. Runs in the transactions of a sync. */
@Injectable()
export class ImportsService {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly changes: ImportedChanges,
    private readonly units: UnitsService,
    private readonly followers: Followers,
    private readonly places: StayPlaces,
    private readonly flags: OverlapFlags,
    private readonly references: ReferencesRepository,
    private readonly events: EventsService,
  ) {}

  /** Importing the same stays again changes nothing; future stays that are gone there are cancelled here. */
  applying(connection: Connection, source: ImportSource, stays: readonly ImportedStay[]): Apply {
    let left: Difference[] | undefined;
    return async (caller, most) => {
      const isFirst = !left;
      left ??= await this.differences(caller, connection, source, stays);
      const same = isFirst ? stays.length - left.filter(({ stay }) => stay).length : 0;
      const part = left.splice(0, left.length > mostAtOnce ? most : mostAtOnce);
      const changes = await this.apply(caller, connection, source, part);
      return { ...countsOf(changes), unchanged: same + part.length - changes.length, left: left.length };
    };
  }

  /** What differs here, those that end first and then the others by place and date, so that neighbours change together. */
  private async differences(
    caller: Caller,
    connection: Connection,
    source: ImportSource,
    stays: readonly ImportedStay[],
  ): Promise<Difference[]> {
    const known = await this.reservations.imported(connection, source, stays);
    const types = await this.units.typesOf(
      caller.orgId,
      stays.flatMap(({ unitId }) => unitId ?? []),
    );
    const left = new Map(known.map((reservation) => [reservation.externalId, reservation]));
    const other: { inOrder: string; difference: Difference }[] = [];
    for (const stay of stays) {
      if (loopShare.isUsedUp) await loopShare.next();
      const placed = { ...stay, unitTypeId: (stay.unitId && types.get(stay.unitId)) || null };
      const before = left.get(stay.externalId);
      left.delete(stay.externalId);
      const isOther = before ? !isAsImported(before, placed, connection) : stay.status !== 'cancelled';
      if (isOther) other.push({ inOrder: orderOf(placed), difference: { stay: placed, knownId: before?.id } });
    }
    const gone: Difference[] = [];
    for (const { id } of await this.changes.toEnd(caller, [...left.values()])) gone.push({ knownId: id });
    other.sort((one, two) => (one.inOrder < two.inOrder ? -1 : 1));
    return [...gone, ...other.map(({ difference }) => difference)];
  }

  private async apply(
    caller: Caller,
    connection: Connection,
    source: ImportSource,
    part: readonly Difference[],
  ): Promise<ChangedReservation[]> {
    // Places before stays, in the order of all locks; only a sync of this connection could move its stays in between.
    const ids = part.flatMap(({ knownId }) => knownId ?? []);
    const seen = await this.reservations.findRows(caller.orgId, ids);
    const places = [...seen, ...part.flatMap(({ stay }) => stay ?? [])];
    await this.places.lock(
      caller,
      places.map(({ propertyId }) => propertyId),
    );
    const locked = await this.reservations.findRows(caller.orgId, ids, 'for no key update');
    const known = new Map(locked.map((reservation) => [reservation.id, reservation]));
    const [gone, said, added]: [Reservation[], Said[], PlacedStay[]] = [[], [], []];
    for (const { stay, knownId } of part) {
      const reservation = knownId === undefined ? undefined : known.get(knownId);
      if (stay && reservation) said.push({ reservation, stay });
      else if (stay) added.push(stay);
      else if (reservation) gone.push(reservation);
    }
    const changes: ChangedReservation[] = [
      ...(await this.changes.callOff(caller, gone)),
      ...(await this.changes.follow(caller, connection, said)),
      ...(await this.changes.add(caller, connection, source, added)).map((after) => ({ after })),
    ];
    this.refer(connection, changes);
    await this.announce(caller, changes);
    return changes;
  }

  /** Others find the stay by its name there too. */
  private refer({ orgId, id: connectionId }: Connection, changes: readonly ChangedReservation[]): void {
    const named = changes.flatMap(({ after: { id, externalRefs } }) =>
      externalRefs.flatMap((ref) => (ref.connectionId === connectionId ? { id, externalId: ref.externalId } : [])),
    );
    if (named.length > 0) this.references.addAll(orgId, { resource: 'reservation', connectionId }, named);
  }

  /**
   * Stays that a connection imported are ours from now on; another connection that imports the same stays takes them
   * over.
   *
   * @returns whether there may be more than these.
   */
  async release(connection: Connection, most: number): Promise<boolean> {
    const released = await this.reservations.release(connection, most);
    await this.events.recordAll({ orgId: connection.orgId }, released, () => reservationUpdated);
    return released.length === most;
  }

  /** Runs after all stays are written, so that every listener sees the neighbours of a stay in their new state. */
  private async announce(caller: Caller, changes: readonly ChangedReservation[]): Promise<void> {
    if (changes.length === 0) return;
    const changed = changes.flatMap(({ after, before }) => (before ? [{ after, before }] : []));
    const added = changes.flatMap(({ after, before }) => (before ? [] : [after]));
    await this.events.recordAll(caller, changed, (one) =>
      isCancelled(one) ? reservationCancelled : reservationUpdated,
    );
    await this.events.recordNew(caller, added, reservationCreated);
    await this.flags.mark(caller, changes);
    await this.followers.staysChanged(
      caller,
      changes.map(({ after: stay, before }) => ({ stay, before })),
    );
  }
}

const orderOf = ({ propertyId, unitId, checkInDate }: ImportedStay): string =>
  `${propertyId} ${unitId ?? ''} ${checkInDate}`;

const isCancelled = ({ after, before }: ChangedReservation): boolean =>
  before !== undefined && after.status === 'cancelled' && before.status !== 'cancelled';

function countsOf(changes: readonly ChangedReservation[]): Omit<SyncCounts, 'unchanged'> {
  const created = changes.filter(({ before }) => !before).length;
  const cancelled = changes.filter(isCancelled).length;
  return { created, updated: changes.length - created - cancelled, cancelled };
}
