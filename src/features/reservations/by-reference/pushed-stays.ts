import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { further, type Outcome, outcomeOf, outcomeOfWork, valueOf } from '#errors';
import type { Saved } from '#operations';
import { mapInTurns } from '#turns';
import type { Names } from '../../../outside/by-reference/named-records.js';
import { pushSettingsOf } from '../../../outside/by-reference/push-settings.dto.js';
import type { Saver } from '../../../outside/by-reference/saves-by-reference.service.js';
import type { Connection } from '../../../outside/connections/connection.entity.js';
import { EventsService } from '../../../platform/events/events.service.js';
import type { ReservationView } from '../reservation.dto.js';
import type { Reservation } from '../reservation.entity.js';
import { ReservationsService } from '../reservations.service.js';
import { StayPlaces } from '../stay-places.js';
import { PushedChanges } from './pushed-changes.service.js';
import { mayBeInTheWay, newStayOf, type StayContent } from './pushed-content.js';
import type { ReservationContent } from './pushed-stay.dto.js';

/** How stays are saved that another system writes to us: one save may move, assign, cancel and check in. */
@Injectable()
export class PushedStays implements Saver<ReservationContent, ReservationView> {
  readonly resource = 'reservation';
  readonly initially: Partial<ReservationContent> = { status: 'confirmed' };

  constructor(
    private readonly reservations: ReservationsService,
    private readonly changed: PushedChanges,
    private readonly stayPlaces: StayPlaces,
    private readonly events: EventsService,
  ) {}

  get(caller: Caller, reservationId: string): Promise<Reservation> {
    return this.reservations.get(caller, reservationId);
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

  create(caller: Caller, connection: Connection, content: StayContent): Promise<Reservation> {
    const { input, ...more } = newStayOf(connection, content);
    return this.reservations.create(caller, input, more);
  }

  async createAll(
    caller: Caller,
    connection: Connection,
    contents: readonly StayContent[],
  ): Promise<Outcome<ReservationView>[]> {
    const wanted = await mapInTurns(contents, (content) => outcomeOf(() => newStayOf(connection, content)));
    return await further(wanted, (stays) => this.reservations.createAll(caller, stays));
  }

  async change(
    caller: Caller,
    connection: Connection,
    reservationId: string,
    changes: StayContent,
  ): Promise<Omit<Saved<ReservationView>, 'contentHash'>> {
    const [changed] = await this.changed.apply(caller, connection, [{ id: reservationId, changes }]);
    const outcome = valueOf(changed);
    return { record: await this.get(caller, reservationId), outcome };
  }

  async changeAll(
    caller: Caller,
    connection: Connection,
    wanted: readonly { id: string; changes: StayContent }[],
  ): Promise<Outcome<Saved<ReservationView>['outcome']>[]> {
    const { ownsOverlaps } = pushSettingsOf(connection);
    const [together = [], inOrder = []] = [false, true].map((isApart) =>
      wanted.filter(({ changes }) => (!ownsOverlaps && mayBeInTheWay(changes)) === isApart),
    );
    const applied = together.length > 0 ? await this.changed.apply(caller, connection, together) : [];
    const outcomes = new Map(applied.map((outcome, index) => [together[index], outcome] as const));
    for (const one of inOrder) {
      const change = async () => valueOf((await this.changed.apply(caller, connection, [one]))[0]);
      outcomes.set(one, await outcomeOfWork(() => this.events.attempt(change)));
    }
    return wanted.map((one) => outcomes.get(one) as Outcome<Saved<ReservationView>['outcome']>);
  }
}
