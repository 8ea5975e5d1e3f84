import { Injectable } from '@nestjs/common';
import type { Changed } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type Act, AuditService } from '../../platform/audit/audit.service.js';
import type { Actor } from '../../events/event.dto.js';
import { EventsService } from '../../platform/events/events.service.js';
import { ApplicationKeys } from '../api-keys/application-keys.service.js';
import { applicationApproved, applicationRevoked } from '../applications/applications.events.js';
import { actorOfPerson } from '../api-keys/member-of-person.js';
import type { Ending, Grant } from '../applications/grant.entity.js';
import { GrantsRepository } from './grants.repository.js';

/** A young approval has no token yet: its application is about to come with the code. */
const waitsForCodeMs = 24 * 60 * 60_000;

/** Approvals given and ended above the organizations, at a person's account and by token requests, and told of. */
@Injectable()
export class ApprovalsService {
  constructor(
    private readonly database: SystemDatabase,
    private readonly grants: GrantsRepository,
    private readonly events: EventsService,
    private readonly audit: AuditService,
    private readonly keys: ApplicationKeys,
  ) {}

  /** In the place of an earlier one of the same application, person and organization, whose keys it takes over. */
  give(grant: Grant, act: Act): Promise<void> {
    return this.database.transaction(async () => {
      const replaced = await this.grants.replace(grant);
      if (replaced) {
        await this.tellEnded(act, replaced);
        await this.keys.handOver(replaced.after, grant);
      }
      const actor = await this.actorOf(act, grant);
      await this.audit.during(act, () => this.events.recordAbove(actor, applicationApproved, grant));
    });
  }

  /**
   * Ends an approval and with it every token and every API key that was created through it, unless it had ended before.
   * An approval that merely lapsed leaves its keys: nobody withdrew it, and keys have a life of their own.
   */
  end(grantId: string, because: Ending, actOf: (ended: Grant) => Act): Promise<void> {
    return this.database.transaction(async () => {
      const ended = await this.grants.revoke(grantId, because);
      if (!ended) return;
      const { after } = ended;
      const act = actOf(after);
      await this.tellEnded(act, ended);
      if (because !== 'unused') await this.keys.revokeOfApproval(after, act, await this.actorOf(act, after));
    });
  }

  /** Ends what can do nothing any more; of very many, the rest is left to the next time. */
  async endUnused(signal: AbortSignal): Promise<void> {
    const unused = await this.grants.listUnused(new Date(Date.now() - waitsForCodeMs).toISOString());
    for (const id of unused) {
      if (signal.aborted) return;
      await this.end(id, 'unused', () => ({ action: applicationRevoked.name, actor: { type: 'service' } }));
    }
  }

  private async tellEnded(act: Act, { before, after }: Changed<Grant>): Promise<void> {
    const actor = await this.actorOf(act, after);
    await this.audit.during(act, () => this.events.recordAbove(actor, applicationRevoked, after, before));
  }

  /** What no person does themselves, the service tells in its own name. */
  private async actorOf({ actor }: Act, { orgId, userId }: Grant): Promise<Actor> {
    return actor.type === 'user' ? await actorOfPerson(this.database, orgId, userId) : { type: 'service' };
  }
}
