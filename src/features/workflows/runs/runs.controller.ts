import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListWorkflowRuns, ThisWorkflowRun } from '../../../workflows/runs/run.dto.js';
import { cancelWorkflowRun, getWorkflowRun, listWorkflowRuns, retryWorkflowRun } from './runs.operations.js';
import { RunsService } from './runs.service.js';

@Controller()
export class WorkflowRunsController {
  constructor(private readonly runs: RunsService) {}

  @Handles(listWorkflowRuns) list(input: ListWorkflowRuns, caller: Caller) {
    return this.runs.list(caller, input);
  }

  @Handles(getWorkflowRun) get(input: ThisWorkflowRun, caller: Caller) {
    return this.runs.get(caller, input);
  }

  @Handles(retryWorkflowRun) retry(input: ThisWorkflowRun, caller: Caller) {
    return this.runs.retry(caller, input);
  }

  @Handles(cancelWorkflowRun) cancel(input: ThisWorkflowRun, caller: Caller) {
    return this.runs.cancel(caller, input);
  }
}
