import type { Caller, Credential } from '#access';

/** A caller as JSON: who asked, and what they might do then. */
export interface CallerSnapshot extends Pick<Caller, 'memberId' | 'userId' | 'requestId' | 'logId' | 'propertyIds'> {
  credential: Omit<Credential, 'scopes'> & { scopes: string[] };
  permissions: string[];
}

export const snapshotOf = ({
  memberId,
  userId,
  requestId,
  logId,
  propertyIds,
  credential,
  permissions,
}: Caller): CallerSnapshot => ({
  memberId,
  userId,
  requestId,
  logId,
  propertyIds,
  credential: { ...credential, scopes: [...credential.scopes] },
  permissions: [...permissions],
});

/** The caller that a job acts for: it was let in, with these permissions, when it asked. */
export const callerFrom = (orgId: string, { credential, permissions, ...caller }: CallerSnapshot): Caller => ({
  ...caller,
  orgId,
  credential: { ...credential, scopes: new Set(credential.scopes) },
  permissions: new Set(permissions),
  secondFactorMissing: false,
});
