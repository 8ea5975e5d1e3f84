import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { EventsService } from '../events/events.service.js';
import { Admissions } from './admissions.js';
import { canonicalLocales } from './locales.js';
import type { OperatorSettings, UpdateOrganization } from './organization.dto.js';
import type { Organization } from './organization.entity.js';
import { organizationUpdated } from './organizations.events.js';
import { OrganizationsRepository } from './organizations.repository.js';

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly events: EventsService,
    private readonly admissions: Admissions,
  ) {}

  get(caller: Caller): Promise<Organization> {
    return this.organizations.get(caller.orgId);
  }

  async update(caller: Caller, { locales, ...input }: UpdateOrganization & OperatorSettings): Promise<Organization> {
    const organization = await this.organizations.getForChange(caller.orgId);
    expectVersion(caller, organization);
    const changes = { ...input, ...(locales && { locales: canonicalLocales(locales) }) };
    await this.organizations.update(organization, changes);
    this.events.record(caller, organizationUpdated, organization);
    if (organization.selfRegisteredApplications === 'forbidden') await this.admissions.tell(caller, organization);
    return organization;
  }
}
