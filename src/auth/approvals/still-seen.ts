import { type Caller, may } from '#access';
import type { Operation } from '#operations';
import type { Approval } from './approval.entity.js';

/** Whether a credential may still read the response: it has the scope, and sees every property that it saw. */
export function isStillSeen(
  caller: Caller,
  { caller: asked }: Pick<Approval, 'caller'>,
  operation: Operation | undefined,
): boolean {
  if (!operation || (operation.scope && !may(caller, operation.scope))) return false;
  const limit = caller.propertyIds;
  return limit === null || (asked.propertyIds?.every((id) => limit.includes(id)) ?? false);
}
