import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Images } from './images.js';

/** A record that an undo will change, with the values before and after the change that is undone. */
export interface UndoneRecord {
  readonly target: { readonly type: string; readonly id: string };
  readonly propertyId: string | null;
  readonly changed: Images | undefined;
}

/** Locks records until the transaction ends, all of them together. */
export interface UndoLock {
  lockUndone(caller: Caller, records: readonly UndoneRecord[]): Promise<void>;
}

/**
 * Locks all that an undo will change before it changes any of it: it undoes the newest change first, and everything else
 * locks in another order. The floor that knows this order adds its lock.
 */
@Injectable()
export class UndoLocks {
  private known?: UndoLock;

  are(lock: UndoLock): void {
    this.known = lock;
  }

  async lock(caller: Caller, records: readonly UndoneRecord[]): Promise<void> {
    if (!this.known) throw new Error('Import OrganizationsModule: nobody locks what an undo changes');
    await this.known.lockUndone(caller, records);
  }
}
