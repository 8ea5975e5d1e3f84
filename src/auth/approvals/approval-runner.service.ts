import { Injectable, Logger } from '@nestjs/common';
import { type Answer, errorAnswer, isPassing, ServiceError } from '#errors';
import {
  attemptsAfter,
  type Claim,
  type ClaimedTable,
  type ClaimedWork,
  claiming,
  inFuture,
  Jobs,
  type Lane,
} from '#jobs';
import { hasOwnTransactions } from '#operations';
import { EventsService } from '../../platform/events/events.service.js';
import type { Approval } from './approval.entity.js';
import { placesOf, type Rehearsed } from './approval-requests.service.js';
import { statusOf } from './approval-shown.js';
import { gaveUp } from './approvals.errors.js';
import { ApprovalsRepository } from './approvals.repository.js';
import { effectsHash } from './effects-hash.js';
import { endedNow } from './endings.js';
import { Expiry } from './expiry.service.js';
import { HeldRequests } from './held-requests.service.js';
import { KnownOperations } from './known-operations.js';
import { SealedContent } from './sealed-content.js';

const lane: Lane = { name: 'approvals', concurrency: 8, drainMs: 15_000 };
const attempts = attemptsAfter([1_000, 5_000, 20_000, 60_000]);

/** What would change is no longer what the person saw. */
class EffectsChanged extends Error {
  constructor(readonly rehearsed: Rehearsed) {
    super('The changes differ from those that were approved');
  }
}

/** The service could not do it now. */
class NotNow extends Error {}

/**
 * Carries out what was approved, once: the row says so in the transaction of the write. Where the operation calls
 * another system, its idempotency record does, so that a crash leads to the same answer. It also ends what expired, and
 * removes the content of what ended a day ago.
 */
@Injectable()
export class ApprovalRunner implements ClaimedWork {
  readonly lane = lane;
  readonly claims: ClaimedTable;
  private readonly log = new Logger(ApprovalRunner.name);

  constructor(
    private readonly approvals: ApprovalsRepository,
    private readonly operations: KnownOperations,
    private readonly requests: HeldRequests,
    private readonly content: SealedContent,
    private readonly expiry: Expiry,
    private readonly events: EventsService,
    jobs: Jobs,
  ) {
    this.claims = approvals.claims;
    jobs.take(claiming(this));
  }

  async perform(claim: Claim): Promise<void> {
    const approval = await this.approvals.ofClaim(claim);
    if (!approval) return;
    if (approval.status === 'approved') await this.carryOut(claim, approval);
    else await this.approvals.settle(claim, (current) => this.endOrForget(current));
  }

  private async endOrForget(approval: Approval): Promise<void> {
    if (statusOf(approval) === 'expired' && approval.endedAt === null) await this.expiry.expire(approval);
    else if (approval.endedAt === null) await this.approvals.update(approval, { dueAt: approval.expiresAt });
    else await this.approvals.update(approval, { dueAt: null, input: null, response: null });
  }

  private async carryOut(claim: Claim, approval: Approval): Promise<void> {
    try {
      const operation = this.operations.find(approval.operation);
      await (operation && hasOwnTransactions(operation) ? this.sendOut(claim, approval) : this.sendOnce(claim));
    } catch (error) {
      if (error instanceof EffectsChanged) await this.askAgain(claim, error.rehearsed);
      else await this.fail(claim, approval, error);
    }
  }

  /** The write, the comparison and the end of the approval are one transaction. */
  private sendOnce(claim: Claim): Promise<void> {
    return this.approvals.settle(claim, async (approval) => {
      const startedAt = Date.now();
      const { result: answer, happened } = await this.events.collect(() => this.requests.send(approval));
      const isReplay = 'Idempotent-Replayed' in answer.headers;
      if (!isReplay && answer.code === undefined) refuseOther(approval, { happened, startedAt });
      await this.end(approval, answer);
    });
  }

  /** Nothing undoes a call or a slice, so the effects are compared before it, unless an earlier attempt has started. */
  private async sendOut(claim: Claim, approval: Approval): Promise<void> {
    if (!(await this.approvals.hasBegun(approval))) {
      const rehearsed = await this.requests.rehearse(approval);
      if ('happened' in rehearsed) refuseOther(approval, rehearsed);
    }
    const answer = await this.requests.send(approval);
    await this.approvals.settle(claim, (current) => this.end(current, answer));
  }

  private async end(approval: Approval, answer: Answer): Promise<void> {
    if (isPassing(answer)) throw new NotNow();
    await this.approvals.update(approval, {
      status: answer.code === undefined ? 'done' : 'failed',
      response: this.content.sealAnswer(approval, answer),
      ...endedNow(),
    });
  }

  private askAgain(claim: Claim, { happened, startedAt }: Rehearsed): Promise<void> {
    return this.approvals.settle(claim, async (approval) => {
      const changes = {
        effectsHash: effectsHash(happened, startedAt),
        effectsTotal: happened.length,
        propertyIds: placesOf(happened),
      };
      await this.approvals.update(approval, { status: 'pending', dueAt: approval.expiresAt, ...changes });
    });
  }

  /** What a later attempt may avoid is tried again; everything else is the response. */
  private async fail(claim: Claim, approval: Approval, thrown: unknown): Promise<void> {
    const isFinal = thrown instanceof ServiceError && thrown.deterministic;
    const restMs = isFinal ? undefined : attempts.restAfter(approval.attempts);
    if (!isFinal) this.log.error({ err: thrown as Error, ...claim }, 'An approved request was not carried out');
    const method = approval.operation;
    await this.approvals.settle(claim, async (current) => {
      if (restMs !== undefined) await this.approvals.update(current, { dueAt: inFuture(restMs) });
      else
        await this.approvals.update(current, {
          status: 'failed',
          response: this.content.sealAnswer(
            current,
            errorAnswer(isFinal ? thrown : gaveUp(), current.caller.requestId, { service: 'approvals', method }),
          ),
          ...endedNow(),
        });
    });
  }
}

function refuseOther({ effectsHash: approved }: Approval, rehearsed: Rehearsed): void {
  if (effectsHash(rehearsed.happened, rehearsed.startedAt) !== approved) throw new EffectsChanged(rehearsed);
}
