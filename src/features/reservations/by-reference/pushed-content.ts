import { readInput } from '#operations';
import { newMetadata, refuseBeyond } from '../../../outside/by-reference/new-records.js';
import type { Resolved } from '../../../outside/by-reference/named-records.js';
import { pushSettingsOf } from '../../../outside/by-reference/push-settings.dto.js';
import type { Saver } from '../../../outside/by-reference/saves-by-reference.service.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import type { NewStay } from '../new-stays.service.js';
import { CreateReservation } from '../reservation-changes.dto.js';
import type { ReservationView } from '../reservation.dto.js';
import type { Reservation } from '../reservation.entity.js';
import type { AskedTimes } from '../stay-times.js';
import { inProgress, inStatus } from './pushed-states.js';
import type { ReservationContent } from './pushed-stay.dto.js';

/** What another system says of a stay, in which other records have their ids here. */
export type StayContent = Resolved<ReservationContent> &
  Parameters<Saver<ReservationContent, ReservationView>['create']>[2];

/** @throws validation_error where a new stay cannot be as the other system says. */
export function newStayOf(connection: Connection, content: StayContent): NewStay {
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
      pushed: pushSettingsOf(connection),
      externalId: content.externalRefs?.find(({ connectionId }) => connectionId === connection.id)?.externalId ?? null,
      ...inStatus(status),
      ...inProgress(stayStatus, { ...stay, status }, dayIn(stay.timezone)),
    }),
  };
}

export const ownedBy = ({ id, ...connection }: Connection): Partial<Reservation> => ({
  source: 'provider',
  connectionId: id,
  exempt: pushSettingsOf(connection).ownsOverlaps,
});

/** A guest who is named by reference. */
export const guestOf = (guestId: string | null | undefined): { primaryGuest?: { id: string } | null } =>
  guestId === undefined ? {} : { primaryGuest: guestId === null ? null : { id: guestId } };

export const saysTimes = ({ propertyId, checkInDate, checkOutDate, arrivalAt, departureAt }: StayContent): boolean =>
  [propertyId, checkInDate, checkOutDate, arrivalAt, departureAt].some((value) => value !== undefined);

/** What is written before the stays are is undone with the stay that cannot be changed. */
export const writesFirst = ({ guestId, primaryGuest, companions, externalRefs }: StayContent): boolean =>
  [guestId, primaryGuest, companions, externalRefs].some((value) => value !== undefined);

/** Whether what is said of a stay may take nights or give them, or a name that is said of another one too. */
export const mayBeInTheWay = (changes: StayContent): boolean => {
  const { unitTypeId, unitId, status, stayStatus } = changes;
  const saysPlace = [unitTypeId, unitId, status, stayStatus].some((value) => value !== undefined);
  return saysTimes(changes) || saysPlace || writesFirst(changes);
};

export function timesAskedFor(stay: Reservation, { arrivalAt, departureAt, ...changes }: StayContent): AskedTimes {
  const { checkInDate = stay.checkInDate, checkOutDate = stay.checkOutDate } = changes;
  return {
    checkInDate,
    checkOutDate,
    arrivalAt: arrivalAt ?? null,
    departureAt: departureAt ?? null,
    arrivalTime: arrivalAt === undefined ? stay.arrivalTime : null,
    departureTime: departureAt === undefined ? stay.departureTime : null,
    soFar: stay,
  };
}
