import { conflict, forbidden, invalidField, recordNotFound, rejection } from '#errors';

export const apiKeyNotFound = recordNotFound('key', 'listApiKeys', 'API key');

export const scopesBeyondCreator = (scopes: string[]) =>
  forbidden(`You cannot grant scopes that you do not have: ${scopes.join(', ')}. Leave them out.`);

export const unknownScopes = (scopes: string[]) =>
  invalidField(['scopes'], `Unknown scopes: ${scopes.join(', ')}. Pass scopes from the API reference.`);

export const expiresInThePast = rejection(
  'API_KEY_EXPIRES_IN_THE_PAST',
  'expiresAt is in the past. Set it to a later time, or omit it.',
);

export const expiresTooLate = (latest: string) =>
  invalidField(
    ['expiresAt'],
    `API keys of this organization can be valid until ${latest} at most (maxKeyDays). Pass an earlier time, or omit expiresAt.`,
  );

export const notAnAddress = (index: number) =>
  invalidField(
    ['allowedAddresses', index],
    'Pass an IP address or a CIDR range, such as 203.0.113.7 or 2001:db8::/32.',
  );

export const notAnActiveMachine = rejection(
  'API_KEY_MEMBER_NOT_A_MACHINE',
  'memberId must be an active machine member. Pass one, or omit memberId to create one.',
);

export const apiKeyHasEnded = (status: 'expired' | 'revoked') =>
  conflict('API_KEY_ENDED', `The key is ${status}; only an active key can be rotated. Create a new one.`);

export const apiKeyHasSuccessor = (id: string) =>
  conflict('API_KEY_ROTATED', `The key was already rotated. Rotate its successor ${id}, or create a new one.`);

export const addressesBeyondCreator = () =>
  forbidden('You cannot allow addresses that your own key does not allow. Pass only addresses that it allows.');

export const makerHasEnded = () =>
  forbidden('Your credential ended while the key was being created. Sign in again, or use another key.');
