import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { ServiceError } from '#errors';
import type { EventType } from '../../platform/events/event-type.js';
import { EventsService } from '../../platform/events/events.service.js';
import type { Place } from '../stays/place.js';
import type { FollowedProperty } from '../stays/moved-stays.repository.js';
import type { Stay } from '../stays/stay.js';

/** A stay that was made, moved, cancelled or otherwise changed; `before` is absent for a new one. */
export interface StayChange {
  stay: Stay;
  before?: Stay;
  /** It moved with the times or the time zone of its property: all that changed of it, as it was before. */
  followedProperty?: FollowedProperty;
  /**
   * The room that guests in house leave for another one, and when; `backIn` if that is the one that they slept in before,
   * `firstIn` if they have slept in none.
   */
  leftRoom?: { unitId: string; at: string; backIn?: string; firstIn?: string };
}

/** What hangs on stays (events of moved stays, rooms, tasks, access codes, runs). It changes in the transaction of the stay, so both always agree. */
export interface StayFollower {
  /**
   * Locks all records that depend on these stays, before any of them is changed: two transactions that lock in
   * different orders deadlock. Absent where nothing needs a lock.
   */
  lockFor?(caller: Caller, changes: readonly StayChange[]): Promise<unknown>;
  /** With statements for all of the stays together, since they may be thousands: each of them is another stay. */
  followStays(caller: Caller, changes: readonly StayChange[]): Promise<void>;
  /** What a change of the times of so many stays would lead to. Absent where nothing would be told. */
  foresee?(caller: Caller, stayIds: readonly string[]): Promise<{ type: EventType; count: number }>;
}

/** A unit type that has got or lost a unit, at a property whose nights are locked. */
export interface ChangedType {
  readonly propertyId: string;
  readonly unitTypeId: string;
  readonly timezone: string;
  /** Whether the unit may have brought stays with it, so that the type may have too many. */
  readonly hasMoreStays: boolean;
}

/** Looks again at the stays of a type, in the transaction that gives it a unit or takes one away. */
export interface UnitFollower {
  followUnits(caller: Caller, type: ChangedType): Promise<void>;
}

/** What needs places (access codes, recurring tasks, connections) and keeps them from being archived. */
export interface PlaceUser {
  /** Why a place cannot be archived yet; undefined where it can. */
  refusalAt(orgId: string, place: Place): Promise<ServiceError | undefined>;
}

/** What a follower needs of an organization. */
export interface ChangedOrganization {
  readonly id: string;
  readonly allowedClientIds: string[];
}

/** What a follower needs of a member. */
export interface RemovedMember {
  readonly id: string;
}

/** Ends connected applications in the transaction that forbids those which registered themselves. */
export interface AdmissionFollower {
  endForbidden(caller: Caller, organization: ChangedOrganization): Promise<void>;
}

/** Ends the API keys that a member created, in the transaction that removes the member. */
export interface DepartureFollower {
  /** @returns the ids of the keys. */
  endKeysOf(caller: Caller, member: RemovedMember): Promise<string[]>;
}

/** All who follow, in the order in which they lock and act. */
export interface FollowerList {
  readonly stays: readonly StayFollower[];
  readonly units: readonly UnitFollower[];
  readonly places: readonly PlaceUser[];
  readonly admissions: readonly AdmissionFollower[];
  readonly departures: readonly DepartureFollower[];
}

/**
 * The features that follow what happens to organizations, members, properties and stays, which do not know them.
 * FollowersModule names them, and a process without it fails at the first change rather than leaving work behind.
 */
@Injectable()
export class Followers {
  private known?: FollowerList;

  constructor(private readonly events: EventsService) {}

  are(list: FollowerList): void {
    this.known = list;
  }

  get list(): FollowerList {
    if (!this.known) throw new Error('Import FollowersModule: nobody follows what changes');
    return this.known;
  }

  async staysChanged(caller: Caller, changes: readonly StayChange[]): Promise<void> {
    if (changes.length > 1) for (const follower of this.list.stays) await follower.lockFor?.(caller, changes);
    await this.events.follow(async () => {
      for (const follower of this.list.stays) await follower.followStays(caller, changes);
    });
  }

  stayChanged(caller: Caller, change: StayChange): Promise<void> {
    return this.staysChanged(caller, [change]);
  }

  /** What a change of the times of stays would lead to, by types of events. */
  async foresee(caller: Caller, stayIds: readonly string[]): Promise<{ type: EventType; count: number }[]> {
    const foreseen: { type: EventType; count: number }[] = [];
    for (const follower of this.list.stays) {
      const one = await follower.foresee?.(caller, stayIds);
      if (one) foreseen.push(one);
    }
    return foreseen;
  }

  async typeChanged(caller: Caller, type: ChangedType): Promise<void> {
    for (const follower of this.list.units) await follower.followUnits(caller, type);
  }

  /** @throws conflict_error while a feature needs the place. */
  async refuseArchiving(orgId: string, place: Place): Promise<void> {
    for (const user of this.list.places) {
      const refusal = await user.refusalAt(orgId, place);
      if (refusal) throw refusal;
    }
  }

  async applicationsForbidden(caller: Caller, organization: ChangedOrganization): Promise<void> {
    await this.events.follow(async () => {
      for (const follower of this.list.admissions) await follower.endForbidden(caller, organization);
    });
  }

  /** @returns the ids of the API keys that ended. */
  async memberRemoved(caller: Caller, member: RemovedMember): Promise<string[]> {
    return await this.events.follow(async () => {
      const ended: string[] = [];
      for (const follower of this.list.departures) ended.push(...(await follower.endKeysOf(caller, member)));
      return ended;
    });
  }
}
