import { Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import type { Answer } from '#errors';
import { inFuture } from '#jobs';
import type { Operation } from '#operations';
import { newId, TenantDatabase } from '#persistence';
import { snapshotOf } from '../../platform/callers/caller-snapshot.js';
import { EventsService } from '../../platform/events/events.service.js';
import type { Happening } from '../../platform/events/happening.js';
import { ApprovalRulesRepository } from '../approval-rules/approval-rules.repository.js';
import { Approval } from './approval.entity.js';
import { ApprovalsShown, statusOf } from './approval-shown.js';
import { mostPending, notApproved, tooManyApprovals, usedForAnother } from './approvals.errors.js';
import { approvalRequested } from './approvals.events.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { ApprovalLetters } from './approval-letters.service.js';
import { DecidersRepository } from './deciders.repository.js';
import { effectsHash } from './effects-hash.js';
import { Expiry } from './expiry.service.js';
import { type AskedRequest, SealedContent } from './sealed-content.js';

/** A request that a person has to decide about. */
export interface Asked {
  operation: Operation;
  request: AskedRequest;
  fingerprint: string;
  idempotencyKey?: string;
  reason?: string;
}

/** What it would change, and when its rehearsal began. */
export interface Rehearsed {
  happened: readonly Happening[];
  startedAt: number;
}

/** For how long nobody is asked again about a request that a person refused. */
const refusalHoldsMs = 10 * 60_000;

/** Keeps requests until a person has decided, and shows their credential the outcome. */
@Injectable()
export class ApprovalRequests {
  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly rules: ApprovalRulesRepository,
    private readonly shown: ApprovalsShown,
    private readonly deciders: DecidersRepository,
    private readonly content: SealedContent,
    private readonly letters: ApprovalLetters,
    private readonly expiry: Expiry,
    private readonly events: EventsService,
    private readonly database: TenantDatabase,
  ) {}

  /**
   * The state of an earlier call of the same request, or of one with its key.
   *
   * @throws 422 if the key was used for another request.
   */
  async asked(
    caller: RequestCaller,
    approvalId: string | undefined,
    key: string | undefined,
    fingerprint: string,
  ): Promise<Approval | undefined> {
    if (approvalId === undefined) return key === undefined ? undefined : await this.ofKey(caller, key, fingerprint);
    const approval = await this.approvals.find(caller.orgId, approvalId);
    const isOwn = approval?.principal === caller.credential.principal && approval.fingerprint === fingerprint;
    return isOwn ? approval : undefined;
  }

  private async ofKey(
    { orgId, credential }: RequestCaller,
    key: string,
    fingerprint: string,
  ): Promise<Approval | undefined> {
    const approval = await this.approvals.ofKey(orgId, credential.principal, key);
    if (approval && approval.fingerprint !== fingerprint) throw usedForAnother();
    return approval;
  }

  /**
   * The same request without its key or with another, as long as it waits and for a while after a person refused it: who
   * asks in a loop asks once.
   */
  async repeated(
    { orgId, credential }: RequestCaller,
    key: string | undefined,
    fingerprint: string,
  ): Promise<Approval | undefined> {
    const approval = await this.approvals.waiting(orgId, credential.principal, fingerprint);
    if (approval && statusOf(approval) === 'pending') return await this.joined(approval, key);
    const since = new Date(Date.now() - refusalHoldsMs).toISOString();
    return await this.approvals.refusedSince(orgId, credential.principal, fingerprint, since);
  }

  private async joined(approval: Approval, key: string | undefined): Promise<Approval> {
    if (key !== undefined) await this.approvals.join(approval, key);
    return approval;
  }

  find({ orgId, id }: Approval): Promise<Approval | undefined> {
    return this.approvals.find(orgId, id);
  }

  /**
   * The response for now: the request waits, or is being carried out, or has its final response.
   *
   * @throws authorization_error if it was not approved.
   */
  answer(approval: Approval, requestId: string): Answer {
    const status = statusOf(approval);
    if (status === 'refused' || status === 'withdrawn' || status === 'expired')
      throw notApproved(status, approval.id, approval.note);
    return this.content.answer(approval) ?? this.shown.answer(approval, requestId);
  }

  /** @throws conflict_error TOO_MANY_APPROVALS */
  async ask(caller: RequestCaller, asked: Asked, rehearsed: Rehearsed): Promise<Approval> {
    const { orgId, credential } = caller;
    const { minutes } = await this.rules.settings(orgId);
    return await this.database.transaction(orgId, async () => {
      const pending = await this.approvals.pendingOf(orgId, credential.principal);
      const waiting = pending.filter((one) => statusOf(one) === 'pending');
      for (const one of pending) if (!waiting.includes(one)) await this.expiry.expire(one);
      const same = waiting.find(({ fingerprint }) => fingerprint === asked.fingerprint);
      if (same) return await this.joined(same, asked.idempotencyKey);
      if (asked.idempotencyKey !== undefined) {
        await this.approvals.freeKey(orgId, credential.principal, asked.idempotencyKey);
        const taken = await this.ofKey(caller, asked.idempotencyKey, asked.fingerprint);
        if (taken) return taken;
      }
      if (waiting.length >= mostPending) throw tooManyApprovals();
      const approval = this.draft(caller, asked, rehearsed, minutes);
      if (credential.kind === 'api-key') {
        const madeBy = await this.deciders.makerOf(orgId, credential.id);
        approval.caller = { ...approval.caller, ...(madeBy && { madeBy }) };
      }
      await this.approvals.insert(approval);
      this.events.record({ ...caller, approvalId: approval.id }, approvalRequested, approval);
      await this.letters.announce(approval, asked.operation);
      return approval;
    });
  }

  private draft(caller: RequestCaller, asked: Asked, { happened, startedAt }: Rehearsed, minutes: number): Approval {
    const { operation, request, fingerprint, idempotencyKey, reason } = asked;
    const row = { orgId: caller.orgId, id: newId('approval') };
    const asOf = new Date();
    const [now, expiresAt] = [asOf.toISOString(), inFuture(minutes * 60_000, asOf)];
    return Object.assign(new Approval(), {
      ...row,
      status: 'pending' as const,
      principal: caller.credential.principal,
      fingerprint,
      idempotencyKey: idempotencyKey ?? null,
      joinedKeys: [],
      operation: operation.name,
      summary: operation.title,
      reason: reason ?? null,
      caller: snapshotOf(caller),
      requestedBy: caller.memberId,
      input: this.content.sealRequest(row, request),
      response: null,
      propertyIds: placesOf(happened),
      effectsHash: effectsHash(happened, startedAt),
      effectsTotal: happened.length,
      note: null,
      decidedBy: null,
      decidedAt: null,
      endedAt: null,
      expiresAt,
      attempts: 0,
      dueAt: expiresAt,
      version: 1,
      createdAt: now,
      updatedAt: now,
    });
  }
}

/** The properties at which something would change. */
export const placesOf = (happened: readonly Happening[]): string[] => [
  ...new Set(happened.flatMap(({ change: { propertyId } }) => propertyId ?? [])),
];
