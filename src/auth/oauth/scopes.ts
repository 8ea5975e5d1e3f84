import { isPermission, permissionNames, permissions } from '../../organizations/permissions.js';

export const offlineAccess = 'offline_access';

/** What an application asks for that does not say, and what a challenge names: enough to look around. */
export const readScopes: readonly string[] = permissionNames.filter((name) => permissions[name].group === 'see');

/** The scopes of a request: unknown ones go; where none is left, reading. */
export function scopesIn(text: string | undefined): string[] {
  const asked = [...new Set((text ?? '').split(' '))];
  const known = asked.filter(isPermission);
  const offline = asked.includes(offlineAccess) ? [offlineAccess] : [];
  return [...(known.length > 0 ? known : readScopes), ...offline];
}
