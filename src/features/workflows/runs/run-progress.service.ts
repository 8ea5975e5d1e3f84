import { Injectable } from '@nestjs/common';
import { attemptsAfter, type Claim, inFuture } from '#jobs';
import { EventsService } from '../../../platform/events/events.service.js';
import type { Step } from '../definition.js';
import { entryOf } from './next-step.js';
import type { RunStep, WorkflowRun } from './run.entity.js';
import { runFailed, runSucceeded } from './runs.events.js';
import { RunsRepository } from './runs.repository.js';
import type { Failure, InFlight } from './step-outcome.js';
import type { Wait } from './waiting.js';

/** The maximum number of attempts of a step. */
export const tries = attemptsAfter([5_000, 30_000, 2 * 60_000, 10 * 60_000]);
const lookEveryMs = 2_000;

/** Records the progress of runs, each time in one transaction and only while the claim is valid. */
@Injectable()
export class RunProgress {
  constructor(
    private readonly runs: RunsRepository,
    private readonly events: EventsService,
  ) {}

  /** Records the attempt of a step with its input, which is the same for every attempt. */
  async begin(claim: Claim, step: Step, input?: Record<string, unknown>): Promise<RunStep | undefined> {
    let begun: RunStep | undefined;
    await this.settle(claim, async (run) => {
      const entry = entryFor(step, run);
      begun = { ...entry, input: entry.input ?? input, status: 'running', attempts: entry.attempts + 1 };
      delete begun.dueAt;
      await this.runs.update(run, { steps: noted(run, begun), dueAt: this.runs.claims.leaseEnd() });
    });
    return begun;
  }

  /** @param work the step's own work, in the same transaction, so that it commits with the record of it. */
  async finish(
    claim: Claim,
    step: Step,
    work: (run: WorkflowRun) => Promise<Record<string, unknown>> | Record<string, unknown>,
  ): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const result = await work(run);
      const { dueAt: _, error: __, ...entry } = entryFor(step, run);
      const steps = noted(run, { ...entry, status: 'succeeded', result, finishedAt: now() });
      await this.runs.update(run, { steps, dueAt: this.runs.claims.leaseEnd() });
      return true;
    });
  }

  async fail(claim: Claim, step: Step, { error, isPassing }: Failure): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const { dueAt: _, ...entry } = entryFor(step, run);
      const attempts = Math.max(entry.attempts, 1);
      const rest = isPassing ? tries.restAfter(attempts) : undefined;
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

  async wait(claim: Claim, step: Step, { dueAt, ...waits }: Wait): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const steps = noted(run, { ...entryFor(step, run), status: 'waiting', dueAt });
      await this.runs.update(run, { steps, status: 'waiting', dueAt, ...waits });
      return false;
    });
  }

  /** The work that the step started is not done yet; it is checked again. */
  async follow(claim: Claim, step: Step, { result }: InFlight): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const dueAt = inFuture(lookEveryMs);
      const steps = noted(run, { ...entryFor(step, run), status: 'waiting', result, dueAt });
      await this.runs.update(run, { steps, status: 'waiting', dueAt });
      return false;
    });
  }

  /** All steps are done. */
  async end(claim: Claim): Promise<boolean> {
    return await this.settle(claim, async (run) => {
      const before = await this.runs.update(run, { status: 'succeeded', dueAt: null, finishedAt: now() });
      this.events.record({ orgId: run.orgId }, runSucceeded, run, before);
      return false;
    });
  }

  /** The process is exiting, so another one continues immediately. */
  async leave(claim: Claim): Promise<void> {
    await this.settle(claim, async (run) => {
      await this.runs.update(run, { status: 'queued', dueAt: now() });
    });
  }

  /** @returns whether the run continues immediately; it does not if it was cancelled or claimed again. */
  private async settle(claim: Claim, change: (run: WorkflowRun) => Promise<unknown>): Promise<boolean> {
    return (await this.runs.settle(claim, change)) === true;
  }
}

/** The timeline entry of a step, existing or new. */
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
