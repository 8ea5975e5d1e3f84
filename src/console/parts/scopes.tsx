import { isPermission, permissions } from '../../platform/callers/permissions.js';

/** What a credential may do, in the words of the consent screen. */
export const Scopes = ({ scopes, also }: { scopes: readonly string[]; also?: string }) => (
  <details>
    <summary>
      {scopes.length} {scopes.length === 1 ? 'permission' : 'permissions'}
      {also && `, ${also}`}
    </summary>
    <ul class="permissions">
      {scopes.filter(isPermission).map((scope) => (
        <li key={scope} class={permissions[scope].group}>
          {permissions[scope].description}
        </li>
      ))}
    </ul>
  </details>
);
