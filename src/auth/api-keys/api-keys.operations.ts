import { one, operation, page } from '#operations';
import { ApiKeyView, CreateApiKey, ListApiKeys, NewApiKeyView, RotateApiKey, ThisApiKey } from './api-key.dto.js';

export const createApiKey = operation({
  name: 'createApiKey',
  route: 'POST /api-keys',
  scope: 'api-keys:manage',
  effect: 'write',
  reach: 'record',
  title: 'Make an API key',
  description:
    'Makes a key that acts as a machine member, never with more than its creator may. The key is shown this once.',
  input: CreateApiKey,
  output: one(NewApiKeyView),
  status: 201,
  showsSecret: true,
});

export const listApiKeys = operation({
  name: 'listApiKeys',
  route: 'GET /api-keys',
  scope: 'api-keys:read',
  effect: 'read',
  reach: 'record',
  title: 'List API keys',
  description: 'The keys of the organization with scopes, limits and last use; never the keys themselves.',
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
  description: 'One key with its scopes, limits and last use; never the key itself.',
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
  description: 'Ends a key at once and for good; revoking it again changes nothing.',
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
    'Makes a successor with the same member, scopes and limits, shown this once; the old key ends after the overlap. ' +
    'Each key has one successor.',
  input: RotateApiKey,
  output: one(NewApiKeyView),
  showsSecret: true,
});
