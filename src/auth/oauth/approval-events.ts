import { Injectable } from '@nestjs/common';
import { idColumn, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { type Act, AuditService } from '../../events/audit/audit.service.js';
import type { EventType } from '../../events/event-type.js';
import { EventsService } from '../../events/events.service.js';
import type { ApplicationView } from '../applications/application.dto.js';
import type { Grant } from './grant.entity.js';

const memberIds = idColumn('member');

/** Tells of approvals that are given and ended above the organizations: at a person's account and by token requests. */
@Injectable()
export class ApprovalEvents {
  constructor(
    private readonly database: SystemDatabase,
    private readonly events: EventsService,
    private readonly audit: AuditService,
  ) {}

  /** In the current transaction. What no person does themselves, the service tells in its own name. */
  async record(act: Act, type: EventType<ApplicationView>, grant: Grant): Promise<void> {
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
