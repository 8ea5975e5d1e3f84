import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { FollowedProperty, Stay } from '../tenancy/stays/stays.repository.js';

/** A stay that was made, moved, cancelled or otherwise changed; `before` is absent for a new one. */
export interface StayChange {
  stay: Stay;
  before?: Stay;
  /** It moved with the times or the time zone of its property: all that changed of it, as it was before. */
  followedProperty?: FollowedProperty;
}

type Listener = (caller: Caller, change: StayChange) => Promise<void>;

/**
 * Where reservations tell the features that hang on them (tasks, access codes) what changed, without knowing them. The
 * listeners run in the transaction of the change: work and stay never disagree.
 */
@Injectable()
export class StayChanges {
  private readonly listeners: Listener[] = [];
  private readonly locks: ((caller: Caller, changes: readonly StayChange[]) => Promise<unknown>)[] = [];

  /** What hangs on many stays is locked in one order before any of it is changed, or two who do so meet in a deadlock. */
  lock(lock: (caller: Caller, changes: readonly StayChange[]) => Promise<unknown>): void {
    this.locks.push(lock);
  }

  async tellAll(caller: Caller, changes: readonly StayChange[]): Promise<void> {
    if (changes.length > 1) for (const lock of this.locks) await lock(caller, changes);
    for (const change of changes) await this.tell(caller, change);
  }

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async tell(caller: Caller, change: StayChange): Promise<void> {
    for (const listener of this.listeners) await listener(caller, change);
  }
}
