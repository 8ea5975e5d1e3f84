import type { Environment } from '#regions';
import { offeredOf, permissionNames, permissions } from '../../platform/callers/permissions.js';

export const offlineAccess = 'offline_access';

/** The default scopes of a request that names none, and of a challenge: enough to look around. */
export const readScopes: readonly string[] = permissionNames.filter((name) => permissions[name].group === 'see');

/** The scopes of a request. Unknown ones are dropped, and if none is left, the request gets read access. */
export function scopesIn(text: string | undefined, environment: Environment): string[] {
  const asked = [...new Set((text ?? '').split(' '))];
  const known = offeredOf(asked, environment);
  const offline = asked.includes(offlineAccess) ? [offlineAccess] : [];
  return [...(known.length > 0 ? known : readScopes), ...offline];
}
