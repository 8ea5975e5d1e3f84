import { Injectable, type OnModuleInit } from '@nestjs/common';
import type { Caller } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import { Departures } from '../../organizations/departures.js';
import type { RevocationReason } from './api-key.dto.js';
import type { ApiKey } from './api-key.entity.js';
import { apiKeyRevoked } from './api-keys.events.js';
import { ApiKeysRepository } from './api-keys.repository.js';

/** Revokes the keys whose member or application is gone, within one organization and in the transaction of that. */
@Injectable()
export class ApiKeyEndings implements OnModuleInit {
  constructor(
    private readonly keys: ApiKeysRepository,
    private readonly events: EventsService,
    private readonly departures: Departures,
  ) {}

  onModuleInit(): void {
    this.departures.subscribe((caller, { id }) =>
      this.revokeAll(caller, 'member-removed', () => this.keys.listWorkingMadeBy(caller.orgId, id)),
    );
  }

  /** The keys that the application created under this approval. @returns their ids. */
  revokeMadeThrough(caller: Caller, applicationId: string): Promise<string[]> {
    return this.revokeAll(caller, 'application-ended', () =>
      this.keys.listWorkingMadeThrough(caller.orgId, applicationId),
    );
  }

  /** Looks again until there are none: while one was waited for, it may have created another. */
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
