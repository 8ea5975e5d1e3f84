import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Changed } from '#persistence';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Originator } from '../../../platform/events/originator.js';
import type { Reservation } from '../reservation.entity.js';
import { overlapCleared, overlapFlagged } from '../reservations.events.js';
import { type ChangedReservation, OverlapsRepository } from './overlaps.repository.js';

/** Flags stays that overlap others, and clears those that no longer do. */
@Injectable()
export class OverlapFlags {
  constructor(
    private readonly overlaps: OverlapsRepository,
    private readonly events: EventsService,
  ) {}

  /** Of the stays that changed, and of those near them. */
  async mark(caller: Caller, changes: readonly ChangedReservation[]): Promise<void> {
    if (changes.length === 0) return;
    await this.tell(caller, await this.overlaps.markChanged(caller.orgId, changes));
  }

  /** Of these stays. */
  async markThese(by: Originator, stayIds: readonly string[]): Promise<void> {
    if (stayIds.length === 0) return;
    await this.tell(by, await this.overlaps.markThese(by.orgId, stayIds));
  }

  /** Says how many of these stays would be flagged or cleared. */
  async foresee({ orgId }: Originator, stayIds: readonly string[]): Promise<void> {
    const { flagged, cleared } = await this.overlaps.foresee(orgId, stayIds);
    if (flagged > 0) this.events.foresee(overlapFlagged, flagged);
    if (cleared > 0) this.events.foresee(overlapCleared, cleared);
  }

  private async tell(by: Originator, marked: Changed<Reservation>[]): Promise<void> {
    await this.events.follow(() =>
      this.events.recordAll(by, marked, ({ after }) => (after.overlapping ? overlapFlagged : overlapCleared)),
    );
  }
}
