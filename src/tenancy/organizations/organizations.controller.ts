import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { UpdateOrganization } from './organization.dto.js';
import { getOrganization, updateOrganization } from './organizations.operations.js';
import { OrganizationsService } from './organizations.service.js';

@Controller()
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Handles(getOrganization) get(caller: Caller) {
    return this.organizations.show(caller);
  }

  @Handles(updateOrganization) update(caller: Caller, input: UpdateOrganization) {
    return this.organizations.update(caller, input);
  }
}
