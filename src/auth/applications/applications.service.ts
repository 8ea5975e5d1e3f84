import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion, may } from '#access';
import { forbidden, notFound } from '#errors';
import type { Page } from '#operations';
import { EventsService } from '../../platform/events/events.service.js';
import { MembersRepository } from '../../tenancy/members/members.repository.js';
import { refuseBeyondLimit } from '../../tenancy/properties/property-limit.js';
import type { Grant } from './grant.entity.js';
import type { AdmissionFollower, ChangedOrganization } from '../../tenancy/followers/followers.js';
import type { ListApplications } from './application.dto.js';
import { ApiKeyEndings } from '../api-keys/api-key-endings.service.js';
import { applicationRevoked } from './applications.events.js';
import { ApplicationsRepository } from './applications.repository.js';

/** Sees and ends the approvals of everyone in the organization. */
const everyones = 'applications:manage';

/** The applications connected to an organization: a member's own, and for administrators all of them. */
@Injectable()
export class ApplicationsService implements AdmissionFollower {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly members: MembersRepository,
    private readonly events: EventsService,
    private readonly keys: ApiKeyEndings,
  ) {}

  /** A machine has no approvals of its own. @throws authorization_error for other people's without the permission. */
  async list(caller: Caller, input: ListApplications): Promise<Page<Grant>> {
    if (input.of === 'organization') {
      if (!may(caller, everyones)) throw forbidden(`Missing permission ${everyones} for other members' approvals.`);
      return await this.applications.listLive(caller.orgId, undefined, input);
    }
    return await this.applications.listLive(caller.orgId, caller.userId ?? nobody, input);
  }

  /** A caller who may not see other people's approvals sees only their own. */
  async revoke(caller: Caller, applicationId: string): Promise<Grant> {
    const grant = await this.applications.findForChange(caller.orgId, applicationId);
    if (!grant || (grant.userId !== caller.userId && !may(caller, everyones)))
      throw notFound('application', 'Pass an application id (grant_…) from listApplications.');
    await this.refuseUnlessWithin(caller, grant);
    expectVersion(caller, grant);
    if (grant.revokedAt) return grant;
    const before = await this.applications.update(grant, revokedNow());
    this.events.record(caller, applicationRevoked, grant, before);
    await this.keys.revokeMadeThrough(caller, grant.id);
    return grant;
  }

  /**
   * An application sees the properties that its person sees, and a person's own approvals are always within their
   * limit.
   */
  private async refuseUnlessWithin(caller: Caller, { orgId, userId }: Grant): Promise<void> {
    const member = await this.members.findByUser(orgId, userId);
    refuseBeyondLimit(caller, member?.propertyIds ?? null);
  }

  async endForbidden(caller: Caller, { id, allowedClientIds }: ChangedOrganization): Promise<void> {
    const forbiddenOnes = await this.applications.listSelfRegisteredForChange(id, allowedClientIds);
    for (const { before, after } of await this.applications.updateAll(forbiddenOnes, revokedNow())) {
      this.events.record(caller, applicationRevoked, after, before);
      await this.keys.revokeMadeThrough(caller, after.id);
    }
  }
}

const revokedNow = (): Partial<Grant> => ({ revokedAt: new Date().toISOString(), revokedBecause: 'revoked' });

const nobody = `user_${'0'.repeat(32)}`;
