import { Controller } from '@nestjs/common';
import type { RequestCaller } from '#access';
import { burstOf } from '#limits';
import { Handles } from '#operations';
import { getMe } from './me.operations.js';
import type { MeView } from './me.dto.js';
import { MembersRepository } from './members.repository.js';
import { OrganizationsRepository } from '../organizations/organizations.repository.js';

@Controller()
export class MeController {
  constructor(
    private readonly organizations: OrganizationsRepository,
    private readonly members: MembersRepository,
  ) {}

  @Handles(getMe) async me(caller: RequestCaller): Promise<MeView> {
    const [organization, member] = await Promise.all([
      this.organizations.get(caller.orgId),
      this.members.find(caller.orgId, caller.memberId),
    ]);
    if (!member) throw new Error(`The member ${caller.memberId} is gone`);
    const { credential } = caller;
    const kind = credential.kind === 'oauth' ? 'oauth' : 'api-key';
    const lacking = [...credential.scopes].filter((scope) => !caller.permissions.has(scope));
    return {
      credential: kind,
      organization,
      member,
      region: organization.region,
      scopes: [...credential.scopes].sort(),
      permissions: [...caller.permissions].sort(),
      propertyIds: caller.propertyIds && [...caller.propertyIds],
      rateLimit: { perMinute: credential.ratePerMinute, perSecond: burstOf(credential.ratePerMinute) },
      hiddenBecause: whyHidden(kind, lacking),
    };
  }
}

function whyHidden(kind: 'api-key' | 'oauth', lacking: string[]): string | null {
  if (kind === 'api-key') return 'Tools that need a scope which this key does not have are not listed.';
  if (lacking.length === 0) return null;
  return `Your role does not permit ${lacking.join(', ')}; tools that need it are not listed.`;
}
