import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { further, type Outcome, outcomeOf } from '#errors';
import { merging, readInput, type Saved } from '#operations';
import { mapInTurns } from '#turns';
import { newMetadata, refuseBeyond } from '../../../outside/by-reference/new-records.js';
import { pushSettingsOf } from '../../../outside/by-reference/push-settings.dto.js';
import type { Names, Resolved } from '../../../outside/by-reference/named-records.js';
import type { Saver } from '../../../outside/by-reference/saves-by-reference.service.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { References } from '../../../tenancy/references/references.service.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import type { NewStay } from '../new-stays.service.js';
import { Parties } from '../parties.service.js';
import { CreateReservation } from '../reservation-changes.dto.js';
import type { ReservationView } from '../reservation.dto.js';
import type { Reservation } from '../reservation.entity.js';
import { cannotTake, ownedByProvider } from '../reservations.errors.js';
import { ReservationsService } from '../reservations.service.js';
import { StayChanges } from '../stay-changes.service.js';
import { StayPlaces } from '../stay-places.js';
import { isOwnedElsewhere } from '../stay-rules.js';
import { StayTimes } from '../stay-times.js';
import { PushedPlaces } from './pushed-places.js';
import { inProgress, inStatus, whatHappened } from './pushed-states.js';
import type { ReservationContent } from './pushed-stay.dto.js';

type Content = Resolved<ReservationContent> & Parameters<Saver<ReservationContent, ReservationView>['create']>[2];

/** How stays are saved that another system writes to us: one save may move, assign, cancel and check in. */
@Injectable()
export class PushedStays implements Saver<ReservationContent, ReservationView> {
  readonly resource = 'reservation';

  constructor(
    private readonly reservations: ReservationsService,
    private readonly changes: StayChanges,
    private readonly properties: PropertiesService,
    private readonly places: PushedPlaces,
    private readonly stayPlaces: StayPlaces,
    private readonly times: StayTimes,
    private readonly parties: Parties,
    private readonly references: References,
  ) {}

  get(caller: Caller, reservationId: string): Promise<Reservation> {
    return this.changes.get(caller, reservationId);
  }

  /** All properties together, in the order of all locks. */
  async prepare(
    caller: Caller,
    contents: readonly ReservationContent[],
    names: Names,
    knownIds: readonly string[],
  ): Promise<void> {
    const current = await this.reservations.propertiesOf(caller, knownIds);
    await this.stayPlaces.lockKnown(caller, [
      ...current,
      ...contents.flatMap((content) => names.propertyOf(content) ?? []),
    ]);
  }

  create(caller: Caller, connection: Connection, content: Content): Promise<Reservation> {
    const { input, ...more } = newStayOf(connection, content);
    return this.reservations.create(caller, input, more);
  }

  async createAll(
    caller: Caller,
    connection: Connection,
    contents: readonly Content[],
  ): Promise<Outcome<ReservationView>[]> {
    const wanted = await mapInTurns(contents, (content) => outcomeOf(() => newStayOf(connection, content)));
    return await further(wanted, (stays) => this.reservations.createAll(caller, stays));
  }

  async change(
    caller: Caller,
    connection: Connection,
    reservationId: string,
    changes: Content,
  ): Promise<Omit<Saved<ReservationView>, 'contentHash'>> {
    refuseBeyond(connection, changes.propertyId);
    const stay = await this.changes.forChange(caller, reservationId, changes.propertyId);
    refuseBeyond(connection, stay.propertyId, 'externalId');
    if (isOwnedElsewhere(stay) && stay.connectionId !== connection.id) throw ownedByProvider(Object.keys(changes));
    const { version, status: before } = stay;
    const { ownsOverlaps } = (stay.pushed = pushSettingsOf(connection));
    const how = { refusal: ownsOverlaps ? null : cannotTake, exempt: ownsOverlaps };
    const { leftRoom, ...said } = await this.whatIsSaid(caller, stay, changes);
    const wanted = { ...said, ...ownedBy(connection) };
    let record = await this.changes.change(caller, stay, wanted, {
      ...how,
      happened: whatHappened(stay, wanted),
      leftRoom,
    });
    if (changes.stayStatus && changes.stayStatus !== record.stayStatus) {
      const { timezone } = await this.properties.get(caller, record.propertyId);
      const then = inProgress(changes.stayStatus, record, dayIn(timezone));
      record = await this.changes.change(caller, record, then, { ...how, happened: whatHappened(record, then) });
    }
    return { record, outcome: becomes({ version, status: before }, record) };
  }

  /** All but the progress, which may need what comes before it. */
  private async whatIsSaid(caller: Caller, stay: Reservation, changes: Content) {
    const { status = stay.status, guestId, primaryGuest = guestOf(guestId).primaryGuest, companions } = changes;
    const { confirmationCode, channel, groupRef, guestCounts, locale, notes, total, metadata } = changes;
    const named = await this.parties.said(caller, { primaryGuest, companions }, stay);
    const times = await this.timesOf(caller, stay, changes);
    const place = await this.places.of(caller, stay, { ...changes, ...times });
    const externalRefs = await this.references.merged(caller, 'reservation', stay, changes.externalRefs);
    return merging(stay, {
      confirmationCode,
      channel,
      groupRef,
      guestCounts,
      locale,
      notes,
      total,
      externalRefs,
      metadata,
      ...named,
      ...times,
      ...place,
      ...(status !== stay.status && inStatus(status)),
    });
  }

  private async timesOf(caller: Caller, stay: Reservation, changes: Content): Promise<Partial<Reservation>> {
    const { propertyId, arrivalAt, departureAt } = changes;
    const { checkInDate = stay.checkInDate, checkOutDate = stay.checkOutDate } = changes;
    const isSaid = [propertyId, changes.checkInDate, changes.checkOutDate, arrivalAt, departureAt].some(
      (value) => value !== undefined,
    );
    if (!isSaid) return {};
    const property = await this.properties.get(caller, propertyId ?? stay.propertyId);
    return await this.times.of(property, {
      checkInDate,
      checkOutDate,
      arrivalAt: arrivalAt ?? null,
      departureAt: departureAt ?? null,
      arrivalTime: arrivalAt === undefined ? stay.arrivalTime : null,
      departureTime: departureAt === undefined ? stay.departureTime : null,
      soFar: stay,
    });
  }
}

/** @throws validation_error where a new stay cannot be as the other system says. */
function newStayOf(connection: Connection, content: Content): NewStay {
  refuseBeyond(connection, content.propertyId);
  const { status = 'confirmed', stayStatus = 'not_arrived', guestId, metadata, ...rest } = content;
  const given = { ...rest, ...newMetadata({ metadata }), ...guestOf(guestId) };
  const { unitTypeId, ...input } = readInput(CreateReservation, given);
  // A room of another type than the one that was sold is an upgrade.
  const isUpgrade = input.unitId && unitTypeId;
  return {
    input: isUpgrade ? input : { ...input, unitTypeId },
    ...(isUpgrade && { soldAs: unitTypeId }),
    said: (stay) => ({
      ...ownedBy(connection),
      externalId: content.externalRefs?.find(({ connectionId }) => connectionId === connection.id)?.externalId ?? null,
      ...inStatus(status),
      ...inProgress(stayStatus, { ...stay, status }, dayIn(stay.timezone)),
    }),
  };
}

const ownedBy = ({ id, ...connection }: Connection): Partial<Reservation> => ({
  source: 'provider',
  connectionId: id,
  exempt: pushSettingsOf(connection).ownsOverlaps,
});

/** A guest who is named by reference. */
const guestOf = (guestId: string | null | undefined): { primaryGuest?: { id: string } | null } =>
  guestId === undefined ? {} : { primaryGuest: guestId === null ? null : { id: guestId } };

function becomes(
  before: Pick<Reservation, 'version' | 'status'>,
  { version, status }: Reservation,
): Saved<unknown>['outcome'] {
  if (version === before.version) return 'unchanged';
  if (status === 'cancelled' && before.status !== 'cancelled') return 'cancelled';
  return before.status === 'cancelled' && status !== 'cancelled' ? 'reinstated' : 'changed';
}
