import type { Caller, SessionCredential } from '#access';
import type { Membership } from '../../tenancy/members/memberships.repository.js';

interface Person {
  sessionId: string;
  userId: string;
  hasSecondFactor: boolean;
  requestId: string;
  logId: string;
}

/** A person on the account pages, acting as their member with the permissions that the role grants now. */
export function personCaller(
  membership: Membership,
  { sessionId, userId, hasSecondFactor, requestId, logId }: Person,
): Caller<SessionCredential> {
  const { orgId, memberId, propertyIds, requireTwoFactor } = membership;
  const permissions = new Set(membership.permissions);
  return {
    orgId,
    memberId,
    userId,
    credential: { kind: 'session', id: sessionId },
    permissions,
    propertyIds,
    secondFactorMissing: requireTwoFactor && !hasSecondFactor,
    requestId,
    logId,
  };
}
