import { Injectable } from '@nestjs/common';
import type { ApprovalMode, RequestCaller } from '#access';
import type { RequestContext } from '#context';
import type { Answer } from '#errors';
import type { Operation } from '#operations';
import { lookUntil } from '#turns';
import { ApprovalRulesRepository } from '../../auth/approval-rules/approval-rules.repository.js';
import { canBeHeld, couldBear, modeFor } from '../../auth/approval-rules/mode-for.js';
import type { Approval } from '../../auth/approvals/approval.entity.js';
import { ApprovalRequests, type Rehearsed } from '../../auth/approvals/approval-requests.service.js';
import { forbiddenByRule } from '../../auth/approvals/approvals.errors.js';
import { isStillSeen } from '../../auth/approvals/still-seen.js';
import { Readiness } from '../../platform/health/readiness.js';
import { organizationWide } from '../../tenancy/properties/property-limit.errors.js';
import { LongOperations } from '../overload/long-operations.js';
import { IdempotentWrites, keyOf, requestFingerprint } from './idempotent-writes.js';
import { fieldsIn } from '../input/operation-input.js';
import { preferredWait } from '../input/prefer.js';
import { Rehearsals } from './rehearsals.js';

const lookEveryMs = 250;
/** A request that takes longer may be older than the first rule of its organization. */
const longArrivingMs = 1_000;

/**
 * Holds requests that a person has to decide about first. It runs after validation and before the transaction of the
 * write, and looks for a stored response itself, so a retry still gets it. A request that would be rejected is rejected
 * immediately, and nobody is asked.
 */
@Injectable()
export class ApprovalGate {
  constructor(
    private readonly approvals: ApprovalRequests,
    private readonly rules: ApprovalRulesRepository,
    private readonly writes: IdempotentWrites,
    private readonly rehearsals: Rehearsals,
    private readonly long: LongOperations,
    private readonly readiness: Readiness,
  ) {}

  /** Whether a request is held; one that carries out an approval is not. */
  async modeFor(
    { approval, askedApproval, input, startedAt }: RequestContext,
    operation: Operation,
    caller: RequestCaller,
  ): Promise<ApprovalMode> {
    if (!canBeHeld(operation)) return 'auto';
    // Even if the rule no longer exists: the request is carried out once.
    if (askedApproval !== undefined) return 'ask';
    const isOld = performance.now() - startedAt > longArrivingMs;
    const mayNeedIt = isOld || couldBear(caller.rulesAbout ?? [], operation, input as object);
    const rules = mayNeedIt && !approval ? await this.rules.of(caller) : undefined;
    return rules ? modeFor(rules, operation, input as object) : 'auto';
  }

  /**
   * @param work the request itself, for its rehearsal.
   * @throws authorization_error if a rule forbids it, or a person did not approve.
   */
  async answer(
    mode: ApprovalMode,
    context: RequestContext,
    operation: Operation,
    caller: RequestCaller,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    const [idempotencyKey, fingerprint] = [keyOf(context), await requestFingerprint(context, operation)];
    const asked = await this.approvals.asked(caller, context.askedApproval, idempotencyKey, fingerprint);
    if (asked && asked.endedAt === null) return await this.awaited(context, asked);
    const kept = await this.writes.kept(context, operation, caller);
    if (kept) return kept;
    if (asked && isRecent(asked)) {
      if (!isStillSeen(caller, asked, operation)) throw organizationWide();
      return this.approvals.answer(asked, context.requestId);
    }
    if (mode === 'forbid') throw forbiddenByRule(operation.name);
    const repeated = await this.approvals.repeated(caller, idempotencyKey, fingerprint);
    if (repeated) return await this.awaited(context, repeated);
    const rehearsed = await this.rehearse(operation, caller, work);
    if (!('happened' in rehearsed)) return rehearsed;
    const request = { fields: fieldsIn(context, operation), ifMatch: context.ifMatch };
    const { reason } = context;
    const details = { operation, request, fingerprint, idempotencyKey, reason };
    return await this.awaited(context, await this.approvals.ask(caller, details, rehearsed));
  }

  private async rehearse(
    { name }: Operation,
    caller: RequestCaller,
    work: () => Promise<Answer>,
  ): Promise<Rehearsed | Answer> {
    const startedAt = Date.now();
    const { result, happened } = await this.long.during(caller.orgId, name, () =>
      this.rehearsals.collect(caller, work),
    );
    return result.code === undefined ? { happened, startedAt } : result;
  }

  /** The answer at this moment, or once a person has decided, if the request prefers to wait. */
  private async awaited(context: RequestContext, approval: Approval): Promise<Answer> {
    context.client?.onHandling();
    const seconds = preferredWait(context.prefer);
    if (seconds === undefined) return this.approvals.answer(approval, context.requestId);
    const endsAt = Date.now() + seconds * 1_000;
    const look = async (): Promise<Approval> => (await this.approvals.find(approval)) ?? approval;
    const isOver = ({ endedAt }: Approval): boolean => endedAt !== null || this.readiness.draining;
    const current = isOver(approval) ? approval : await lookUntil(endsAt, lookEveryMs, look, isOver);
    const answer = this.approvals.answer(current, context.requestId);
    return { ...answer, headers: { ...answer.headers, 'Preference-Applied': `wait=${seconds}` } };
  }
}

/** As long as a key is remembered. */
const isRecent = ({ endedAt }: Approval): boolean => Date.now() - Date.parse(endedAt as string) < 24 * 3_600_000;
