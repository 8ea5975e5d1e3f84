import type { Caller, OperatorCredential } from '#access';
import { permissionNames } from './permissions.js';

/** An operator's command in an organization: with every permission, and above its quotas. */
export const operatorFor = (orgId: string, memberId: string): Caller<OperatorCredential> => ({
  orgId,
  memberId,
  credential: { kind: 'operator' },
  permissions: new Set<string>(permissionNames),
  propertyIds: null,
  secondFactorMissing: false,
  requestId: 'operator',
});
