import type { Caller, ServiceCredential } from '#access';
import type { Permission } from './permissions.js';

/**
 * The service itself in an organization, for work that no request caused.
 *
 * @param permissions those that this work needs.
 */
export const serviceCaller = (
  orgId: string,
  memberId: string,
  permissions: readonly Permission[],
): Caller<ServiceCredential> => ({
  orgId,
  memberId,
  credential: { kind: 'service' },
  permissions: new Set(permissions),
  propertyIds: null,
  secondFactorMissing: false,
  requestId: 'service',
});
