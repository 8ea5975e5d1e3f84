import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { beside, further, type Outcome, outcomeOf, valuesOf } from '#errors';
import { EventsService } from '../../platform/events/events.service.js';
import { Followers } from '../../tenancy/followers/followers.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { References, referencesOf } from '../../tenancy/references/references.service.js';
import type { Guest } from './guest.entity.js';
import { GuestsService } from './guests.service.js';
import { Parties } from './parties.service.js';
import type { CreateReservation } from './reservation-changes.dto.js';
import { newReservation, type Reservation } from './reservation.entity.js';
import { reservationCreated } from './reservations.events.js';
import { StayChanges } from './stay-changes.service.js';
import { OverlapFlags } from './overlaps/overlap-flags.service.js';
import { StayPlaces, usableOf } from './stay-places.js';
import { StayTimes } from './stay-times.js';

export interface NewStay {
  input: CreateReservation;
  /** The type that was sold, where the stay gets a room of another one. */
  soldAs?: string;
  /** What a system says of a stay that it writes to us. */
  said?: (stay: Reservation) => Partial<Reservation>;
}

/** A stay as it would be, with the guests that are new with it. */
interface Draft {
  stay: Reservation;
  newGuests: Guest[];
  refs: CreateReservation['externalRefs'];
}

/** New stays: they are looked up, written, recorded and followed together. */
@Injectable()
export class NewStays {
  constructor(
    private readonly changes: StayChanges,
    private readonly places: StayPlaces,
    private readonly flags: OverlapFlags,
    private readonly times: StayTimes,
    private readonly parties: Parties,
    private readonly guests: GuestsService,
    private readonly references: References,
    private readonly followers: Followers,
    private readonly events: EventsService,
  ) {}

  /**
   * Adds those that nothing prevents. Their properties are locked.
   *
   * @param locked the properties, where they need not be looked up.
   * @throws ServiceError if one of them must not have its references: nothing may be kept then.
   */
  async add(caller: Caller, wanted: readonly NewStay[], locked?: readonly Property[]): Promise<Outcome<Reservation>[]> {
    const written = await further(await this.draft(caller, wanted, locked), (drafts) => this.write(caller, drafts));
    const added = valuesOf(written);
    const named = added.map(({ stay, refs }) => ({ id: stay.id, refs }));
    await this.references.name(caller, 'reservation', named);
    await this.announce(
      caller,
      added.map(({ stay }) => stay),
    );
    return written.map((one) => ('refusal' in one ? one : { value: one.value.stay }));
  }

  private async draft(
    caller: Caller,
    wanted: readonly NewStay[],
    locked?: readonly Property[],
  ): Promise<Outcome<Draft>[]> {
    const sold = wanted.flatMap(({ input, soldAs }) => (soldAs ? [soldAsAt(input, soldAs)] : []));
    const known = await this.places.lookUp(caller, [...wanted.map(({ input }) => input), ...sold], locked);
    const placed = wanted.map((one) =>
      outcomeOf(() => {
        if (one.soldAs) usableOf(known, soldAsAt(one.input, one.soldAs));
        return { ...one, ...usableOf(known, one.input) };
      }),
    );
    const timed = await further(placed, async (some) => {
      const times = await this.times.ofAll(
        some.map(({ property, input: { arrivalAt = null, departureAt = null, ...input } }) => {
          const { checkInDate, checkOutDate } = input;
          return { property, asked: { checkInDate, checkOutDate, arrivalAt, departureAt } };
        }),
      );
      return beside(some, times, (one, of) => ({ ...one, times: of }));
    });
    return await further(timed, async (some) => {
      const parties = await this.parties.ofAll(
        caller,
        some.map(({ input }) => input),
      );
      return beside(some, parties, ({ input, soldAs, said, place, times }, { party, newGuests }) => {
        const { primaryGuest: _guest, companions: _others, externalRefs: refs, ...rest } = input;
        const bookedUnitTypeId = soldAs ?? place.unitTypeId;
        const given = { ...rest, ...times, ...party, ...place, bookedUnitTypeId, externalRefs: referencesOf(refs) };
        const stay = newReservation(caller.orgId, given);
        return { stay: Object.assign(stay, said?.(stay)), newGuests, refs };
      });
    });
  }

  private async write(caller: Caller, drafts: readonly Draft[]): Promise<Outcome<Draft>[]> {
    const mayMeetOthers = drafts.every(({ stay }) => stay.exempt);
    if (!mayMeetOthers) return await this.writeEach(caller, drafts);
    await this.guests.addAll(
      caller,
      drafts.flatMap(({ newGuests }) => newGuests),
    );
    await this.changes.insertAll(drafts.map(({ stay }) => stay));
    return drafts.map((draft) => ({ value: draft }));
  }

  /** Stays that must not meet others are written one after the other, since each may be in the way of the next one. */
  private async writeEach(caller: Caller, drafts: readonly Draft[]): Promise<Outcome<Draft>[]> {
    const outcomes: Outcome<Draft>[] = [];
    for (const draft of drafts) {
      const refusal = await this.changes.refusalOf(caller, draft.stay);
      outcomes.push(refusal ? { refusal } : { value: draft });
      if (refusal) continue;
      await this.guests.addAll(caller, draft.newGuests);
      await this.changes.insertAll([draft.stay]);
    }
    return outcomes;
  }

  private async announce(caller: Caller, stays: readonly Reservation[]): Promise<void> {
    if (stays.length === 0) return;
    await this.events.recordNew(caller, stays, reservationCreated);
    await this.flags.mark(
      caller,
      stays.flatMap((stay) => (stay.exempt ? [{ after: stay }] : [])),
    );
    await this.followers.staysChanged(
      caller,
      stays.map((stay) => ({ stay })),
    );
  }
}

const soldAsAt = ({ propertyId }: CreateReservation, unitTypeId: string) => ({ propertyId, unitTypeId });
