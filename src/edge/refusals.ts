import { versionMismatch } from '#access';
import { type DescribedRefusal, describeRefusal, errorTypes, type Refusal } from '#errors';
import { changesOne, fieldsOf, type Operation, refusalsBeside } from '#operations';
import { canBeHeld } from '../auth/approval-rules/mode-for.js';
import {
  approvalExpired,
  approvalRefused,
  approvalWithdrawn,
  forbiddenByRule,
  tooManyApprovals,
} from '../auth/approvals/approvals.errors.js';
import { organizationWide } from '../tenancy/properties/property-limit.errors.js';
import { addressNotAllowed } from './guards/allowed-addresses.guard.js';
import { withDetails } from './guards/refusal-details.dto.js';
import { twoFactorRequired } from './guards/two-factor.guard.js';

const always = [400, 401, 429, 500, 503];

/** The statuses that every operation of its kind may return, each with the code of the table of errors. */
function statusesOf(operation: Operation): Set<number> {
  const { input, scope, effect, pathParameters } = operation;
  const refers =
    pathParameters.length > 0 || fieldsOf(input).some(({ schema }) => JSON.stringify(schema).includes('"x-id"'));
  return new Set([
    ...always,
    // The requester may have lost the permission by the time that a person approves.
    ...(scope !== undefined || canBeHeld(operation) ? [403] : []),
    ...(refers ? [404] : []),
    // The first request with the Idempotency-Key is still in flight, or differed from this one.
    ...(effect !== 'read' ? [409] : []),
    ...(effect !== 'read' || canBeHeld(operation) ? [422] : []),
  ]);
}

/** The errors of the guards, for every operation. */
const everywhere: readonly Refusal[] = [addressNotAllowed, twoFactorRequired];

/** The errors of the approval gate. */
const ofApprovals: readonly Refusal[] = [
  forbiddenByRule,
  approvalRefused,
  approvalWithdrawn,
  approvalExpired,
  tooManyApprovals,
];

function byRule(operation: Operation): Refusal[] {
  const canBeBeyondLimit = operation.effect !== 'read' || operation.showsSecret !== undefined;
  return [
    ...everywhere,
    ...(canBeBeyondLimit ? [organizationWide] : []),
    ...(changesOne(operation) ? [versionMismatch] : []),
    ...(canBeHeld(operation) ? ofApprovals : []),
  ];
}

/** What an operation declares, and what the features that follow it declare beside it, in whichever order they load. */
export const ownRefusalsOf = (operation: Operation): DescribedRefusal[] => [
  ...(operation.refuses ?? []).map(describeRefusal),
  ...refusalsBeside(operation)
    .map(describeRefusal)
    .sort((a, b) => (a.code < b.code ? -1 : 1)),
];

/** Everything that an operation may be refused with, in the order of the statuses. */
export function refusalsOf(operation: Operation): DescribedRefusal[] {
  const statuses = statusesOf(operation);
  const byTable: DescribedRefusal[] = errorTypes
    .filter(({ status }) => statuses.has(status))
    .map(({ status, code }) => ({ status, code, message: '' }));
  const all = [...byTable, ...byRule(operation).map(describeRefusal), ...ownRefusalsOf(operation)].map(withDetails);
  const different = new Map(all.map((one) => [`${one.status} ${one.code} ${one.key ?? ''}`, one]));
  return [...different.values()].sort((a, b) => a.status - b.status);
}

/** The codes that every operation of a status shares, beside the one of the table. */
export const codesEverywhere: ReadonlySet<string> = new Set(everywhere.map((one) => describeRefusal(one).code));
