import { Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type Act, AuditService } from '../../events/audit/audit.service.js';
import type { EventType } from '../../events/event-type.js';
import { EventsService } from '../../events/events.service.js';
import type { ApplicationView } from '../applications/application.dto.js';
import { applicationApproved, applicationRevoked } from '../applications/applications.events.js';
import type { Ending, Grant } from './grant.entity.js';
import { GrantsRepository } from './grants.repository.js';

const memberIds = idColumn('member');
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
  ) {}

  /** In the place of an earlier one of the same application, person and organization. */
  give(grant: Grant, act: Act): Promise<void> {
    return this.database.transaction(async () => {
      const replaced = await this.grants.replace(grant);
      if (replaced) await this.tell(act, applicationRevoked, replaced);
      await this.tell(act, applicationApproved, grant);
    });
  }

  /** Ends an approval and with it every token, unless it had ended before. */
  end(grantId: string, because: Ending, actOf: (ended: Grant) => Act): Promise<void> {
    return this.database.transaction(async () => {
      const ended = await this.grants.revoke(grantId, because);
      if (ended) await this.tell(actOf(ended), applicationRevoked, ended);
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

  /** What no person does themselves, the service tells in its own name. */
  private async tell(act: Act, type: EventType<ApplicationView>, grant: Grant): Promise<void> {
    const id = act.actor.type === 'user' ? await this.memberOf(grant) : undefined;
    const actor = id ? { type: 'member' as const, id } : { type: 'service' as const };
    await this.audit.during(act, () => this.events.recordAbove(type, grant, actor));
  }

  private async memberOf({ orgId, userId }: Grant): Promise<string | undefined> {
    const [row] = await this.database.rows(
      `select id from members where org_id = $1 and user_id = $2 order by status = 'removed', id limit 1`,
      [uuidIn(orgId), uuidIn(userId)],
    );
    return row && (memberIds.from(row.id) as string);
  }
}
