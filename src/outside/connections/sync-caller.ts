import type { Caller, ServiceCredential } from '#access';
import { serviceCaller } from '../../platform/callers/service-caller.js';
import type { Connection } from './connection.entity.js';

/**
 * A sync acts as the service, no matter who requested it. It needs no permissions of its own, because what it brings
 * was decided when the connection was created.
 */
export const syncCaller = ({ orgId, createdBy }: Connection): Caller<ServiceCredential> =>
  serviceCaller(orgId, createdBy, []);
