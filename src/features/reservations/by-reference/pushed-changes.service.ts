import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { beside, further, type Outcome, outcomeOf, outcomeOfWork } from '#errors';
import { merging } from '#operations';
import { loopShare } from '#turns';
import { refuseBeyond } from '../../../outside/by-reference/new-records.js';
import { pushSettingsOf } from '../../../outside/by-reference/push-settings.dto.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { EventsService } from '../../../platform/events/events.service.js';
import type { StayChange } from '../../../tenancy/followers/followers.js';
import { propertyNotFound } from '../../../tenancy/properties/properties.errors.js';
import type { Property } from '../../../tenancy/properties/property.entity.js';
import { References } from '../../../tenancy/references/references.service.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import { Parties } from '../parties.service.js';
import { Reservation } from '../reservation.entity.js';
import { ownedByProvider } from '../reservations.errors.js';
import { ReservationsRepository } from '../reservations.repository.js';
import { becoming, StayChanges, type WantedChange } from '../stay-changes.service.js';
import { type KnownPlaces, StayPlaces } from '../stay-places.js';
import { isOwnedElsewhere } from '../stay-rules.js';
import { StayTimes, type Times } from '../stay-times.js';
import { placedAs, placesAskedFor } from './pushed-places.js';
import { type Became, becomes, inProgress, inStatus, refuseOffWithGuests, whatHappened } from './pushed-states.js';
import { guestOf, ownedBy, saysTimes, type StayContent, timesAskedFor, writesFirst } from './pushed-content.js';

/** A stay, and what the other system has changed about it. */
interface Said {
  stay: Reservation;
  changes: StayContent;
}

type Moved = Said & { times: Partial<Times> };
type Placed = Moved & { place: ReturnType<typeof placedAs> };

/** The change of a stay, followed by that of its progress if it is at another stage. */
interface Plan extends Pick<StayChange, 'leftRoom'> {
  stay: Reservation;
  at: Partial<Reservation>;
  progress?: Partial<Reservation> | undefined;
}

/** Changes of stays that another system writes to us: what they need is looked up for all of them together. */
@Injectable()
export class PushedChanges {
  constructor(
    private readonly changes: StayChanges,
    private readonly reservations: ReservationsRepository,
    private readonly places: StayPlaces,
    private readonly times: StayTimes,
    private readonly parties: Parties,
    private readonly references: References,
    private readonly events: EventsService,
  ) {}

  /**
   * Applies the changes that nothing prevents. None of them may block another, unless the connection owns its overlaps.
   *
   * @throws ServiceError if one of them must not have its place: nothing of any may be kept then.
   */
  async apply(
    caller: Caller,
    connection: Connection,
    wanted: readonly { id: string; changes: StayContent }[],
  ): Promise<Outcome<Became>[]> {
    const asked = wanted.map(({ id, changes: { propertyId } }) => ({ id, propertyId }));
    const found = await this.changes.forChangeAll(caller, asked);
    const said = beside(wanted, found, ({ changes }, stay) => {
      if (Object.keys(changes).length > 0) refuseOthers(connection, stay, changes);
      stay.pushed = pushSettingsOf(connection);
      return { stay, changes };
    });
    const planned = await further(said, (some) => this.plan(caller, connection, some));
    return await further(planned, (plans) => this.write(caller, connection, plans));
  }

  private async plan(caller: Caller, connection: Connection, said: readonly Said[]): Promise<Outcome<Plan>[]> {
    const asked = said.flatMap(({ stay, changes }) => placesAskedFor(stay, changes));
    const known = await this.places.lookUp(caller, asked);
    const placed = (await this.timed(known, said)).map((one) =>
      'refusal' in one ? one : outcomeOf(() => placedIn(known, one.value)),
    );
    return await further(placed, async (some) => {
      const outcomes: Outcome<Plan>[] = [];
      for (const one of some) {
        if (loopShare.isUsedUp) await loopShare.next();
        const work = () => this.planOf(caller, connection, known, one);
        outcomes.push(await outcomeOfWork(writesFirst(one.changes) ? () => this.events.attempt(work) : work));
      }
      return outcomes;
    });
  }

  private async timed(known: KnownPlaces, said: readonly Said[]): Promise<Outcome<Moved>[]> {
    const dated = said.filter(({ changes }) => saysTimes(changes));
    const asked = dated.map((one) =>
      outcomeOf(() => ({ property: propertyOf(known, one), asked: timesAskedFor(one.stay, one.changes) })),
    );
    const times = new Map(
      (await further(asked, (some) => this.times.ofAll(some))).map((one, index) => [dated[index], one] as const),
    );
    return said.map((one) => {
      const ofOne = times.get(one);
      return ofOne && 'refusal' in ofOne ? ofOne : { value: { ...one, times: ofOne?.value ?? {} } };
    });
  }

  /** All but the progress, which may need what comes before it. Guests and references are written here. */
  private async planOf(
    caller: Caller,
    connection: Connection,
    known: KnownPlaces,
    { stay, changes, times, place: { leftRoom, ...place } }: Placed,
  ): Promise<Plan> {
    const { status = stay.status, guestId, primaryGuest = guestOf(guestId).primaryGuest, companions } = changes;
    const { confirmationCode, channel, groupRef, guestCounts, locale, notes, total, metadata, stayStatus } = changes;
    if (status !== stay.status) refuseOffWithGuests(status, stayStatus ?? stay.stayStatus);
    const named = await this.parties.said(caller, { primaryGuest, companions }, stay);
    const externalRefs = await this.references.merged(caller, 'reservation', stay, changes.externalRefs);
    const said = merging(stay, {
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
    const at = { ...said, ...ownedBy(connection) };
    const next = Object.assign(new Reservation(), stay, at);
    if (!stayStatus || stayStatus === next.stayStatus) return { stay, at, leftRoom };
    const { timezone } = propertyOf(known, { stay, changes });
    return { stay, at, leftRoom, progress: inProgress(stayStatus, next, dayIn(timezone)) };
  }

  private async write(caller: Caller, connection: Connection, plans: readonly Plan[]): Promise<Outcome<Became>[]> {
    const before = plans.map(({ stay: { version, status } }) => ({ version, status }));
    const first = plans.map(({ stay, at, leftRoom }) => ({ stay, changes: at, leftRoom }));
    await this.make(caller, connection, first);
    const progressing = new Map(
      plans.flatMap(({ stay, progress }) => (progress ? [[stay.id, progress] as const] : [])),
    );
    if (progressing.size > 0) {
      // They may have been flagged in between.
      const stays = await this.reservations.findVisible(caller, [...progressing.keys()]);
      const second = stays.map((stay) => {
        stay.pushed = pushSettingsOf(connection);
        return { stay, changes: progressing.get(stay.id) as Partial<Reservation> };
      });
      await this.make(caller, connection, second);
    }
    return plans.map(({ stay, progress }, index) => {
      const { version, status } = before[index] as (typeof before)[number];
      if (stay.version === version && !progress) return { value: 'unchanged' };
      return { value: becomes(status, stay.status) };
    });
  }

  private async make(
    caller: Caller,
    connection: Connection,
    wanted: readonly Omit<WantedChange, 'happened'>[],
  ): Promise<void> {
    const happening = wanted.map((one) => ({ ...one, happened: whatHappened(one.stay, one.changes) }));
    const takesSome = happening.some(({ stay, changes }) => becoming(stay, changes).takes);
    if (pushSettingsOf(connection).ownsOverlaps || !takesSome) return await this.changes.changeAll(caller, happening);
    for (const { stay, changes, ...how } of happening)
      await this.changes.change(caller, stay, changes, { ...how, exempt: false });
  }
}

/** @throws ServiceError if the connection may not change the stay. */
function refuseOthers(connection: Connection, stay: Reservation, changes: StayContent): void {
  refuseBeyond(connection, changes.propertyId);
  refuseBeyond(connection, stay.propertyId, 'externalId');
  if (isOwnedElsewhere(stay) && stay.connectionId !== connection.id) throw ownedByProvider(Object.keys(changes));
}

const placedIn = (known: KnownPlaces, one: Moved): Placed => ({
  ...one,
  place: placedAs(known, one.stay, { ...one.changes, ...one.times }),
});

function propertyOf(known: KnownPlaces, { stay, changes }: Said): Property {
  const property = known.properties.get(changes.propertyId ?? stay.propertyId);
  if (!property) throw propertyNotFound();
  return property;
}
