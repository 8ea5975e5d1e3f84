import { errorRow, rejections } from '#errors';
import type { Handled, JsonSchema } from '#operations';
import { mapInTurns } from '#turns';
import { refusalsOf } from '../../edge/refusals.js';
import { permissions, permissionsIn, schemaIn } from '../../platform/callers/permissions.js';
import type { Config } from '../../platform/config/app.config.js';
import { version } from '../../platform/config/version.js';
import { eventTypes } from '../../platform/events/event-type.js';
import { ComponentSchemas } from './component-schemas.js';
import { webhookParameters, webhooksOf } from './webhook-entries.js';
import { introduction } from './introduction.js';
import { operationEntry, parameterComponents } from './operation-entry.js';
import { ErrorResponses } from './error-responses.js';
import { fixedSchemas } from './fixed-schemas.js';
import { headerComponents } from './parts.js';
import { pendingResponse } from './responses.js';

type Served = Pick<Config, 'baseUrl' | 'environment'>;

/** The OpenAPI 3.1 document of all operations. It takes many turns of the event loop. */
export async function openApiDocument(
  handled: readonly Handled[],
  { baseUrl, environment }: Served,
): Promise<JsonSchema> {
  const schemas = new ComponentSchemas(fixedSchemas);
  const errors = new ErrorResponses(schemas);
  const known = sorted(rejections());
  const paths = await pathsOf(handled, environment, (one) => operationEntry(one, schemas, errors));
  const refusals = await refusalsOfAll(handled, schemas);
  const webhooks = webhooksOf(eventTypes(), schemas);
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
    paths,
    webhooks,
    components: {
      securitySchemes: securitySchemes(baseUrl, environment),
      parameters: { ...parameterComponents, ...webhookParameters },
      headers: headerComponents,
      responses: Object.fromEntries(sorted(Object.entries({ ...errors.shared, ApprovalPending: pendingResponse }))),
      schemas: Object.fromEntries(await schemasIn(environment, schemas)),
    },
    'x-rejections': [...known].map(([key, message]) => ({ key, message })),
    'x-refusals': refusals,
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

async function pathsOf(
  handled: readonly Handled[],
  environment: Config['environment'],
  entryOf: (one: Handled) => JsonSchema,
): Promise<Record<string, JsonSchema>> {
  const entries = await mapInTurns(handled, (one) => schemaIn(environment, entryOf(one)));
  const paths: Record<string, JsonSchema> = {};
  for (const [index, { operation }] of handled.entries())
    (paths[`/api/v1${operation.path}`] ??= {})[operation.method.toLowerCase()] = entries[index];
  return paths;
}

const schemasIn = (environment: Config['environment'], { all }: ComponentSchemas): Promise<[string, JsonSchema][]> =>
  mapInTurns([...sorted(Object.entries(all))], ([name, schema]) => [name, schemaIn(environment, schema)]);

function securitySchemes(baseUrl: string, environment: Config['environment']): JsonSchema {
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
          scopes: Object.fromEntries(permissionsIn(environment).map((name) => [name, permissions[name].description])),
        },
      },
    },
  };
}

/** Every code and key of an operation's own, with its sentences. */
async function refusalsOfAll(handled: readonly Handled[], schemas: ComponentSchemas): Promise<JsonSchema[]> {
  const own = (await mapInTurns(handled, ({ operation }) => refusalsOf(operation)))
    .flat()
    .filter(({ status, code, key }) => key !== undefined || code !== errorRow(status).code)
    .map(({ status, code, key, message, details }) => {
      const refusal = {
        status,
        code,
        ...(key && { key }),
        message,
        ...(details && { details: schemas.reference(details) }),
      };
      return [key ?? code, refusal] as const;
    });
  const different = new Map<string, JsonSchema>(own.map(([name, refusal]) => [`${name} ${refusal.message}`, refusal]));
  return [...sorted(different).values()];
}
