import { Injectable } from '@nestjs/common';
import { Jobs, type Lane, type Work } from '#jobs';
import { TenantDatabase } from '#persistence';
import { WakeUps } from '../../platform/events/wake-ups.js';
import { leaseMs, RunProgress } from '../../features/workflows/runs/run-progress.service.js';
import { RunSteps } from '../../features/workflows/runs/run-steps.service.js';
import { type DueRun, RunsRepository } from '../../features/workflows/runs/runs.repository.js';

/** Steps may call devices and other systems. */
const lane: Lane = { name: 'workflow-runs', concurrency: 16, drainMs: 20_000 };

/** Performs runs, step by step. The rows say how far each is, so another process goes on where one has died. */
@Injectable()
export class RunWorker implements Work<DueRun> {
  readonly name = 'workflow-runs';
  readonly lane = lane;
  readonly everyMs = 1_000;

  constructor(
    private readonly runs: RunsRepository,
    private readonly steps: RunSteps,
    private readonly progress: RunProgress,
    private readonly database: TenantDatabase,
    wakeUps: WakeUps,
    jobs: Jobs,
  ) {
    wakeUps.listen(jobs.take(this));
  }

  due(now: string): Promise<DueRun[]> {
    return this.runs.due(now);
  }

  async perform(due: DueRun, signal: AbortSignal): Promise<void> {
    const now = Date.now();
    const claim = await this.database.transaction(due.orgId, () =>
      this.runs.claim(due, new Date(now).toISOString(), new Date(now + leaseMs).toISOString()),
    );
    if (!claim) return;
    let goesOn = true;
    while (goesOn && !signal.aborted) goesOn = await this.steps.advance(claim);
    if (goesOn) await this.progress.leave(claim);
  }
}
