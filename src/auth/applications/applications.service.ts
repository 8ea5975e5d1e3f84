import { Injectable } from '@nestjs/common';
import { type Caller, expectVersion, may } from '#access';
import { forbidden, notFound } from '#errors';
import type { Page } from '#operations';
import { EventsService } from '../../events/events.service.js';
import type { Grant } from '../oauth/grant.entity.js';
import type { ListApplications } from './application.dto.js';
import { applicationRevoked } from './applications.events.js';
import { ApplicationsRepository } from './applications.repository.js';

/** Sees and ends the approvals of everyone in the organization. */
const everyones = 'applications:manage';

/** The applications connected to an organization: a member's own, and for administrators all of them. */
@Injectable()
export class ApplicationsService {
  constructor(
    private readonly applications: ApplicationsRepository,
    private readonly events: EventsService,
  ) {}

  /** A machine has no approvals of its own. @throws authorization_error for others' without the permission. */
  async list(caller: Caller, input: ListApplications): Promise<Page<Grant>> {
    if (input.of === 'organization') {
      if (!may(caller, everyones)) throw forbidden(`Missing permission ${everyones} for other members' approvals.`);
      return await this.applications.listLive(caller.orgId, undefined, input);
    }
    return await this.applications.listLive(caller.orgId, caller.userId ?? nobody, input);
  }

  /** Whoever may not see others' approvals is told of none. */
  async revoke(caller: Caller, applicationId: string): Promise<Grant> {
    const grant = await this.applications.findForChange(caller.orgId, applicationId);
    if (!grant || (grant.userId !== caller.userId && !may(caller, everyones))) throw notFound('application');
    expectVersion(caller, grant);
    if (grant.revokedAt) return grant;
    await this.applications.update(grant, { revokedAt: new Date().toISOString(), revokedBecause: 'revoked' });
    this.events.record(caller, applicationRevoked, grant);
    return grant;
  }
}

const nobody = `user_${'0'.repeat(32)}`;
