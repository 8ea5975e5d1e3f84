import type { Caller } from '#access';
import { serviceCaller } from '../callers/service-caller.js';
import type { Act } from './act.js';

/** The member whose act continues in the background, for what is left to do in their name; without one, the service. */
export function callerOf(orgId: string, act: Act | null): Caller {
  const service = serviceCaller(orgId, '', []);
  if (act?.actor.type !== 'member' || !act.credential) return service;
  const { actor, credential, onBehalfOf, requestId, logId } = act;
  return {
    ...service,
    memberId: actor.id as string,
    credential: credential as unknown as Caller['credential'],
    ...(onBehalfOf && { userId: onBehalfOf }),
    ...(requestId && { requestId }),
    ...(logId && { logId }),
  };
}
