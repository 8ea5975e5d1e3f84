import { Id, IntersectionType, ListOf, one, page, PickType } from '#operations';
import { ApiKeyView, CreateApiKey, NewApiKeyView } from '../../auth/api-keys/api-key.dto.js';
import { ApiKeysService } from '../../auth/api-keys/api-keys.service.js';
import { command } from './command.js';
import { everyPage } from './every-page.js';
import { InOrganization } from './in-organization.dto.js';
import { Operator } from './operator.service.js';

class NewApiKey extends IntersectionType(
  InOrganization,
  PickType(CreateApiKey, ['name', 'scopes', 'ratePerMinute', 'expiresAt']),
) {
  @ListOf(
    { id: 'property' },
    { description: 'Properties that the key is limited to; default: all.', optional: true, min: 1, max: 1_000 },
  )
  properties?: string[];
}

class ThisApiKey {
  @Id('key', { description: 'API key id.' })
  id: string;
}

export const apiKeyCommands = [
  command({
    name: 'api-key create',
    description:
      "Creates an API key with its own machine member and shows it once; --scopes '*' grants every permission.",
    input: NewApiKey,
    output: one(NewApiKeyView),
    run: (service, { org, properties, ...input }) =>
      service
        .get(Operator)
        .inOrganization(org, (caller) =>
          service.get(ApiKeysService).create(caller, { ...input, propertyIds: properties }),
        ),
  }),
  command({
    name: 'api-key list',
    description: 'Lists all API keys of an organization, without the keys themselves.',
    input: InOrganization,
    output: page(ApiKeyView),
    columns: ['name', 'prefix', 'scopes', 'expiresAt', 'revokedAt', 'lastUsedAt', 'id'],
    run: (service, { org }) =>
      service
        .get(Operator)
        .inOrganization(org, (caller) =>
          everyPage((cursor) => service.get(ApiKeysService).list(caller, { limit: 100, cursor })),
        ),
  }),
  command({
    name: 'api-key revoke',
    description: 'Revokes an API key immediately and permanently.',
    input: ThisApiKey,
    output: one(ApiKeyView),
    run: (service, { id }) =>
      service.get(Operator).inOrganizationOf('key', id, (caller) => service.get(ApiKeysService).revoke(caller, id)),
  }),
];
