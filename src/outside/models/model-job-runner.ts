import { Injectable, Logger } from '@nestjs/common';
import type { Caller } from '#access';
import { ServiceError } from '#errors';
import { Jobs, type Lane, type Work } from '#jobs';
import { isWithinReach } from '#operations';
import { TenantDatabase } from '#persistence';
import { EventsService } from '../../platform/events/events.service.js';
import { StandingCallers } from '../../tenancy/members/standing-callers.js';
import { callerFrom } from './caller-snapshot.js';
import { DraftRefused, Drafting, ModelFailed } from './drafting.js';
import { type JobKind, ModelJobKinds } from './job-kind.js';
import { LanguageModel } from './language-model.js';
import type { ModelJobError } from '../../models/model-job.dto.js';
import type { ModelJob } from './model-job.entity.js';
import { type Attempt, type DueModelJob, ModelJobsRepository } from './model-jobs.repository.js';
import { asJobError, draftRefused, mayNoLonger, modelOutOfReach, modelRefuses, unforeseen } from './models.errors.js';
import { modelJobFailed, modelJobSucceeded } from './models.events.js';

/** So many at once in one process; what is under way when it ends is given up, and begun anew by another. */
const lane: Lane = { name: 'model-jobs', concurrency: 8, drainMs: 3_000 };
/** A job whose lease is over belongs to a process that is gone: the lease is prolonged while the job runs. */
const leaseMs = 10_000;
const prolongEveryMs = 2_000;
/** How long each attempt waits after the one before. */
const restsMs = [2_000, 10_000, 30_000, 60_000];
const mostAttempts = restsMs.length + 1;
/** However long a model asks us to wait. */
const longestRestMs = 5 * 60_000;

/**
 * Runs jobs. The rows are the truth: an attempt is a number in the row, and what an attempt brings that does not count
 * any more is dropped, so each job is done once, whichever process dies. No transaction is open while the model works.
 */
@Injectable()
export class ModelJobRunner implements Work<DueModelJob> {
  readonly name = lane.name;
  readonly lane = lane;
  /** What other processes commit, and what is to be tried again, is looked for so often. */
  readonly everyMs = 500;
  /** Something may be due now. */
  readonly wake: () => void;
  private readonly log = new Logger(ModelJobRunner.name);
  private readonly running = new Set<{ jobId: string; stop: AbortController }>();

  constructor(
    private readonly jobs: ModelJobsRepository,
    private readonly kinds: ModelJobKinds,
    private readonly model: LanguageModel,
    private readonly events: EventsService,
    private readonly database: TenantDatabase,
    private readonly callers: StandingCallers,
    queue: Jobs,
  ) {
    this.wake = queue.take(this);
  }

  due(now: string): Promise<DueModelJob[]> {
    return this.jobs.due(now);
  }

  async perform(due: DueModelJob, ending: AbortSignal): Promise<void> {
    const job = await this.jobs.begin(due, new Date().toISOString(), inFuture(leaseMs));
    if (!job) return;
    const attempt = { ...due, number: job.attempts };
    const stop = new AbortController();
    const one = { jobId: job.id, stop };
    this.running.add(one);
    const prolonging = setInterval(() => void this.prolong(attempt, stop), prolongEveryMs);
    const signal = AbortSignal.any([stop.signal, ending]);
    try {
      await this.work(attempt, job, signal);
    } catch (error) {
      if (signal.aborted) await this.giveUp(attempt, job);
      else await this.fail(attempt, job, error);
    } finally {
      clearInterval(prolonging);
      this.running.delete(one);
    }
  }

  /** The job was cancelled; another process that runs it notices when it prolongs its lease. */
  abort(jobId: string): void {
    for (const one of this.running) if (one.jobId === jobId) one.stop.abort();
  }

  private async prolong(attempt: Attempt, stop: AbortController): Promise<void> {
    // A database that is out of reach for a moment says nothing about the attempt.
    const counts = await this.jobs.prolong(attempt, inFuture(leaseMs)).catch(() => true);
    if (!counts) stop.abort();
  }

  private async work(attempt: Attempt, job: ModelJob, signal: AbortSignal): Promise<void> {
    const kind = this.kinds.find(job.operation);
    if (!kind) throw new Error(`Nobody makes drafts for ${job.operation}`);
    if (attempt.number > mostAttempts) throw new Error('Each process that ran it has ended meanwhile');
    const draft = await kind.make(
      await this.callerOf(job, kind),
      job.input,
      new Drafting(this.model, signal, job.usage),
    );
    signal.throwIfAborted();
    await this.settle(attempt, async (current) => {
      // Minutes may have passed: who asked may have lost what saving needs.
      const caller = await this.callerOf(current, kind);
      const result = await kind.save(caller, job.input, draft);
      const before = await this.jobs.update(current, { status: 'succeeded', result, usage: job.usage, ...endedNow() });
      this.events.record(caller, modelJobSucceeded, current, before);
    });
  }

  /** @throws authorization_error where who asked may not do so any more. */
  private async callerOf({ orgId, caller, propertyId }: ModelJob, { operation }: JobKind): Promise<Caller> {
    const asked = callerFrom(orgId, caller);
    const now = operation.scope
      ? await this.callers.permitted(asked, operation.scope, propertyId)
      : await this.callers.now(asked);
    if (!now || !isWithinReach(now, operation)) throw mayNoLonger();
    return now;
  }

  /** The process ends: another one begins the job anew. What was cancelled is left as it is. */
  private giveUp(attempt: Attempt, { usage }: ModelJob): Promise<void> {
    const attempts = attempt.number - 1;
    return this.settle(attempt, async (current) => {
      await this.jobs.update(current, { status: 'queued', dueAt: inFuture(0), attempts, usage });
    });
  }

  private async fail(attempt: Attempt, job: ModelJob, thrown: unknown): Promise<void> {
    const { usage } = job;
    const error = failureOf(thrown, attempt.number >= mostAttempts);
    if (!isForeseen(thrown)) this.log.error({ err: thrown as Error, ...attempt }, 'A model job failed');
    if (thrown instanceof ModelFailed) this.log.warn({ said: thrown.message, ...attempt }, 'The model gave no answer');
    await this.settle(attempt, async (current) => {
      if (!error) {
        const dueAt = inFuture(restAfter(thrown, attempt.number));
        await this.jobs.update(current, { status: 'queued', dueAt, usage });
        return;
      }
      const caller = callerFrom(job.orgId, job.caller);
      await this.kinds.find(job.operation)?.abandon?.(caller, job.input, error);
      const before = await this.jobs.update(current, { status: 'failed', error, usage, ...endedNow() });
      this.events.record(caller, modelJobFailed, current, before);
    });
  }

  /** In one transaction with the job's row locked, as long as the attempt counts. */
  private settle(attempt: Attempt, change: (job: ModelJob) => Promise<void>): Promise<void> {
    return this.database.transaction(attempt.orgId, async () => {
      const job = await this.jobs.ofAttempt(attempt, 'for no key update');
      if (job) await change(job);
    });
  }
}

const inFuture = (ms: number): string => new Date(Date.now() + ms).toISOString();

const endedNow = () => ({ dueAt: null, finishedAt: new Date().toISOString() });

const restAfter = (thrown: unknown, attempts: number): number => {
  const asked = thrown instanceof ModelFailed ? (thrown.retryAfterSeconds ?? 0) * 1_000 : 0;
  return Math.min(Math.max(asked, restsMs[attempts - 1] ?? 0), longestRestMs);
};

const isForeseen = (thrown: unknown): boolean =>
  thrown instanceof DraftRefused || thrown instanceof ModelFailed || thrown instanceof ServiceError;

/** What ends the job; undefined where a later attempt may succeed. */
function failureOf(thrown: unknown, isLast: boolean): ModelJobError | undefined {
  if (thrown instanceof DraftRefused) return draftRefused(thrown.issues);
  if (thrown instanceof ModelFailed && !thrown.isPassing) return modelRefuses;
  if (thrown instanceof ServiceError && thrown.status !== 503) return asJobError(thrown);
  if (!isLast) return undefined;
  return thrown instanceof ModelFailed ? modelOutOfReach : unforeseen;
}
