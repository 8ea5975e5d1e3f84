import { approvalOf, type Caller, canonicalRange, isMember, isWithinRanges } from '#access';
import type { Environment } from '#regions';
import { offeredOf } from '../../platform/callers/permissions.js';
import type { ApiKey } from './api-key.entity.js';
import { addressesBeyondCreator, notAnAddress, scopesBeyondCreator, unknownScopes } from './api-keys.errors.js';

const limitOf = ({ credential }: Caller): readonly string[] | undefined =>
  credential.kind === 'api-key' ? credential.allowedAddresses : undefined;

/** Whether a key with these addresses works from nowhere that the caller's own key does not. */
export function isWithinLimit(caller: Caller, addresses: readonly string[] | null): boolean {
  const limit = limitOf(caller);
  return !limit || addresses?.every((range) => isWithinRanges(range, limit)) === true;
}

/** A new key inherits the creator's address limits, so nobody can escape them by creating another key. */
export function addressesFor(caller: Caller, asked: string[] | null): string[] | null {
  if (!asked) return limitOf(caller)?.slice() ?? null;
  const ranges = asked.map((text, index) => {
    const range = canonicalRange(text);
    if (!range) throw notAnAddress(index);
    return range;
  });
  if (!isWithinLimit(caller, ranges)) throw addressesBeyondCreator();
  return [...new Set(ranges)];
}

/** The member that owns the key; the key ends with them. Keys of operators and of the service have no such member. */
export function makerOf(caller: Caller): Pick<ApiKey, 'createdBy' | 'applicationId' | 'madeWith'> {
  if (!isMember(caller)) return { createdBy: null, applicationId: null, madeWith: null };
  const { memberId, credential } = caller;
  return {
    createdBy: memberId,
    applicationId: approvalOf(credential) ?? null,
    madeWith: credential.kind === 'api-key' ? credential.id : null,
  };
}

/** The permissions of a new key: `*` expands to everything that its creator may do. */
export function scopesFor({ permissions }: Caller, asked: string[], environment: Environment): string[] {
  if (asked.includes('*')) return offeredOf([...permissions], environment).sort();
  const known = offeredOf(asked, environment);
  const unknown = asked.filter((scope) => !known.includes(scope));
  if (unknown.length > 0) throw unknownScopes(unknown);
  const beyond = asked.filter((scope) => !permissions.has(scope));
  if (beyond.length > 0) throw scopesBeyondCreator(beyond);
  return [...asked].sort();
}

const shownDigits = 4;

/** The part of a key that stays readable: the environment, the region and four random digits. */
export function visiblePart(key: string): string {
  const prefix = /^sk_(?:live|test)_(?:(?:us|eu|apac)_)?/.exec(key)?.[0] ?? '';
  return key.slice(0, prefix.length + shownDigits);
}
