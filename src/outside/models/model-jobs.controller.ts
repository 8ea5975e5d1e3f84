import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListModelJobs, ThisModelJob } from './model-job.dto.js';
import { cancelModelJob, getModelJob, listModelJobs } from './model-jobs.operations.js';
import { ModelJobsService } from './model-jobs.service.js';

@Controller()
export class ModelJobsController {
  constructor(private readonly jobs: ModelJobsService) {}

  @Handles(listModelJobs) list(caller: Caller, input: ListModelJobs) {
    return this.jobs.list(caller, input);
  }

  @Handles(getModelJob) get(caller: Caller, input: ThisModelJob) {
    return this.jobs.get(caller, input);
  }

  @Handles(cancelModelJob) cancel(caller: Caller, input: ThisModelJob) {
    return this.jobs.cancel(caller, input);
  }
}
