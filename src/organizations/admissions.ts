import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { Organization } from '../tenancy/organizations/organization.entity.js';

type Listener = (caller: Caller, organization: Organization) => Promise<void>;

/**
 * Where an organization that forbids applications which registered themselves tells what knows of the connected ones
 * to end those, without knowing it. The listeners run in the transaction of the change.
 */
@Injectable()
export class Admissions {
  private readonly listeners: Listener[] = [];

  listen(listener: Listener): void {
    this.listeners.push(listener);
  }

  async tell(caller: Caller, organization: Organization): Promise<void> {
    for (const listener of this.listeners) await listener(caller, organization);
  }
}
