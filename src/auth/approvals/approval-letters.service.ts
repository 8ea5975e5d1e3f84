import { Injectable } from '@nestjs/common';
import { type DueRow, dueInTurns, Jobs, schedules, soonestOf, type Work } from '#jobs';
import type { Operation } from '#operations';
import { recordOf, TenantDatabase, uuidIn } from '#persistence';
import { SystemDatabase } from '#system-database';
import { MailService } from '../../platform/mail/mail.service.js';
import { ApprovalRulesRepository } from '../approval-rules/approval-rules.repository.js';
import type { Approval } from './approval.entity.js';
import { approvalsMail } from './approval-mail.js';
import { ApprovalsShown } from './approval-shown.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { DecidersRepository, type MailedDecider } from './deciders.repository.js';
import { KnownOperations } from './known-operations.js';
import { mayDecide } from './may-decide.js';

const name = 'approval-letters';
/** Nobody gets more letters than one in this time; each names all that waits. */
const everyMs = 5 * 60_000;
const due = { table: 'approval_letters', since: 'due_at' };

/** Tells those who may decide that something waits for them. */
@Injectable()
export class ApprovalLetters implements Work<DueRow> {
  readonly name = name;
  readonly lane = schedules;
  readonly soonest = soonestOf(due);

  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly rules: ApprovalRulesRepository,
    private readonly deciders: DecidersRepository,
    private readonly operations: KnownOperations,
    private readonly shown: ApprovalsShown,
    private readonly mail: MailService,
    private readonly database: TenantDatabase,
    private readonly system: SystemDatabase,
    private readonly jobs: Jobs,
  ) {
    jobs.take(this);
  }

  /** In the transaction of the request. */
  async announce(approval: Approval, operation: Operation): Promise<void> {
    const { orgId } = approval;
    const { byOthers } = await this.rules.settings(orgId);
    const members = (await this.deciders.all(orgId)).filter((one) => mayDecide(approval, operation, one, byOthers));
    const now = new Date();
    await this.database.rows(
      orgId,
      `insert into approval_letters as l (org_id, id, due_at)
       select $1, id, $3 from unnest($2::uuid[]) as id order by id
       on conflict (org_id, id) do update
         set due_at = coalesce(l.due_at, greatest($3, l.sent_at + $4 * interval '1 millisecond'))`,
      [uuidIn(orgId), members.map(({ memberId }) => uuidIn(memberId)), now.toISOString(), everyMs],
    );
    this.database.afterCommit(() => this.jobs.wake(name));
  }

  async due(now: string): Promise<DueRow[]> {
    return (await this.system.rows(dueInTurns(due), [now])).map(recordOf('member'));
  }

  async perform({ orgId, id }: DueRow): Promise<void> {
    await this.database.transaction(orgId, async () => {
      const now = new Date().toISOString();
      const [taken] = await this.database.rows(
        orgId,
        `update approval_letters set due_at = null, sent_at = $3
          where org_id = $1 and id = $2 and due_at <= $3 returning 1`,
        [uuidIn(orgId), uuidIn(id), now],
      );
      const member = taken && (await this.deciders.all(orgId)).find(({ memberId }) => memberId === id);
      if (member) await this.write(orgId, member);
    });
  }

  /** Nothing waits any more where somebody else was faster. */
  private async write(orgId: string, member: MailedDecider): Promise<void> {
    const { byOthers } = await this.rules.settings(orgId);
    const waiting = (await this.approvals.pending(orgId)).filter((approval) => {
      const operation = this.operations.find(approval.operation);
      return operation && mayDecide(approval, operation, member, byOthers);
    });
    if (waiting.length === 0) return;
    const lines = waiting.map(({ id, summary, expiresAt }) => ({ summary, url: this.shown.urlOf(id), expiresAt }));
    await this.mail.queueOf(orgId, approvalsMail(member.email, lines));
  }
}
