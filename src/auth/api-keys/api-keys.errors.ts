import { conflict, forbidden, invalidField, notFound, rejection } from '#errors';

export const apiKeyNotFound = () => notFound('key');

export const scopesBeyondCreator = (scopes: string[]) =>
  forbidden(`You cannot grant scopes that you do not have: ${scopes.join(', ')}. Leave them out.`);

export const unknownScopes = (scopes: string[]) =>
  invalidField(['scopes'], `No such scopes: ${scopes.join(', ')}. Take scopes from the API reference.`);

export const expiresInThePast = rejection(
  'API_KEY_EXPIRES_IN_THE_PAST',
  'The key would have expired already. Set expiresAt to a time to come, or leave it out.',
);

export const expiresTooLate = (latest: string) =>
  invalidField(
    ['expiresAt'],
    `The organization's keys may work until ${latest} (maxKeyDays). Pass that time or an earlier one, or leave expiresAt out.`,
  );

export const notAnAddress = (index: number) =>
  invalidField(
    ['allowedAddresses', index],
    'Pass an IP address or a CIDR range, such as 203.0.113.7 or 2001:db8::/32.',
  );

export const notAnActiveMachine = rejection(
  'API_KEY_MEMBER_NOT_A_MACHINE',
  'A key acts as an active machine member. Name one in memberId, or leave it out and one is made for the key.',
);

export const apiKeyHasEnded = (status: 'expired' | 'revoked') =>
  conflict('API_KEY_ENDED', `The key is ${status}; only a key that works can be rotated. Make a new one.`);

export const apiKeyHasSuccessor = (id: string) =>
  conflict('API_KEY_ROTATED', `The key was rotated before. Rotate its successor ${id}, or make a new one.`);

export const addressesBeyondCreator = () =>
  forbidden('The key would work from addresses that yours does not work from. Pass only addresses that yours allows.');

export const makerHasEnded = () =>
  forbidden('Your credential ended while the key was being created. Sign in again, or use another key.');
