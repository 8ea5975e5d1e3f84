import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { EventType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import type { StayChange, StayFollower } from '../../tenancy/followers/followers.js';
import { Reservation } from './reservation.entity.js';
import { reservationUpdated } from './reservations.events.js';
import { ReservationsRepository } from './reservations.repository.js';

/** Records the changes of stays that moved with the times of their property; other changes are recorded where they happen. */
@Injectable()
export class MovedStays implements StayFollower {
  constructor(
    private readonly reservations: ReservationsRepository,
    private readonly events: EventsService,
  ) {}

  async followStays(caller: Caller, changes: readonly StayChange[]): Promise<void> {
    const earlier = new Map(changes.map(({ stay, followedProperty }) => [stay.id, followedProperty]));
    const moved = changes.flatMap(({ stay, followedProperty }) => (followedProperty ? [stay.id] : []));
    if (moved.length === 0) return;
    const changed = (await this.reservations.findRows(caller.orgId, moved)).map((after) => ({
      after,
      before: Object.assign(new Reservation(), after, earlier.get(after.id)),
    }));
    await this.events.recordAll(caller, changed, () => reservationUpdated);
  }

  foresee(_caller: Caller, stayIds: readonly string[]): Promise<{ type: EventType; count: number }> {
    return Promise.resolve({ type: reservationUpdated, count: stayIds.length });
  }
}
