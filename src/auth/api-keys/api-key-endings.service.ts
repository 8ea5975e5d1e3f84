import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import type { DepartureFollower, RemovedMember } from '../../tenancy/followers/followers.js';
import type { RevocationReason } from './api-key.dto.js';
import type { ApiKey } from './api-key.entity.js';
import { apiKeyRevoked } from './api-keys.events.js';
import { ApiKeysRepository } from './api-keys.repository.js';

/** Revokes the keys of a removed member or application within one organization, in the transaction that removes it. */
@Injectable()
export class ApiKeyEndings implements DepartureFollower {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly events: EventsService,
  ) {}

  endKeysOf(caller: Caller, { id }: RemovedMember): Promise<string[]> {
    return this.revokeAll(caller, 'member-removed', () => this.keys.listWorkingMadeBy(caller.orgId, id));
  }

  /** The keys that the application created under this approval. @returns their ids. */
  revokeMadeThrough(caller: Caller, applicationId: string): Promise<string[]> {
    return this.revokeAll(caller, 'application-ended', () =>
      this.keys.listWorkingMadeThrough(caller.orgId, applicationId),
    );
  }

  /** Repeats until no keys are left, because a key that was waited for may have created another. */
  private async revokeAll(
    caller: Caller,
    revokedBecause: RevocationReason,
    list: () => Promise<ApiKey[]>,
  ): Promise<string[]> {
    const revoked: string[] = [];
    for (let keys = await list(); keys.length > 0; keys = await list()) {
      const changed = await this.keys.updateAll(keys, { revokedAt: new Date().toISOString(), revokedBecause });
      for (const { before, after } of changed) this.events.record(caller, apiKeyRevoked, after, before);
      revoked.push(...keys.map(({ id }) => id));
    }
    return revoked;
  }
}
