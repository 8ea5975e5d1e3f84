import { type Caller, may } from '#access';
import type { SignedIn } from '../accounts/session.js';
import { type PermissionGroup, permissionNames, permissions } from '../../platform/callers/permissions.js';
import type { Property } from '../../tenancy/properties/property.entity.js';
import { Field, Form } from '../../platform/pages/form.js';
import type { Fields } from '../../platform/pages/forms.service.js';
import { highestRatePerMinute, lowestRatePerMinute } from '../api-keys/api-key.dto.js';
import { lifetimesInDays } from './new-key-form.js';

const groups: readonly (readonly [PermissionGroup, string])[] = [
  ['see', 'It can see'],
  ['change', 'It can change'],
  ['sensitive', 'Sensitive'],
];

interface NewKeyProps {
  signedIn: SignedIn;
  caller: Caller;
  properties: readonly Property[];
  /** The longest and the default life of a key; null for no limit. */
  maxKeyDays: number | null;
  typed?: Fields;
}

/** Offers only permissions that the key's creator has. */
export const NewKeyForm = ({ signedIn, caller, properties, maxKeyDays, typed = {} }: NewKeyProps) => (
  <Form class="panel" action="/account/api-keys/create" owner={signedIn}>
    <h2>Create a key</h2>
    <input type="hidden" name="org" value={caller.orgId} />
    <Field name="name" label="Name" value={typed.name} maxlength={200} hint="What the key is for." />
    {groups.map(([group, title]) => (
      <fieldset key={group}>
        <legend>{title}</legend>
        {permissionNames
          .filter((name) => permissions[name].group === group && may(caller, name))
          .map((name) => (
            <Choice key={name} name={`scope:${name}`} label={permissions[name].description} typed={typed} />
          ))}
      </fieldset>
    ))}
    {properties.length > 0 && (
      <details open={properties.some(({ id }) => `property:${id}` in typed)}>
        <summary>Limit it to some properties</summary>
        <fieldset>
          <legend>Properties</legend>
          <p class="soft">If you choose none, the key works for every property that you may access.</p>
          {properties.map(({ id, name }) => (
            <Choice key={id} name={`property:${id}`} label={name} typed={typed} />
          ))}
        </fieldset>
      </details>
    )}
    <label class="field" for="days">
      Valid
    </label>
    <select id="days" name="days">
      {lifetimesInDays(maxKeyDays).map((days) => (
        <option key={days} value={days} selected={days === typed.days}>
          {lifetimeTitle(days, maxKeyDays)}
        </option>
      ))}
    </select>
    <Field
      name="allowed_addresses"
      label="Allowed addresses"
      value={typed.allowed_addresses}
      required={false}
      hint="IP addresses or ranges, separated by spaces. Leave empty to allow any address."
    />
    <Field
      name="rate_per_minute"
      label="Requests per minute"
      type="number"
      value={typed.rate_per_minute ?? String(lowestRatePerMinute)}
      min={lowestRatePerMinute}
      max={highestRatePerMinute}
    />
    <div class="actions one">
      <button class="primary">Create the key</button>
    </div>
  </Form>
);

const lifetimeTitle = (days: string, maxKeyDays: number | null): string => {
  if (days) return `for ${days} days`;
  return maxKeyDays === null ? 'until it is revoked' : `for ${maxKeyDays} days, the longest allowed here`;
};

const Choice = ({ name, label, typed }: { name: string; label: string; typed: Fields }) => (
  <label class="choice">
    <input type="checkbox" name={name} checked={name in typed} />
    <span>{label}</span>
  </label>
);
