import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion, may } from '#access';
import { forbidden, notFound } from '#errors';
import type { Page } from '#operations';
import { EventsService } from '../../platform/events/events.service.js';
import { MembersRepository } from '../../tenancy/members/members.repository.js';
import { refuseBeyondLimit } from '../../tenancy/properties/property-limit.js';
import type { Grant } from './grant.entity.js';
import type { AdmissionFollower, ChangedOrganization } from '../../tenancy/followers/followers.js';
import type { ApplicationView, ListApplications } from './application.dto.js';
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
  async list(caller: Caller, input: ListApplications): Promise<Page<ApplicationView>> {
    const isEveryones = input.of === 'organization';
    if (isEveryones && !may(caller, everyones))
      throw forbidden(`Missing permission ${everyones} for other members' approvals.`);
    const owner = isEveryones ? undefined : (caller.userId ?? nobody);
    const { items, ...page } = await this.applications.listLive(caller.orgId, owner, input);
    return { ...page, items: await this.withMembers(caller, items) };
  }

  /** A caller who may not see other people's approvals sees only their own. */
  async revoke(caller: Caller, applicationId: string): Promise<ApplicationView> {
    const grant = await this.applications.findForChange(caller.orgId, applicationId);
    if (!grant || (grant.userId !== caller.userId && !may(caller, everyones)))
      throw notFound('application', 'Pass an application id (grant_…) from listApplications.');
    await this.refuseUnlessWithin(caller, grant);
    expectVersion(caller, grant);
    if (!grant.revokedAt) {
      const before = await this.applications.update(grant, revokedNow());
      this.events.record(caller, applicationRevoked, grant, before);
      await this.keys.revokeMadeThrough(caller, grant.id);
    }
    const [shown] = await this.withMembers(caller, [grant]);
    return shown as ApplicationView;
  }

  /** The approvals with the members that their people are. */
  private async withMembers({ orgId }: Caller, grants: readonly Grant[]): Promise<ApplicationView[]> {
    const members = await this.members.findByUsers(
      orgId,
      grants.map(({ userId }) => userId),
    );
    const ids = new Map(members.map(({ userId, id }) => [userId, id]));
    return grants.map((grant) => Object.assign(grant, { memberId: ids.get(grant.userId) ?? null }));
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
