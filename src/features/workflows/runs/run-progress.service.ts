import { Injectable } from '@nestjs/common';
import { TenantDatabase } from '#persistence';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Step } from '../../../workflows/definition.js';
import { entryOf } from './next-step.js';
import type { RunStep, WorkflowRun } from './run.entity.js';
import { runFailed, runSucceeded } from './runs.events.js';
import { type RunClaim, RunsRepository } from './runs.repository.js';
import type { Failure, UnderWay } from './step-outcome.js';
import type { Wait } from './waiting.js';

/** Longer than any step takes, so that a lease that is over belongs to a process that is gone. */
export const leaseMs = 60_000;
/** How long each try of a step waits after the one before. */
const restsMs = [5_000, 30_000, 2 * 60_000, 10 * 60_000];
const lookEveryMs = 2_000;
export const mostAttempts = restsMs.length + 1;

/** Notes how far runs are, each time in one transaction and as long as the claim counts. */
@Injectable()
export class RunProgress {
  constructor(
    private readonly runs: RunsRepository,
    private readonly database: TenantDatabase,
    private readonly events: EventsService,
  ) {}

  /** Notes that a step is tried, and what it is given: the same at every try. */
  async begin(claim: RunClaim, step: Step, input?: Record<string, unknown>): Promise<RunStep | undefined> {
    let begun: RunStep | undefined;
    await this.settle(claim, async (run) => {
      const entry = entryFor(step, run);
      begun = { ...entry, input: entry.input ?? input, status: 'running', attempts: entry.attempts + 1 };
      delete begun.dueAt;
      await this.runs.update(run, { steps: noted(run, begun), dueAt: inFuture(leaseMs) });
    });
    return begun;
  }

  /** @param work what the step does within the same transaction, so that it commits with the note of it. */
  async finish(
    claim: RunClaim,
    step: Step,
    work: (run: WorkflowRun) => Promise<Record<string, unknown>> | Record<string, unknown>,
  ): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const result = await work(run);
      const { dueAt: _, error: __, ...entry } = entryFor(step, run);
      const steps = noted(run, { ...entry, status: 'succeeded', result, finishedAt: now() });
      await this.runs.update(run, { steps, dueAt: inFuture(leaseMs) });
      return true;
    });
  }

  async fail(claim: RunClaim, step: Step, { error, isPassing }: Failure): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const { dueAt: _, ...entry } = entryFor(step, run);
      const attempts = Math.max(entry.attempts, 1);
      const rest = isPassing ? restsMs[attempts - 1] : undefined;
      if (rest !== undefined) {
        const dueAt = inFuture(rest);
        const steps = noted(run, { ...entry, status: 'waiting', attempts, error, dueAt });
        await this.runs.update(run, { steps, status: 'waiting', dueAt });
        return false;
      }
      const steps = noted(run, { ...entry, status: 'failed', attempts, error, finishedAt: now() });
      const before = await this.runs.update(run, { steps, status: 'failed', error, dueAt: null, finishedAt: now() });
      this.events.record({ orgId: run.orgId }, runFailed, run, before);
      return false;
    });
  }

  async wait(claim: RunClaim, step: Step, { dueAt, ...waits }: Wait): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const steps = noted(run, { ...entryFor(step, run), status: 'waiting', dueAt });
      await this.runs.update(run, { steps, status: 'waiting', dueAt, ...waits });
      return false;
    });
  }

  /** What the step has begun is not done yet; it is looked at again. */
  async follow(claim: RunClaim, step: Step, { result }: UnderWay): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const dueAt = inFuture(lookEveryMs);
      const steps = noted(run, { ...entryFor(step, run), status: 'waiting', result, dueAt });
      await this.runs.update(run, { steps, status: 'waiting', dueAt });
      return false;
    });
  }

  /** All steps are done. */
  async end(claim: RunClaim): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const before = await this.runs.update(run, { status: 'succeeded', dueAt: null, finishedAt: now() });
      this.events.record({ orgId: run.orgId }, runSucceeded, run, before);
      return false;
    });
  }

  /** The process ends: another one goes on at once. */
  async leave(claim: RunClaim): Promise<void> {
    await this.settle(claim, async (run) => {
      await this.runs.update(run, { status: 'queued', dueAt: now() });
    });
  }

  /** @returns whether the run goes on at once; it does not where it was cancelled or claimed anew. */
  private settle(claim: RunClaim, change: (run: WorkflowRun) => Promise<unknown>): Promise<boolean> {
    return this.database.transaction(claim.orgId, async () => {
      const run = await this.runs.ofClaim(claim, 'for no key update');
      return run?.status === 'running' && (await change(run)) === true;
    });
  }
}

/** The line of a step, as it is or new. */
const entryFor = (step: Step, run: WorkflowRun): RunStep =>
  entryOf(step, run.steps) ?? {
    stepId: step.id,
    kind: step.kind,
    status: 'running',
    attempts: 0,
    round: 0,
    startedAt: now(),
  };

const noted = ({ steps }: WorkflowRun, entry: RunStep): RunStep[] =>
  steps.some(({ stepId }) => stepId === entry.stepId)
    ? steps.map((one) => (one.stepId === entry.stepId ? entry : one))
    : [...steps, entry];

const now = (): string => new Date().toISOString();
const inFuture = (ms: number): string => new Date(Date.now() + ms).toISOString();
