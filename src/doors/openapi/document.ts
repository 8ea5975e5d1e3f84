import { rejections } from '#errors';
import type { Handled, JsonSchema } from '#operations';
import { permissions } from '../../platform/callers/permissions.js';
import { version } from '../../platform/config/version.js';
import { eventTypes } from '../../platform/events/event-type.js';
import { ComponentSchemas } from './component-schemas.js';
import { webhookParameters, webhooksOf } from './webhook-entries.js';
import { introduction } from './introduction.js';
import { operationEntry, parameterComponents } from './operation-entry.js';
import { errorResponses, fixedSchemas, headerComponents } from './responses.js';

/** The OpenAPI 3.1 document of all operations. */
export function openApiDocument(handled: readonly Handled[], baseUrl: string): JsonSchema {
  const schemas = new ComponentSchemas(fixedSchemas);
  const known = sorted(rejections());
  return {
    openapi: '3.1.1',
    info: {
      title: 'Property Operations Service',
      version,
      description: introduction(known),
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: baseUrl }],
    tags: tagsOf(handled),
    paths: pathsOf(handled, schemas),
    webhooks: webhooksOf(eventTypes(), schemas),
    components: {
      securitySchemes: securitySchemes(baseUrl),
      parameters: { ...parameterComponents, ...webhookParameters },
      headers: headerComponents,
      responses: errorResponses,
      schemas: Object.fromEntries(sorted(Object.entries(schemas.all))),
    },
    'x-rejections': [...known].map(([key, message]) => ({ key, message })),
  };
}

/** Sorted, so that an addition, or another order of loading, moves nothing else in the document. */
const sorted = <T>(named: Iterable<[string, T]>): Map<string, T> =>
  new Map([...named].toSorted(([a], [b]) => a.localeCompare(b, 'en')));

/** One tag for each feature, with a description of the feature. */
function tagsOf(handled: readonly Handled[]): JsonSchema[] {
  const byFeature = Object.groupBy(handled, ({ feature }) => feature);
  return Object.entries(byFeature)
    .sort(([a], [b]) => a.localeCompare(b, 'en'))
    .map(([name, some = []]) => ({ name, description: some.map(({ operation }) => operation.title).join(' · ') }));
}

function pathsOf(handled: readonly Handled[], schemas: ComponentSchemas): Record<string, JsonSchema> {
  const paths: Record<string, JsonSchema> = {};
  for (const one of handled) {
    const { method, path } = one.operation;
    (paths[`/api/v1${path}`] ??= {})[method.toLowerCase()] = operationEntry(one, schemas);
  }
  return paths;
}

function securitySchemes(baseUrl: string): JsonSchema {
  return {
    apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `sk_live_…` or `sk_test_…`.' },
    oauth2: {
      type: 'oauth2',
      description: 'OAuth 2.1, authorization code with PKCE; the discovery documents contain the details.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${baseUrl}/oauth/authorize`,
          tokenUrl: `${baseUrl}/oauth/token`,
          refreshUrl: `${baseUrl}/oauth/token`,
          scopes: Object.fromEntries(Object.entries(permissions).map(([name, { description }]) => [name, description])),
        },
      },
    },
  };
}
