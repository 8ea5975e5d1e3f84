import type { Caller } from '#access';
import { isWithinReach, type Operation } from '#operations';
import type { Approval } from './approval.entity.js';

/** A member who may decide, or not. */
export interface Decider extends Pick<Caller, 'permissions' | 'propertyIds'> {
  readonly userId?: string;
}

type Asked = Pick<Approval, 'caller' | 'propertyIds'>;

/**
 * Who may decide: the person on whose behalf it was requested, or a member who decides for others; each only about what
 * they may do themselves, wherever it would change something.
 *
 * @param byOthers the organization wants somebody other than the requester, who may have made a key to ask with.
 */
export function mayDecide(asked: Asked, operation: Operation, decider: Decider, byOthers: boolean): boolean {
  const { permissions, propertyIds, userId } = decider;
  const isOneOf = (...people: (string | undefined)[]): boolean => userId !== undefined && people.includes(userId);
  const { userId: onBehalfOf, madeBy } = asked.caller;
  if (byOthers && isOneOf(onBehalfOf, madeBy)) return false;
  if (!isOneOf(onBehalfOf) && !permissions.has('approvals:decide')) return false;
  if (operation.scope && !permissions.has(operation.scope)) return false;
  return isWithinReach({ propertyIds } as Caller, operation) && isWithinLimit(asked, decider);
}

/**
 * Whether a person who is limited to some properties may decide: the caller who asks is limited to properties of theirs,
 * or the request would change something, and only at properties of theirs. A reveal changes nothing at any property.
 */
export function isWithinLimit({ caller, propertyIds }: Asked, { propertyIds: limit }: Decider): boolean {
  if (limit === null || caller.propertyIds?.every((id) => limit.includes(id))) return true;
  return propertyIds.length > 0 && propertyIds.every((id) => limit.includes(id));
}
