import type { Caller, Credential, RequestCredential } from '#access';

/** A credential as JSON, with its scopes as a list. */
type CredentialSnapshot = Exclude<Credential, RequestCredential> | Listed<RequestCredential>;
type Listed<C extends RequestCredential> = C extends unknown ? Omit<C, 'scopes'> & { scopes: string[] } : never;

/** A caller as JSON: who made the request, with their permissions at the time. */
export interface CallerSnapshot extends Pick<Caller, 'memberId' | 'userId' | 'requestId' | 'logId' | 'propertyIds'> {
  credential: CredentialSnapshot;
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
  credential: 'scopes' in credential ? { ...credential, scopes: [...credential.scopes] } : credential,
  permissions: [...permissions],
});

/** The caller that work after a request acts for, with the permissions that it had when it made the request. */
export const callerFrom = (orgId: string, { credential, permissions, ...caller }: CallerSnapshot): Caller => ({
  ...caller,
  orgId,
  credential: 'scopes' in credential ? { ...credential, scopes: new Set(credential.scopes) } : credential,
  permissions: new Set(permissions),
  secondFactorMissing: false,
});
