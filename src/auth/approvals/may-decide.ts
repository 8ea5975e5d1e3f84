import type { Caller } from '#access';
import { isWithinReach, type Operation } from '#operations';
import type { Approval } from './approval.entity.js';

/** A member who may decide, or not. */
export interface Decider extends Pick<Caller, 'permissions' | 'propertyIds'> {
  readonly userId?: string;
}

type Asked = Pick<Approval, 'caller' | 'propertyIds'>;

/** Whether somebody acts through the application that asks. */
export const isOwnRequest = ({ caller }: Asked, { userId }: Decider): boolean =>
  userId !== undefined && caller.userId === userId;

/**
 * Who may decide: the person on whose behalf it was requested, or a member who decides for others; each only about what
 * they may do themselves, wherever it would change something.
 *
 * @param byOthers the organization wants somebody other than the requester.
 */
export function mayDecide(asked: Asked, operation: Operation, decider: Decider, byOthers: boolean): boolean {
  const { permissions, propertyIds: limit } = decider;
  const isOwn = isOwnRequest(asked, decider);
  if (isOwn ? byOthers : !permissions.has('approvals:decide')) return false;
  if (operation.scope && !permissions.has(operation.scope)) return false;
  if (limit === null) return true;
  return isReached(decider, operation) && asked.propertyIds.every((id) => limit.includes(id));
}

const isReached = ({ propertyIds }: Decider, operation: Operation): boolean =>
  isWithinReach({ propertyIds } as Caller, operation);
