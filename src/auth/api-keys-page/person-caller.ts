import type { Caller } from '#access';
import type { Membership } from '../../tenancy/members/memberships.repository.js';

interface Person {
  userId: string;
  hasSecondFactor: boolean;
  requestId: string;
  logId: string;
}

/** A person at the account pages, acting as their member with what the role permits just now. */
export function personCaller(membership: Membership, { userId, hasSecondFactor, requestId, logId }: Person): Caller {
  const { orgId, memberId, propertyIds, requireTwoFactor } = membership;
  const permissions = new Set(membership.permissions);
  return {
    orgId,
    memberId,
    userId,
    credential: {
      kind: 'oauth',
      id: 'account-pages',
      principal: `account-pages ${userId}`,
      ratePerMinute: 1_000,
      scopes: permissions,
    },
    permissions,
    livePermissions: permissions,
    propertyIds,
    secondFactorMissing: requireTwoFactor && !hasSecondFactor,
    requestId,
    logId,
  };
}
