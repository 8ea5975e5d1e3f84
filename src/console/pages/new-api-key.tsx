import { createApiKey } from '../../auth/api-keys/api-keys.operations.js';
import { permissionNames, permissions } from '../../platform/callers/permissions.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { getOrganization } from '../../tenancy/organizations/organizations.operations.js';
import { listRoles } from '../../tenancy/roles/roles.operations.js';
import { form, type ConsolePage } from '../frame/console-page.js';
import { typedInput } from '../frame/typed-input.js';
import type { Visit } from '../frame/visit.js';
import { Act, Folded } from '../parts/act.js';
import { Entry } from '../parts/entry.js';
import { choicesOf, namesOf } from './names.js';

const presets = [
  ['read', 'Read everything', 'For reports and displays. The key cannot change anything or see secrets.'],
  ['role', 'As much as a role', 'The permissions of the role that you have too.'],
  ['everything', 'Everything', 'All of your own permissions.'],
  ['custom', 'Only the permissions below', undefined],
] as const;

/** The fields as input of the operation, which decides whether all of that may be granted. */
async function readNewKey(fields: Fields, visit: Visit): Promise<object> {
  const input = typedInput(createApiKey, fields, visit.membership.timezone);
  return { name: '', ...input, scopes: await scopesOf(fields, visit, (input.scopes as string[] | undefined) ?? []) };
}

async function scopesOf({ preset, roleId }: Fields, { ask, may }: Visit, chosen: string[]): Promise<string[]> {
  if (preset === 'everything') return ['*'];
  if (preset === 'read') return permissionNames.filter((name) => permissions[name].group === 'see' && may(name));
  if (preset !== 'role') return chosen;
  const { items } = await ask(listRoles, { limit: 100 });
  const role = items.find(({ id }) => id === roleId);
  return permissionNames.filter((name) => role?.permissions.includes(name) && may(name));
}

export const newApiKey: ConsolePage = {
  path: 'keys/new',
  title: 'New API key',
  needs: 'api-keys:manage',
  forms: [form(createApiKey, 'The key was created.', { isSensitive: true, read: readNewKey })],
  async show(visit) {
    const { may, refused } = visit;
    const [roles, properties] = await Promise.all([namesOf(visit, 'roles'), namesOf(visit, 'properties')]);
    const typed = refused?.typed ?? {};
    const longest = may('organization:read') ? (await visit.ask(getOrganization, {})).maxKeyDays : null;
    return (
      <section class="panel">
        <Act does={createApiKey} label="Create the key" isPrimary>
          <Entry name="name" hint="What the key is used for." />
          <fieldset>
            <legend>What it may do</legend>
            {presets
              .filter(([preset]) => preset !== 'role' || roles.size > 0)
              .map(([preset, label, hint]) => (
                <label key={preset} class="choice">
                  <input type="radio" name="preset" value={preset} checked={preset === (typed.preset ?? 'read')} />
                  <span>
                    {label}
                    {hint && <small>{hint}</small>}
                  </span>
                </label>
              ))}
          </fieldset>
          {roles.size > 0 && <Entry name="roleId" label="Role" choices={choicesOf(roles)} />}
          <Folded title="Choose permissions" isOpen={typed.preset === 'custom'}>
            <Entry
              name="scopes"
              label="Permissions"
              choices={permissionNames.filter(may).map((name) => [name, permissions[name].description])}
              isMany
            />
          </Folded>
          {properties.size > 0 && (
            <Folded title="Limit it to some properties" isOpen={Boolean(typed.propertyIds)}>
              <Entry name="propertyIds" label="Properties" choices={choicesOf(properties)} isMany />
            </Folded>
          )}
          <Entry
            name="expiresAt"
            label="Ends"
            hint={
              longest === null
                ? 'Leave empty to keep it valid until it is revoked.'
                : `Empty: after ${longest} days, the maximum here.`
            }
          />
          <Entry name="ratePerMinute" label="Requests per minute" value={1_000} />
          <Entry
            name="allowedAddresses"
            label="Allowed addresses"
            hint="IP addresses or ranges, separated by spaces. Leave empty to allow any address."
          />
        </Act>
      </section>
    );
  },
};
