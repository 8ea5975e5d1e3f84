import { Injectable } from '@nestjs/common';
import type { Changed } from '#persistence';
import { SystemDatabase } from '#system-database';
import type { Act } from '../../platform/audit/act.js';
import { AuditService } from '../../platform/audit/audit.service.js';
import type { Actor } from '../../platform/callers/act.dto.js';
import { EventsService } from '../../platform/events/events.service.js';
import { ApplicationKeys } from '../api-keys/application-keys.service.js';
import { applicationApproved, applicationRevoked } from '../applications/applications.events.js';
import { actorOfPerson } from '../api-keys/member-of-person.js';
import type { Ending, Grant } from '../applications/grant.entity.js';
import { GrantsRepository } from './grants.repository.js';

/** A new approval has no token yet, because its application has still to exchange the code. */
const waitsForCodeMs = 24 * 60 * 60_000;

/**
 * Gives and ends people's approvals of applications, with their events. It works outside an organization: on the consent
 * page, on a person's account page and for token requests.
 */
@Injectable()
export class GrantsService {
  constructor(
    private readonly database: SystemDatabase,
    private readonly grants: GrantsRepository,
    private readonly events: EventsService,
    private readonly audit: AuditService,
    private readonly keys: ApplicationKeys,
  ) {}

  /** Replaces an earlier approval of the same application, person and organization, and takes over its keys. */
  give(grant: Grant, act: Act): Promise<void> {
    return this.database.transaction(async () => {
      const replaced = await this.grants.replace(grant);
      if (replaced) {
        await this.recordEnded(act, replaced);
        await this.keys.handOver(replaced.after, grant);
      }
      const actor = await this.actorOf(act, grant);
      await this.audit.during(act, () => this.events.recordAbove(actor, applicationApproved, grant));
    });
  }

  /**
   * Ends an approval, unless it has already ended, and with it every token and every API key that was created through
   * it. An approval that merely lapsed leaves its keys: nobody withdrew it, and keys have their own lifetime.
   */
  end(grantId: string, because: Ending, actOf: (ended: Grant) => Act): Promise<void> {
    return this.database.transaction(async () => {
      const ended = await this.grants.revoke(grantId, because);
      if (!ended) return;
      const { after } = ended;
      const act = actOf(after);
      await this.recordEnded(act, ended);
      if (because !== 'unused') await this.keys.revokeOfApproval(after, act, await this.actorOf(act, after));
    });
  }

  /** Ends approvals that can no longer be used. If there are very many, the rest waits for the next run. */
  async endUnused(signal: AbortSignal): Promise<void> {
    const unused = await this.grants.listUnused(new Date(Date.now() - waitsForCodeMs).toISOString());
    for (const id of unused) {
      if (signal.aborted) return;
      await this.end(id, 'unused', () => ({ action: applicationRevoked.name, actor: { type: 'service' } }));
    }
  }

  private async recordEnded(act: Act, { before, after }: Changed<Grant>): Promise<void> {
    const actor = await this.actorOf(act, after);
    await this.audit.during(act, () => this.events.recordAbove(actor, applicationRevoked, after, before));
  }

  /** Events that no person caused name the service. */
  private async actorOf({ actor }: Act, { orgId, userId }: Grant): Promise<Actor> {
    return actor.type === 'user' ? await actorOfPerson(this.database, orgId, userId) : { type: 'service' };
  }
}
