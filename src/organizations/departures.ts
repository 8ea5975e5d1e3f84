import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Member } from '../tenancy/members/member.entity.js';

/** Ends the API keys that a member created. @returns their ids. */
type Listener = (caller: Caller, member: Member) => Promise<string[]>;

/**
 * Where the removal of a member tells what knows of API keys to end those that the member created, without knowing it.
 * The listeners run in the transaction of the removal.
 */
@Injectable()
export class Departures {
  private readonly listeners: Listener[] = [];

  subscribe(listener: Listener): void {
    this.listeners.push(listener);
  }

  async endKeysOf(caller: Caller, member: Member): Promise<string[]> {
    const ended: string[] = [];
    for (const listener of this.listeners) ended.push(...(await listener(caller, member)));
    return ended;
  }
}
