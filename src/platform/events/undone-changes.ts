import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';

/** A change that was undone: its record, and the operation that had made it. */
export interface UndoneChange {
  readonly target: { readonly type: string; readonly id: string };
  readonly action: string;
}

/** What is done in the transaction of an undo, after a change was undone. */
export interface UndoFollower {
  undone(caller: Caller, change: UndoneChange): void;
}

/** Everything that follows an undo. The floors above add themselves. */
@Injectable()
export class UndoneChanges {
  private readonly followers: UndoFollower[] = [];

  add(follower: UndoFollower): void {
    this.followers.push(follower);
  }

  notify(caller: Caller, change: UndoneChange): void {
    for (const follower of this.followers) follower.undone(caller, change);
  }
}
