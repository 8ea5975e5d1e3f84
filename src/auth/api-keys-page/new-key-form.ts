import { type Fields, shownAt } from '../../platform/pages/forms.service.js';
import type { Sentences } from '../../platform/pages/messages.js';
import { highestRatePerMinute, lowestRatePerMinute } from '../api-keys/api-key.dto.js';

const usualLifetimesInDays = ['', '30', '90', '365'] as const;

/** The choices for a key's lifetime in days, the default first. Empty means that it works until it is revoked. */
export const lifetimesInDays = (maxKeyDays: number | null): readonly string[] =>
  maxKeyDays === null
    ? usualLifetimesInDays
    : ['', ...usualLifetimesInDays.filter((days) => days !== '' && Number(days) < maxKeyDays)];

export const newKeySentences: Sentences = {
  name: 'Enter a name of at most 200 characters.',
  scopes: 'Choose at least one permission.',
  ratePerMinute: `Enter ${lowestRatePerMinute} to ${highestRatePerMinute} requests per minute.`,
};

/** The person's input, none of it secret; hidden fields are left out. */
export const typedInto = (fields: Fields): Record<string, string> =>
  Object.fromEntries(
    Object.entries(fields).filter(
      (field): field is [string, string] =>
        /^(name|days|allowed_addresses|rate_per_minute|scope:.*|property:.*)$/.test(field[0]) && Boolean(field[1]),
    ),
  );

const dayMs = 86_400_000;

/** The form's fields as input of `createApiKey`, which validates them too. */
export function readNewKey(fields: Fields): Record<string, unknown> {
  const checked = (prefix: string) =>
    Object.keys(fields)
      .filter((name) => name.startsWith(prefix))
      .map((name) => name.slice(prefix.length));
  const propertyIds = checked('property:');
  const days = Number(usualLifetimesInDays.find((choice) => choice === fields.days) ?? '');
  const allowedAddresses = (fields.allowed_addresses ?? '').split(/[\s,]+/).filter(Boolean);
  return {
    name: fields.name?.trim() ?? '',
    scopes: checked('scope:'),
    ...(propertyIds.length > 0 && { propertyIds }),
    ...(allowedAddresses.length > 0 && { allowedAddresses }),
    ...(days > 0 && { expiresAt: new Date(shownAt(fields) + days * dayMs).toISOString() }),
    ...(fields.rate_per_minute && { ratePerMinute: Number(fields.rate_per_minute) }),
  };
}
