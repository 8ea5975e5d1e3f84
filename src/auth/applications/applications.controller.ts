import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { ListApplications, ThisApplication } from './application.dto.js';
import { listApplications, revokeApplication } from './applications.operations.js';
import { ApplicationsService } from './applications.service.js';

@Controller()
export class ApplicationsController {
  constructor(private readonly applications: ApplicationsService) {}

  @Handles(listApplications) list(caller: Caller, input: ListApplications) {
    return this.applications.list(caller, input);
  }

  @Handles(revokeApplication) revoke(caller: Caller, { applicationId }: ThisApplication) {
    return this.applications.revoke(caller, applicationId);
  }
}
