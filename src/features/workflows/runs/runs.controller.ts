import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListWorkflowRuns, ThisWorkflowRun } from './run.dto.js';
import { cancelWorkflowRun, getWorkflowRun, listWorkflowRuns, retryWorkflowRun } from './runs.operations.js';
import { RunsService } from './runs.service.js';

@Controller()
export class WorkflowRunsController {
  constructor(private readonly runs: RunsService) {}

  @Handles(listWorkflowRuns) list(caller: Caller, input: ListWorkflowRuns) {
    return this.runs.list(caller, input);
  }

  @Handles(getWorkflowRun) get(caller: Caller, input: ThisWorkflowRun) {
    return this.runs.get(caller, input);
  }

  @Handles(retryWorkflowRun) retry(caller: Caller, input: ThisWorkflowRun) {
    return this.runs.retry(caller, input);
  }

  @Handles(cancelWorkflowRun) cancel(caller: Caller, input: ThisWorkflowRun) {
    return this.runs.cancel(caller, input);
  }
}
