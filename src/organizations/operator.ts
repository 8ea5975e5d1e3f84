import type { Caller } from '#access';
import { permissionNames } from './permissions.js';

const operator = 'operator';

/** Whether nobody's request is behind it: the first start, operators' commands, what a connection brings. */
export const isOperator = ({ credential }: Caller): boolean => credential.id === operator;

/** Whether an operator's command or the first start is behind it, and not a connection. */
export const isOperatorCommand = ({ credential }: Caller): boolean => credential.principal === operator;

/** The caller of what a connection brings: with every permission, and bound by the organization's quotas. */
export const connectionCaller = (orgId: string, memberId: string): Caller => {
  const caller = operatorFor(orgId, memberId);
  return { ...caller, credential: { ...caller.credential, principal: 'connection' } };
};

/** The caller of what no request asked for: the first start and operators' commands, with every permission. */
export const operatorFor = (orgId: string, memberId: string): Caller => {
  const everything = new Set<string>(permissionNames);
  return {
    orgId,
    memberId,
    credential: { kind: 'api-key', id: operator, principal: operator, ratePerMinute: 1_000, scopes: everything },
    permissions: everything,
    propertyIds: null,
    secondFactorMissing: false,
    requestId: operator,
  };
};
