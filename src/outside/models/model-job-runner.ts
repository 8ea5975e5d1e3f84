import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '#access';
import { ServiceError } from '#errors';
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
import { isWithinReach } from '#operations';
import { EventsService } from '../../platform/events/events.service.js';
import { StandingCallers } from '../../tenancy/members/standing-callers.js';
import { callerFrom } from '../../platform/callers/caller-snapshot.js';
import { DraftRefused, Drafting, ModelFailed } from './drafting.js';
import { type JobKind, ModelJobKinds } from './job-kind.js';
import { LanguageModel } from './language-model.js';
import type { ModelJobError } from './model-job.dto.js';
import type { ModelJob } from './model-job.entity.js';
import { ModelJobsRepository } from './model-jobs.repository.js';
import { asJobError, draftRefused, mayNoLonger, modelOutOfReach, modelRefuses, unforeseen } from './models.errors.js';
import { modelJobFailed, modelJobSucceeded } from './models.events.js';

/**
 * The number of jobs that run at the same time in one process. Jobs in progress when it exits are abandoned, and
 * another process starts them again.
 */
const lane: Lane = { name: 'model-jobs', concurrency: 8, drainMs: 3_000 };
const attempts = attemptsAfter([2_000, 10_000, 30_000, 60_000]);
/** The longest wait, even if a model asks for a longer one. */
const longestRestMs = 5 * 60_000;

/**
 * Runs jobs. The rows are the source of truth: the result of an attempt whose claim is no longer valid is dropped, so
 * each job is done once even if a process dies. No transaction is open while the model works.
 */
@Injectable()
export class ModelJobRunner implements ClaimedWork {
  readonly lane = lane;
  readonly claims: ClaimedTable;
  private readonly log = new Logger(ModelJobRunner.name);

  constructor(
    private readonly jobs: ModelJobsRepository,
    private readonly kinds: ModelJobKinds,
    private readonly model: LanguageModel,
    private readonly events: EventsService,
    private readonly callers: StandingCallers,
    queue: Jobs,
  ) {
    this.claims = jobs.claims;
    queue.take(claiming(this));
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<void> {
    const job = await this.jobs.ofClaim(claim);
    if (!job) return;
    try {
      await this.work(claim, job, signal);
    } catch (error) {
      if (signal.aborted) await this.giveUp(claim, job);
      else await this.fail(claim, job, error);
    }
  }

  private async work(claim: Claim, job: ModelJob, signal: AbortSignal): Promise<void> {
    const kind = this.kinds.find(job.operation);
    if (!kind) throw new Error(`No feature drafts ${job.operation}`);
    if (job.attempts > attempts.most) throw new Error('Every process that ran the job ended before it was done');
    const draft = await kind.make(
      await this.callerOf(job, kind),
      job.input,
      new Drafting(this.model, signal, job.usage),
    );
    signal.throwIfAborted();
    await this.jobs.settle(claim, async (current) => {
      // Minutes may have passed, and the requester may have lost the permission to save.
      const caller = await this.callerOf(current, kind);
      const result = await kind.save(caller, job.input, draft);
      const before = await this.jobs.update(current, { status: 'succeeded', result, usage: job.usage, ...endedNow() });
      this.events.record(caller, modelJobSucceeded, current, before);
    });
  }

  /** @throws authorization_error if the requester may no longer do so. */
  private async callerOf({ orgId, caller, propertyId }: ModelJob, { operation }: JobKind): Promise<Caller> {
    const asked = callerFrom(orgId, caller);
    const now = operation.scope
      ? await this.callers.permitted(asked, operation.scope, propertyId)
      : await this.callers.now(asked);
    if (!now || !isWithinReach(now, operation)) throw mayNoLonger();
    return now;
  }

  /** The process is exiting, so another one starts the job again. Cancelled jobs are not changed. */
  private giveUp(claim: Claim, job: ModelJob): Promise<void> {
    const again = { status: 'queued' as const, dueAt: inFuture(0), attempts: job.attempts - 1, usage: job.usage };
    return this.jobs.settle(claim, async (current) => {
      await this.jobs.update(current, again);
    });
  }

  private async fail(claim: Claim, job: ModelJob, thrown: unknown): Promise<void> {
    const { usage } = job;
    const error = failureOf(thrown, job.attempts >= attempts.most);
    if (!isForeseen(thrown)) this.log.error({ err: thrown as Error, ...claim }, 'A model job failed');
    if (thrown instanceof ModelFailed) this.log.warn({ said: thrown.message, ...claim }, 'The model did not respond');
    await this.jobs.settle(claim, async (current) => {
      if (!error) {
        const dueAt = inFuture(restAfter(thrown, job.attempts));
        await this.jobs.update(current, { status: 'queued', dueAt, usage });
        return;
      }
      const caller = callerFrom(job.orgId, job.caller);
      await this.kinds.find(job.operation)?.abandon?.(caller, job.input, error);
      const before = await this.jobs.update(current, { status: 'failed', error, usage, ...endedNow() });
      this.events.record(caller, modelJobFailed, current, before);
    });
  }
}

const endedNow = () => ({ dueAt: null, finishedAt: new Date().toISOString() });

const restAfter = (thrown: unknown, made: number): number => {
  const asked = thrown instanceof ModelFailed ? (thrown.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.min(Math.max(asked, attempts.restAfter(made) ?? 0), longestRestMs);
};

const isForeseen = (thrown: unknown): boolean =>
  thrown instanceof DraftRefused || thrown instanceof ModelFailed || thrown instanceof ServiceError;

/** The error that ends the job; undefined if a later attempt may succeed. */
function failureOf(thrown: unknown, isLast: boolean): ModelJobError | undefined {
  if (thrown instanceof DraftRefused) return draftRefused(thrown.issues);
  if (thrown instanceof ModelFailed && !thrown.isPassing) return modelRefuses;
  if (thrown instanceof ServiceError && thrown.status !== 503) return asJobError(thrown);
  if (!isLast) return undefined;
  return thrown instanceof ModelFailed ? modelOutOfReach : unforeseen;
}
