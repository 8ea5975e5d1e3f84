import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { Jobs, schedules, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { Slices } from '#turns';
import { AuditService } from '../../platform/audit/audit.service.js';
import { callerOf } from '../../platform/audit/caller-of-act.js';
import { serviceCaller } from '../../platform/callers/service-caller.js';
import { EventsService } from '../../platform/events/events.service.js';
import { Followers } from '../followers/followers.js';
import { ReadinessRepository } from '../readiness/readiness.repository.js';
import { type InOrder, MovedStaysRepository } from '../stays/moved-stays.repository.js';
import { placeOf } from '../stays/stay.js';
import { propertyTimesChanged } from './properties.events.js';
import { PropertiesRepository } from './properties.repository.js';
import type { Property } from './property.entity.js';
import { type DueProperty, soonestTimesChange, TimesChangesRepository } from './times-changes.repository.js';

/** Up to this many stays follow in the transaction of the change. More follow in the background, slice by slice. */
const mostAtOnce = 100;

/**
 * Future stays follow the times and the time zone of their property. A slice moves those that have other times than the
 * property says by then: whatever was changed or interrupted in between, the next slice continues from what it finds.
 */
@Injectable()
export class TimesChanges implements Work<DueProperty> {
  readonly name = 'times-changes';
  readonly lane = schedules;
  readonly soonest = soonestTimesChange;

  constructor(
    private readonly changes: TimesChangesRepository,
    private readonly properties: PropertiesRepository,
    private readonly stays: MovedStaysRepository,
    private readonly readiness: ReadinessRepository,
    private readonly followers: Followers,
    private readonly events: EventsService,
    private readonly audit: AuditService,
    private readonly database: TenantDatabase,
    private readonly jobs: Jobs,
  ) {
    jobs.take(this);
  }

  /** In the transaction that changed the times of a property. */
  async begin(caller: Caller, property: Property): Promise<void> {
    const waiting = await this.stays.elsewhen(property, mostAtOnce + 1);
    if (waiting.length <= mostAtOnce) {
      await this.move(caller, property, null, mostAtOnce);
      await this.end(caller, property);
    } else if (this.database.isRehearsing) await this.foresee(caller, property);
    else {
      await this.changes.begin(property, this.audit.act);
      this.database.afterCommit(() => this.jobs.wake(this.name));
    }
  }

  due(now: string): Promise<DueProperty[]> {
    return this.changes.due(now);
  }

  async perform(due: DueProperty, signal: AbortSignal): Promise<void> {
    const slices = new Slices();
    for (let isOver = false; !isOver && !signal.aborted;)
      isOver = await slices.next((most) => this.database.transaction(due.orgId, () => this.slice(due, most)));
  }

  /** @returns whether nothing is left. */
  private async slice(due: DueProperty, most: number): Promise<boolean> {
    // Bookings and other changes of the property wait for its lock, and find each stay as it was or as it is now.
    const property = await this.properties.findForChange(serviceCaller(due.orgId, '', []), due.id);
    const change = property && (await this.changes.find(due));
    if (!property || !change) return true;
    const { act, after } = change;
    const caller = callerOf(due.orgId, act);
    const work = async (): Promise<boolean> => {
      const last = await this.move(caller, property, after, most);
      // A stay may since have moved to a place that was done already, so the last look is at all of them.
      if (last || after) await this.changes.goOn(due, last ?? null);
      else await this.end(caller, property);
      return !last && !after;
    };
    return act ? await this.audit.during(act, work) : await work();
  }

  /** @returns the last of the stays if there may be more. */
  private async move(
    caller: Caller,
    property: Property,
    after: InOrder | null,
    most: number,
  ): Promise<InOrder | undefined> {
    const moved = await this.stays.followProperty(property, after, most);
    if (moved.length > 0) await this.followers.staysChanged(caller, moved);
    const last = moved.length === most ? moved.at(-1) : undefined;
    return last && { placeId: placeOf(last.stay), checkInDate: last.checkInDate, id: last.stay.id };
  }

  private async end(caller: Caller, property: Property): Promise<void> {
    await this.changes.end(property);
    await this.readiness.note(caller.orgId, [property]);
    await this.events.follow(() =>
      Promise.resolve(this.events.record(caller, propertyTimesChanged, property, property)),
    );
  }

  private async foresee(caller: Caller, property: Property): Promise<void> {
    const stayIds = await this.stays.elsewhen(property);
    for (const { type, count } of await this.followers.foresee(caller, stayIds)) this.events.foresee(type, count);
    this.events.foresee(propertyTimesChanged, 1);
  }
}
