import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { type Outcome, outcomeOf, type ServiceError } from '#errors';
import { violates } from '#persistence';
import type { ChangeType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import type { Explanation } from '../../tenancy/stays/explanation.dto.js';
import { Followers, type StayChange } from '../../tenancy/followers/followers.js';
import { Explanations } from './explanations/explanations.service.js';
import { claimOf, givesBack, hasLeftDayUse } from './occupancy.js';
import { Reservation } from './reservation.entity.js';
import type { ReservationEventData } from './reservations.events.js';
import { cannotTake, type Clash, movedMeanwhile, placeIsTaken, reservationNotFound } from './reservations.errors.js';
import { OverlapFlags } from './overlaps/overlap-flags.service.js';
import { ReservationsRepository } from './reservations.repository.js';
import { StayPlaces } from './stay-places.js';
import { isOwnedElsewhere, stillWaits } from './stay-rules.js';

interface How {
  happened: ChangeType<ReservationEventData>;
  /** What is said where the stay cannot have its nights; null where it has them anyway. */
  refusal?: ((clash: Clash, explanation: Explanation) => ServiceError) | null;
  /** Whether its nights may meet those of others from now on; as it was, or as its system has it, where left out. */
  exempt?: boolean;
  /** The room that the guests leave before they leave the house. */
  leftRoom?: StayChange['leftRoom'];
  /** The night from which on guests in house have another room. */
  roomFrom?: string;
}

/** The intended change of one of many stays. */
export interface WantedChange extends Pick<How, 'happened' | 'exempt' | 'leftRoom'> {
  stay: Reservation;
  changes: Partial<Reservation>;
}

/** Makes every change of a stay: locks it, rejects it if its nights are taken, records it and notifies followers. */
@Injectable()
export class StayChanges {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly places: StayPlaces,
    private readonly flags: OverlapFlags,
    private readonly explanations: Explanations,
    private readonly followers: Followers,
    private readonly events: EventsService,
  ) {}

  async get(caller: Caller, reservationId: string): Promise<Reservation> {
    const reservation = await this.reservations.find(caller, reservationId);
    if (!reservation) throw reservationNotFound();
    return reservation;
  }

  /** The stay, with its current and its new property locked: properties first, as StayPlaces requires. */
  async forChange(caller: Caller, reservationId: string, propertyId?: string): Promise<Reservation> {
    const seen = await this.get(caller, reservationId);
    await this.places.lock(caller, [seen.propertyId, propertyId ?? seen.propertyId]);
    const reservation = await this.reservations.find(caller, reservationId, 'for no key update');
    if (!reservation) throw reservationNotFound();
    expectVersion(caller, reservation);
    if (reservation.propertyId !== seen.propertyId) throw movedMeanwhile(reservation);
    return reservation;
  }

  /** The same of many stays, those that there are in one order. */
  async forChangeAll(
    caller: Caller,
    wanted: readonly { id: string; propertyId?: string | undefined }[],
  ): Promise<Outcome<Reservation>[]> {
    const ids = wanted.map(({ id }) => id);
    const seen = byId(await this.reservations.findVisible(caller, ids));
    const places = [...seen.values(), ...wanted].flatMap(({ propertyId }) => propertyId ?? []);
    await this.places.lockKnown(caller, places);
    const locked = byId(await this.reservations.findVisible(caller, ids, 'for no key update'));
    return ids.map((id) =>
      outcomeOf(() => {
        const stay = locked.get(id);
        if (!stay) throw reservationNotFound();
        expectVersion(caller, stay);
        if (stay.propertyId !== seen.get(id)?.propertyId) throw movedMeanwhile(stay);
        return stay;
      }),
    );
  }

  /** Why a new stay cannot have its nights, if it cannot. */
  async refusalOf(caller: Caller, stay: Reservation): Promise<ServiceError | undefined> {
    const clash = stay.exempt ? undefined : await this.places.clashOf(stay);
    return clash && cannotTake(clash, await this.explanations.of(caller, stay, clash));
  }

  async insertAll(stays: readonly Reservation[]): Promise<void> {
    await this.write(() => this.reservations.insertAll(stays));
  }

  /** Writes a change, prevents overlaps at its places, and notifies the followers of the stay. */
  async change(
    caller: Caller,
    reservation: Reservation,
    changes: Partial<Reservation>,
    { happened, refusal = cannotTake, exempt: asked, leftRoom, roomFrom }: How,
  ): Promise<Reservation> {
    const { wanted, isElsewhere, takes } = becoming(reservation, changes);
    const clash = takes && refusal && (await this.places.clashOf(wanted, reservation));
    if (clash)
      throw refusal(clash, await this.explanations.of(caller, wanted, clash, { before: reservation, roomFrom }));
    const mayMeet = isOwnedElsewhere(reservation) || (reservation.exempt && stillWaits(reservation, wanted));
    const exempt = hasLeftDayUse(wanted) || (takes ? (asked ?? mayMeet) : reservation.exempt);
    const before = await this.write(() => this.reservations.update(reservation, { ...changes, exempt }));
    if (before === reservation) return reservation;
    this.events.record(caller, happened, reservation, before);
    if (isElsewhere) await this.flags.mark(caller, [{ after: reservation, before }]);
    await this.followers.stayChanged(caller, { stay: reservation, before, leftRoom });
    return await this.get(caller, reservation.id);
  }

  /** The same for many stays that take no other nights, or whose nights may meet those of others. */
  async changeAll(caller: Caller, wanted: readonly WantedChange[]): Promise<void> {
    const judged = wanted.map((one) => ({ ...one, ...becoming(one.stay, one.changes) }));
    const changed = await this.write(() =>
      this.reservations.updateEach(
        judged.map(({ stay, changes, takes, exempt = true }) => ({
          row: stay,
          changes: { ...changes, exempt: takes ? exempt : stay.exempt },
        })),
      ),
    );
    if (changed.length === 0) return;
    const of = new Map(judged.map((one) => [one.stay.id, one]));
    await this.events.recordAll(caller, changed, ({ after }) => (of.get(after.id) as WantedChange).happened);
    const moved = changed.filter(({ after }) => of.get(after.id)?.isElsewhere);
    await this.flags.mark(caller, moved);
    await this.followers.staysChanged(
      caller,
      changed.map(({ before, after }) => ({ stay: after, before, leftRoom: of.get(after.id)?.leftRoom })),
    );
  }

  /** The database has the last word on what must not meet, whatever was looked up before. */
  private async write<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      const isTaken = ['stay_segments_own_overlap', 'reservations_day_use'].some((name) => violates(error, name));
      throw isTaken ? placeIsTaken([]) : error;
    }
  }
}

/** What a change does to a stay: whether it moves to another place or other nights, and takes new ones. */
export function becoming(stay: Reservation, changes: Partial<Reservation>) {
  const wanted = Object.assign(new Reservation(), stay, changes);
  const isElsewhere = claimOf(wanted) !== claimOf(stay);
  return { wanted, isElsewhere, takes: isElsewhere && !givesBack(stay, wanted) };
}

const byId = (stays: readonly Reservation[]): ReadonlyMap<string, Reservation> =>
  new Map(stays.map((stay) => [stay.id, stay]));
