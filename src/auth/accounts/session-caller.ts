import type { Caller, SessionCredential } from '#access';
import type { RequestContext } from '#context';
import type { Membership } from '../../tenancy/members/memberships.repository.js';
import type { SignedIn } from './session.js';

/** Page loads and forms of one person (Interface Specification, Limits). */
const ratePerMinute = 1_000;

/** A person on a page, acting as their member with the permissions that the role grants now. */
export function sessionCaller(
  { orgId, memberId, propertyIds, requireTwoFactor, permissions: granted }: Membership,
  { sessionId, userId, hasSecondFactor }: SignedIn,
  { requestId, logId }: RequestContext,
): Caller<SessionCredential> {
  const permissions = new Set(granted);
  return {
    orgId,
    memberId,
    userId,
    credential: { kind: 'session', id: sessionId, principal: userId, ratePerMinute, scopes: permissions },
    permissions,
    propertyIds,
    secondFactorMissing: requireTwoFactor && !hasSecondFactor,
    requestId,
    logId,
  };
}
