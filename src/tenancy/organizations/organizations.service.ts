import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion } from '#access';
import { EventsService } from '../../platform/events/events.service.js';
import { canonicalLocales } from '#locales';
import { Followers } from '../followers/followers.js';
import type { OperatorSettings, OrganizationView, UpdateOrganization } from './organization.dto.js';
import type { Organization } from './organization.entity.js';
import { organizationUpdated } from './organizations.events.js';
import { OrganizationsRepository } from './organizations.repository.js';
import { Quotas } from '../quotas/quotas.service.js';
import type { QuotaLimits } from '../quotas/quotas.js';

@Injectable()
export class OrganizationsService {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly events: EventsService,
    private readonly followers: Followers,
    private readonly quotas: Quotas,
  ) {}

  get(caller: Caller): Promise<Organization> {
    return this.organizations.get(caller.orgId);
  }

  /** The organization with the usage of its quotas. */
  async show(caller: Caller): Promise<OrganizationView> {
    return await this.withQuotas(await this.get(caller));
  }

  /** @param quotaLimits an operator's; those that it does not name stay as they are. */
  async update(
    caller: Caller,
    { locales, ...input }: UpdateOrganization & OperatorSettings,
    quotaLimits: QuotaLimits = {},
  ): Promise<OrganizationView> {
    const organization = await this.organizations.getForChange(caller.orgId);
    expectVersion(caller, organization);
    const changes = {
      ...input,
      ...(locales && { locales: canonicalLocales(locales) }),
      quotaLimits: { ...organization.quotaLimits, ...quotaLimits },
    };
    const before = await this.organizations.update(organization, changes);
    this.events.record(caller, organizationUpdated, organization, before);
    if (organization.selfRegisteredApplications === 'forbidden')
      await this.followers.applicationsForbidden(caller, organization);
    return await this.withQuotas(organization);
  }

  private async withQuotas(organization: Organization): Promise<OrganizationView> {
    return Object.assign(organization, { quotas: await this.quotas.of(organization.id) });
  }
}
