import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { type Issue, type Outcome, outcomeOf, valueOf } from '#errors';
import { Guest, isSameGuest, newGuest, tidied } from './guest.entity.js';
import { GuestsService } from './guests.service.js';
import type { GuestOfStay, UpdateReservation } from './reservation-changes.dto.js';
import type { Reservation } from './reservation.entity.js';
import { guestGivenTwice, guestIsMerged, guestNotFound, guestWithoutName } from './reservations.errors.js';

export type Party = Pick<Reservation, 'guestId' | 'companionIds'>;

type Named = Pick<UpdateReservation, 'primaryGuest' | 'companions'>;

/** The guests of a stay, and those of them who are new and not written yet. */
interface Wanted {
  party: Party;
  newGuests: Guest[];
}

const nobody: Party = { guestId: null, companionIds: [] };

/** The guests that stays name: known ones by id, new ones by name. */
@Injectable()
export class Parties {
  constructor(private readonly guests: GuestsService) {}

  /** Those that it leaves out stay the same. */
  async of(caller: Caller, named: Named, soFar: Party = nobody): Promise<Party> {
    const { party, newGuests } = valueOf((await this.ofAll(caller, [{ ...named, soFar }]))[0]);
    await this.guests.addAll(caller, newGuests);
    return party;
  }

  /** The same for many stays. Their new guests are not written yet. */
  async ofAll(caller: Caller, stays: readonly (Named & { soFar?: Party })[]): Promise<Outcome<Wanted>[]> {
    const ids = stays.flatMap(({ primaryGuest, companions = [] }) =>
      [primaryGuest, ...companions].flatMap((one) => one?.id ?? []),
    );
    const known = await this.guests.locked(caller, ids);
    return stays.map((named) => outcomeOf(() => wantedBy(caller.orgId, known, named)));
  }

  /**
   * The same as another system says it: the guest of the stay, said otherwise, is changed where the name is the same. One
   * with stays that the credential cannot see is another guest from then on, so that the stay is saved in any case.
   */
  async said(caller: Caller, named: Named, soFar: Reservation): Promise<Party> {
    const { primaryGuest, companions } = named;
    if (!primaryGuest || primaryGuest.id || !soFar.guestId) return await this.of(caller, named, soFar);
    const known = await this.guests.get(caller, soFar.guestId);
    const details = tidied(primaryGuest);
    if (details.name !== known.name) return await this.of(caller, named, soFar);
    if (!isSameGuest(known, details)) {
      if (await this.guests.staysElsewhere(caller, known.id)) return await this.of(caller, named, soFar);
      await this.guests.update(caller, { ...details, guestId: known.id });
    }
    return await this.of(caller, { companions }, soFar);
  }
}

function wantedBy(
  orgId: string,
  known: ReadonlyMap<string, Guest>,
  { primaryGuest, companions, soFar = nobody }: Named & { soFar?: Party },
): Wanted {
  const newGuests: Guest[] = [];
  const idOf = (named: GuestOfStay, field: Issue['path']): string => {
    if (named.id) return knownAs(named, known.get(named.id)).id;
    const { name, ...details } = tidied(named);
    if (!name) throw guestWithoutName(field);
    const guest = newGuest(orgId, { ...details, name });
    newGuests.push(guest);
    return guest.id;
  };
  const first = primaryGuest && idOf(primaryGuest, ['primaryGuest']);
  const guestId = first === undefined ? soFar.guestId : first;
  const others = companions?.map((one, index) => idOf(one, ['companions', index])) ?? soFar.companionIds;
  return { party: { guestId, companionIds: [...new Set(others)].filter((id) => id !== guestId) }, newGuests };
}

function knownAs({ id: _id, ...given }: GuestOfStay, guest: Guest | undefined): Guest {
  if (!guest) throw guestNotFound();
  if (guest.mergedInto) throw guestIsMerged(guest.mergedInto);
  if (!isSameGuest(guest, tidied(given))) throw guestGivenTwice();
  return guest;
}
