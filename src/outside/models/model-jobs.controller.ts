import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListModelJobs, ThisModelJob } from '../../models/model-job.dto.js';
import { cancelModelJob, getModelJob, listModelJobs } from './model-jobs.operations.js';
import { ModelJobsService } from './model-jobs.service.js';

@Controller()
export class ModelJobsController {
  constructor(private readonly jobs: ModelJobsService) {}

  @Handles(listModelJobs) list(input: ListModelJobs, caller: Caller) {
    return this.jobs.list(caller, input);
  }

  @Handles(getModelJob) get(input: ThisModelJob, caller: Caller) {
    return this.jobs.get(caller, input);
  }

  @Handles(cancelModelJob) cancel(input: ThisModelJob, caller: Caller) {
    return this.jobs.cancel(caller, input);
  }
}
