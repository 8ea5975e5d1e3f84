import { Injectable } from '@nestjs/common';
import { type Claim, type ClaimedTable, type ClaimedWork, claiming, Jobs, type Lane } from '#jobs';
import { RunProgress } from './run-progress.service.js';
import { RunSteps } from './run-steps.service.js';
import { RunsRepository } from './runs.repository.js';

/** Steps may call devices and other systems, which takes time. */
const lane: Lane = { name: 'workflow-runs', concurrency: 16, drainMs: 20_000 };

/** Performs runs, step by step. The rows record the progress of each, so another process continues if one dies. */
@Injectable()
export class RunWorker implements ClaimedWork {
  readonly lane = lane;
  readonly claims: ClaimedTable;

  constructor(
    { claims }: RunsRepository,
    private readonly steps: RunSteps,
    private readonly progress: RunProgress,
    jobs: Jobs,
  ) {
    this.claims = claims;
    jobs.take(claiming(this));
  }

  async perform(claim: Claim, signal: AbortSignal): Promise<void> {
    let goesOn = true;
    while (goesOn && !signal.aborted) goesOn = await this.steps.advance(claim);
    if (goesOn) await this.progress.leave(claim);
  }
}
