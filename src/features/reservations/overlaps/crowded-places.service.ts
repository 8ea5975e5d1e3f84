import { Injectable } from '@nestjs/common';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { Slices } from '#turns';
import { AuditService } from '../../../platform/audit/audit.service.js';
import { callerOf } from '../../../platform/audit/caller-of-act.js';
import type { Originator } from '../../../platform/events/originator.js';
import type { ChangedType, UnitFollower } from '../../../tenancy/followers/followers.js';
import { PropertiesService } from '../../../tenancy/properties/properties.service.js';
import { dayIn } from '../../../tenancy/stays/local-moments.js';
import {
  type BegunPlace,
  type CrowdedPlace,
  CrowdedPlacesRepository,
  type DuePlace,
  type InOrder,
  soonestCrowdedPlace,
} from './crowded-places.repository.js';
import { OverlapFlags } from './overlap-flags.service.js';
import { OverlapsRepository } from './overlaps.repository.js';

/** Up to this many stays are looked at in the transaction of the change. More follow in the background, slice by slice. */
const mostAtOnce = 100;
/** A rehearsal counts them. */
const all = 1_000_000;

/**
 * Stays of other systems, and those that lost their unit to a block, are flagged where a type has too few units for them,
 * and cleared where it has enough: when a block takes units away or gives them back, and when a type gets or loses a unit.
 */
@Injectable()
export class CrowdedPlaces implements UnitFollower, Work<DuePlace> {
  readonly name = 'crowded-places';
  readonly lane = schedules;
  readonly soonest = soonestCrowdedPlace;

  constructor(
    private readonly places: CrowdedPlacesRepository,
    private readonly overlaps: OverlapsRepository,
    private readonly flags: OverlapFlags,
    private readonly properties: PropertiesService,
    private readonly audit: AuditService,
    private readonly database: TenantDatabase,
    private readonly jobs: Jobs,
  ) {
    jobs.take(this);
  }

  /** In the transaction that changes how many units a place has, under the lock of its property. */
  async check(by: Originator, place: CrowdedPlace): Promise<void> {
    const { stayIds, last } = await this.overlaps.crowdedIn(by.orgId, place, null, mostAtOnce);
    if (!last) await this.flags.markThese(by, stayIds);
    else if (this.database.isRehearsing) await this.foresee(by, place);
    else {
      await this.places.begin(by.orgId, place, this.audit.act);
      this.database.afterCommit(() => this.jobs.wake(this.name));
    }
  }

  /** A stay that was one too many may have room, since units take their stays along; these may be too many elsewhere. */
  followUnits(by: Originator, { propertyId, unitTypeId, timezone, hasMoreStays }: ChangedType): Promise<void> {
    return this.check(by, { propertyId, unitTypeId, from: dayIn(timezone), until: null, onlyFlagged: !hasMoreStays });
  }

  due(now: string): Promise<DuePlace[]> {
    return this.places.due(now);
  }

  async perform(due: DuePlace, signal: AbortSignal): Promise<void> {
    const slices = new Slices();
    for (let isOver = false; !isOver && !signal.aborted;)
      isOver = await slices.next((most) => this.database.transaction(due.orgId, () => this.slice(due, most)));
  }

  /** @returns whether nothing is left. */
  private async slice(due: DuePlace, most: number): Promise<boolean> {
    const seen = await this.places.find(due);
    if (!seen) return true;
    // What else takes or gives nights there waits, as it does for the change itself.
    await this.properties.lockKnown(callerOf(due.orgId, null), [seen.place.propertyId]);
    const begun = await this.places.find(due);
    if (!begun) return true;
    const { act } = begun;
    const work = () => this.mark(due, begun, most);
    const last = await (act ? this.audit.during(act, work) : work());
    await (last ? this.places.goOn(due, last) : this.places.end(due));
    return !last;
  }

  private async mark(
    { orgId }: DuePlace,
    { place, act, after }: BegunPlace,
    most: number,
  ): Promise<InOrder | undefined> {
    const { stayIds, last } = await this.overlaps.crowdedIn(orgId, place, after, most);
    await this.flags.markThese(callerOf(orgId, act), stayIds);
    return last;
  }

  private async foresee(by: Originator, place: CrowdedPlace): Promise<void> {
    const { stayIds } = await this.overlaps.crowdedIn(by.orgId, place, null, all);
    await this.flags.foresee(by, stayIds);
  }
}
