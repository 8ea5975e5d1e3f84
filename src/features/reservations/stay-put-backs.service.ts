import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { valueOf } from '#errors';
import type { ChangeType, EventType } from '../../platform/events/event-type.js';
import type { Fields } from '../../platform/events/images.js';
import { type PutBack, PutBacks } from '../../platform/events/put-backs.js';
import { dayIn } from '../../tenancy/stays/local-moments.js';
import { ReferencesRepository } from '../../tenancy/references/references.repository.js';
import { inProgress, inStatus } from './by-reference/pushed-states.js';
import { GuestsService } from './guests.service.js';
import { roomOn } from './occupancy.js';
import { Reservation } from './reservation.entity.js';
import type { ReservationEventData } from './reservations.events.js';
import { cannotCancel, guestIsMerged, nightsAreTaken, ownedByProvider } from './reservations.errors.js';
import { ReservationsRepository } from './reservations.repository.js';
import { StayChanges } from './stay-changes.service.js';
import { StayPlaces } from './stay-places.js';
import { canBeCancelled, isCancelled, isLive, providerOwned, stateOf } from './stay-rules.js';
import { refusePutBack } from './put-back-rules.js';

/** Undoes changes of stays: where their place and their nights are still free, and their guests are there. */
@Injectable()
export class StayPutBacks implements PutBack<Reservation> {
  readonly scope = 'reservations:write';

  constructor(
    putBacks: PutBacks,
    private readonly reservations: ReservationsRepository,
    private readonly changes: StayChanges,
    private readonly places: StayPlaces,
    private readonly guests: GuestsService,
    private readonly references: ReferencesRepository,
  ) {
    putBacks.add('reservation', this);
  }

  stored(fields: Fields): Partial<Reservation> {
    return this.reservations.columnsOf(fields);
  }

  find(caller: Caller, { id }: { id: string }, { propertyId }: Fields): Promise<Reservation> {
    return this.changes.forChange(caller, id, propertyId as string | undefined);
  }

  async write(
    caller: Caller,
    stay: Reservation,
    fields: Partial<Reservation>,
    event: EventType,
  ): Promise<string | void> {
    const { pushed } = stay;
    const owned = providerOwned(stay, { ...fields, primaryGuest: fields.guestId });
    if (owned.length > 0 && !pushed) throw ownedByProvider(owned);
    const isNew = Object.keys(fields).length === 0;
    if (isNew && isCancelled(stay)) return `The stay is left as it is: it has been ${stay.status} since.`;
    if (isNew) return await this.cancelAll(caller, [stay], event);
    const today = dayIn(stay.timezone);
    refusePutBack(stay, fields, today);
    const changes = {
      ...fields,
      ...(await this.placeOf(caller, stay, fields)),
      ...(fields.rooms && isLive(stay) && { nextRoomFrom: roomOn(fields.rooms, today).nextRoomFrom }),
    };
    const wanted = Object.assign(new Reservation(), stay, changes);
    if ('stayStatus' in fields && isLive(wanted)) await this.places.stillUsable(caller, wanted, today);
    for (const guestId of [fields.guestId, ...(fields.companionIds ?? [])]) {
      const guest = guestId && (await this.guests.get(caller, guestId));
      if (guest && guest.mergedInto) throw guestIsMerged(guest.mergedInto);
    }
    const happened = event as ChangeType<ReservationEventData>;
    // What its system said may meet other stays, and what people did may not.
    const refusal = owned.length > 0 && pushed?.ownsOverlaps ? null : nightsAreTaken;
    const exempt = pushed?.ownsOverlaps ?? fields.exempt;
    const leftRoom = roomLeftAgain(stay, wanted, today);
    await this.changes.change(caller, stay, changes, { happened, refusal, exempt, leftRoom });
    const wasSaid = owned.length > 0 || 'propertyId' in fields || 'unitTypeId' in fields;
    if (pushed && wasSaid) this.references.unsay(caller.orgId, 'reservation', stay.id);
  }

  async removeAll(caller: Caller, stayIds: readonly string[], event: EventType): Promise<void> {
    const found = await this.changes.forChangeAll(
      caller,
      stayIds.map((id) => ({ id })),
    );
    await this.cancelAll(caller, await this.reservations.shown(caller.orgId, found.map(valueOf)), event);
  }

  /** A stay from another system counts as new if none of its fields were changed. */
  private async cancelAll(caller: Caller, stays: readonly Reservation[], event: EventType): Promise<void> {
    const came = stays.find((stay) => !canBeCancelled(stay) && !isAsItCame(stay));
    if (came) throw cannotCancel(stateOf(came));
    const happened = event as ChangeType<ReservationEventData>;
    await this.changes.changeAll(
      caller,
      stays.map((stay) => ({ stay, changes: calledOff(stay), happened })),
    );
    for (const { id, pushed } of stays) if (pushed) this.references.unsay(caller.orgId, 'reservation', id);
  }

  /** The place that is put back, with the types that its units have now. @throws if nobody can stay there. */
  private async placeOf(
    caller: Caller,
    stay: Reservation,
    fields: Partial<Reservation>,
  ): Promise<Pick<Reservation, 'unitTypeId' | 'rooms'> | undefined> {
    const { propertyId, unitId, unitTypeId, status, rooms } = { ...stay, ...fields };
    const needsPlace = ['propertyId', 'unitId', 'unitTypeId', 'status', 'rooms'].some((name) => name in fields);
    if (!needsPlace || status === 'cancelled') return undefined;
    const { place } = await this.places.usable(caller, { propertyId, unitId, ...(!unitId && { unitTypeId }) });
    const typed = rooms.map(async (room) => {
      const known = stay.rooms.find((one) => one.unitId === room.unitId);
      return known
        ? { ...room, unitTypeId: known.unitTypeId }
        : {
            ...room,
            unitTypeId: (await this.places.usable(caller, { propertyId, unitId: room.unitId })).place.unitTypeId,
          };
    });
    return { unitTypeId: place.unitTypeId, rooms: await Promise.all(typed) };
  }
}

/** Whether a stay is as its system first saved it, perhaps with its guests in house; a flag is all that it may have got since. */
const isAsItCame = ({ status, version, overlapping }: Reservation): boolean =>
  status === 'confirmed' && version === (overlapping ? 2 : 1);

/** A stay that has not come to be: nor have guests who came with it. */
const calledOff = (stay: Reservation): Partial<Reservation> => ({
  ...inStatus('cancelled'),
  ...(!canBeCancelled(stay) && inProgress('not_arrived', stay, dayIn(stay.timezone))),
});

/** The room that guests in house leave again for the one that they came from, if they have not slept in it. */
function roomLeftAgain({ stayStatus, unitId, rooms, checkInDate }: Reservation, wanted: Reservation, today: string) {
  const since = roomOn(rooms, today).room?.from ?? checkInDate;
  const isBack = stayStatus === 'checked_in' && unitId && wanted.unitId && wanted.unitId !== unitId && since >= today;
  return isBack ? { unitId, at: new Date().toISOString(), backIn: wanted.unitId as string } : undefined;
}
