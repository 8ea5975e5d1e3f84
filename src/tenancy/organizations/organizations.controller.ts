import { Controller } from '@nestjs/common';
import type { Caller } from '#access';
import { Handles } from '#operations';
import type { NoInput } from '../../organizations/me.dto.js';
import type { UpdateOrganization } from '../../organizations/organization.dto.js';
import { getOrganization, updateOrganization } from './organizations.operations.js';
import { OrganizationsService } from './organizations.service.js';

@Controller()
export class OrganizationsController {
  constructor(private readonly organizations: OrganizationsService) {}

  @Handles(getOrganization) get(_: NoInput, caller: Caller) {
    return this.organizations.show(caller);
  }

  @Handles(updateOrganization) update(input: UpdateOrganization, caller: Caller) {
    return this.organizations.update(caller, input);
  }
}
