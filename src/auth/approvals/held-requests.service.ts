import { Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import { RequestContext } from '#context';
import type { Answer } from '#errors';
import { newId } from '#persistence';
import { callerFrom } from '../../platform/callers/caller-snapshot.js';
import type { Happening } from '../../platform/events/happening.js';
import { StandingCallers } from '../../tenancy/members/standing-callers.js';
import { ApprovalRulesRepository } from '../approval-rules/approval-rules.repository.js';
import { modeFor } from '../approval-rules/mode-for.js';
import type { Approval } from './approval.entity.js';
import type { Rehearsed } from './approval-requests.service.js';
import { forbiddenByRule, mayNoLonger } from './approvals.errors.js';
import { KnownOperations } from './known-operations.js';
import { SealedContent } from './sealed-content.js';

/** Requests that were kept, as their credential would send them at this moment. */
@Injectable()
export class HeldRequests {
  constructor(
    private readonly operations: KnownOperations,
    private readonly callers: StandingCallers,
    private readonly rules: ApprovalRulesRepository,
    private readonly content: SealedContent,
  ) {}

  /**
   * The changes that it would make now.
   *
   * @returns the response if it would be rejected.
   */
  async rehearse(approval: Approval): Promise<Rehearsed | Answer> {
    const startedAt = Date.now();
    // A reveal changes nothing, and reads are not rehearsed.
    if (this.operations.find(approval.operation)?.effect === 'read') return { happened: [], startedAt };
    const context = await this.contextOf(approval);
    context.dryRun = true;
    const answer = await this.call(approval, context);
    return answer.code === undefined ? { happened: (context.rehearsed ?? []) as Happening[], startedAt } : answer;
  }

  /**
   * Sends the request, under its own idempotency key or under the id of the approval.
   *
   * @throws authorization_error if the credential may not send it any more.
   */
  async send(approval: Approval): Promise<Answer> {
    const context = await this.contextOf(approval);
    context.idempotencyKey = approval.idempotencyKey ?? approval.id;
    return await this.call(approval, context);
  }

  private async call({ operation }: Approval, context: RequestContext): Promise<Answer> {
    const call = this.operations.callOf(operation);
    if (!call) throw mayNoLonger();
    return await call(context);
  }

  private async contextOf(approval: Approval): Promise<RequestContext> {
    const { orgId, id, fingerprint, caller: asked } = approval;
    const now = await this.callers.now(callerFrom(orgId, asked));
    const operation = this.operations.find(approval.operation);
    if (!now || !operation) throw mayNoLonger();
    const rules = await this.rules.of(now);
    const { fields, ifMatch } = this.content.request(approval);
    if (rules && modeFor(rules, operation, fields) === 'forbid') throw forbiddenByRule(operation.name);
    const raw = { path: {}, query: {}, body: fields };
    const logId = asked.logId ?? newId('request');
    const context = new RequestContext('approval', asked.requestId, logId, () => Promise.resolve(raw));
    context.caller = { ...(now as RequestCaller), logId, approvalId: id };
    context.approval = { id, fingerprint };
    context.ifMatch = ifMatch;
    return context;
  }
}
