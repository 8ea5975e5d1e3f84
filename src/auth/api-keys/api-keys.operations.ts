import { one, operation, page } from '#operations';
import { ApiKeyView, CreateApiKey, ListApiKeys, NewApiKeyView, RotateApiKey, ThisApiKey } from './api-key.dto.js';
import { apiKeyHasEnded, apiKeyHasSuccessor, expiresInThePast, notAnActiveMachine } from './api-keys.errors.js';
import { quotaExceeded } from '../../tenancy/quotas/quotas.errors.js';

export const createApiKey = operation({
  name: 'createApiKey',
  route: 'POST /api-keys',
  scope: 'api-keys:manage',
  effect: 'write',
  reach: 'record',
  title: 'Create an API key',
  description:
    'Creates a key that acts as a machine member, never with more permissions than its creator. The key is shown only once.',
  askedAs: 'credentials for an integration or program',
  refuses: [expiresInThePast, notAnActiveMachine, quotaExceeded],
  input: CreateApiKey,
  output: one(NewApiKeyView),
  status: 201,
  showsSecret: 'key',
});

export const listApiKeys = operation({
  name: 'listApiKeys',
  route: 'GET /api-keys',
  scope: 'api-keys:read',
  effect: 'read',
  reach: 'record',
  title: 'List API keys',
  description:
    'Lists the API keys of the organization with scopes, limits and last use, and never the keys themselves.',
  askedAs: 'which integrations have keys',
  input: ListApiKeys,
  output: page(ApiKeyView),
});

export const getApiKey = operation({
  name: 'getApiKey',
  route: 'GET /api-keys/{keyId}',
  scope: 'api-keys:read',
  effect: 'read',
  reach: 'record',
  title: 'Get an API key',
  description: 'Returns one API key with its scopes, limits and last use, and never the key itself.',
  input: ThisApiKey,
  output: one(ApiKeyView),
});

export const revokeApiKey = operation({
  name: 'revokeApiKey',
  route: 'POST /api-keys/{keyId}/revoke',
  scope: 'api-keys:manage',
  effect: 'destructive',
  reach: 'record',
  title: 'Revoke an API key',
  description: 'Revokes a key immediately and permanently. Revoking it again changes nothing.',
  askedAs: 'disable or block a leaked key',
  input: ThisApiKey,
  output: one(ApiKeyView),
});

export const rotateApiKey = operation({
  name: 'rotateApiKey',
  route: 'POST /api-keys/{keyId}/rotate',
  scope: 'api-keys:manage',
  effect: 'write',
  reach: 'record',
  title: 'Rotate an API key',
  description:
    'Creates a successor with the same member, scopes and limits, shown only once. The old key expires after the overlap. Each key has one successor.',
  askedAs: 'replace, renew a secret',
  refuses: [apiKeyHasEnded, apiKeyHasSuccessor, notAnActiveMachine],
  input: RotateApiKey,
  // The successor is a key that can be used beside the old one, which ends. That holds for a key that rotates itself, too.
  carriesOut: () => [createApiKey, revokeApiKey],
  output: one(NewApiKeyView),
  showsSecret: 'key',
});
