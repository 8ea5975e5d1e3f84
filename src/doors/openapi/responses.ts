import { errorTypes } from '#errors';
import { dataSchemaOf, fieldsOf, isPaged, type JsonSchema, type Operation } from '#operations';
import type { ComponentSchemas } from './component-schemas.js';

const ref = (section: string, name: string): JsonSchema => ({ $ref: `#/components/${section}/${name}` });

export const schemaRef = (name: string): JsonSchema => ref('schemas', name);
export const parameterRef = (name: string): JsonSchema => ref('parameters', name);
const headerRef = (name: string): JsonSchema => ref('headers', name);

/** The headers of responses, by the names under which the document refers to them. */
export const headerComponents = {
  RequestId: {
    description: 'Id of the request: the one that was sent, or a UUID. A replay has the id of the original.',
    schema: { type: 'string' },
  },
  RateLimitLimit: { description: 'Requests per minute.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in the current minute.', schema: { type: 'integer' } },
  RateLimitReset: {
    description: 'Unix time in seconds at which the current minute ends.',
    schema: { type: 'integer' },
  },
  Location: { description: 'Where to follow the progress.', schema: { type: 'string', format: 'uri-reference' } },
  ETag: { description: 'Version of the record in quotes; send it as If-Match.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: 'true if this is the response to the first request with this key.',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: { description: 'Seconds to wait before sending the request again.', schema: { type: 'integer' } },
  WWWAuthenticate: { description: 'Where to get a credential (RFC 6750, RFC 9728).', schema: { type: 'string' } },
};

const everyAnswer = { 'X-Request-Id': headerRef('RequestId') };

const authenticated = {
  ...everyAnswer,
  'X-RateLimit-Limit': headerRef('RateLimitLimit'),
  'X-RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'X-RateLimit-Reset': headerRef('RateLimitReset'),
};

const errorHeaders: Record<number, JsonSchema> = {
  401: { ...everyAnswer, 'WWW-Authenticate': headerRef('WWWAuthenticate') },
  429: { ...authenticated, 'Retry-After': headerRef('RetryAfter') },
  503: { ...authenticated, 'Retry-After': headerRef('RetryAfter') },
};

/** `rate_limit_error` → `RateLimitError` */
const nameOf = (type: string): string =>
  type.replaceAll(/(?:^|_)([a-z])/g, (_, letter: string) => letter.toUpperCase());

/** One response for each row of the table of errors. */
export const errorResponses = Object.fromEntries(
  errorTypes.map(({ status, type, code }) => [
    nameOf(type),
    {
      description: `\`${type}\`; the code is \`${code}\` unless a specific one applies.`,
      headers: errorHeaders[status] ?? authenticated,
      content: { 'application/json': { schema: schemaRef('ErrorEnvelope') } },
    },
  ]),
);

/** The schemas that belong to no class of an operation. */
export const fixedSchemas: Record<string, JsonSchema> = {
  ErrorEnvelope: objectOf({
    error: {
      ...objectOf(
        {
          type: { type: 'string', enum: errorTypes.map(({ type }) => type) },
          code: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
          message: { type: 'string', description: 'What is wrong and what to do about it.' },
          details: {
            type: 'object',
            description: 'More about the error; a validation error lists every failing field in `issues`.',
            additionalProperties: true,
          },
        },
        ['details'],
      ),
    },
    meta: schemaRef('Meta'),
  }),
  Meta: objectOf(
    {
      requestId: { type: 'string', description: 'The same as X-Request-Id.' },
      undoable: { type: 'boolean', description: 'Of a write: whether undoChanges can undo it, as things are now.' },
      dryRun: { type: 'boolean', const: true, description: 'The write was rehearsed, and nothing was changed.' },
      effects: {
        type: 'array',
        maxItems: 200,
        description: 'What the write would change, as its events say it; a type and a count for what you may not read.',
        items: schemaRef('Effect'),
      },
      effectsTotal: { type: 'integer', description: 'The number of effects, of which at most 200 are listed.' },
      warnings: { type: 'array', items: { type: 'string' }, description: 'What the rehearsal could not include.' },
    },
    ['undoable', 'dryRun', 'effects', 'effectsTotal', 'warnings'],
  ),
  Effect: objectOf(
    {
      type: { type: 'string', description: 'The type of the event.', examples: ['task.updated'] },
      subject: objectOf({ type: { type: 'string' }, id: { type: 'string' } }),
      name: { type: ['string', 'null'], description: 'The name of the record, if it has one.' },
      before: { type: ['object', 'null'], description: 'The fields that would change; null for a new record.' },
      after: { type: ['object', 'null'], description: 'The same fields afterwards; null for a deleted record.' },
      undoable: { type: 'boolean', description: 'Whether undoChanges can undo this effect.' },
      count: { type: 'integer', description: 'Instead of the other fields: how many effects are of this type.' },
    },
    ['subject', 'name', 'before', 'after', 'undoable', 'count'],
  ),
  PageMeta: objectOf(
    {
      requestId: { type: 'string', description: 'The same as X-Request-Id.' },
      pagination: objectOf({
        limit: { type: 'integer', description: 'Limit of the request.' },
        nextCursor: {
          anyOf: [{ type: 'string' }, { type: 'null' }],
          description: 'Send it as cursor to get the next page; null on the last page.',
        },
      }),
      feedCursor: {
        type: 'string',
        description:
          'With events:read: cursor of listEvents. Every event before it is reflected in this page; follow it from the first page of a list.',
      },
    },
    ['feedCursor'],
  ),
};

function objectOf(properties: Record<string, JsonSchema>, optional: string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export const hasVersion = ({ output }: Operation): boolean =>
  output.kind === 'one' && fieldsOf(output.view).some(({ name }) => name === 'version');

/** All responses of an operation. */
export function responsesOf(operation: Operation, schemas: ComponentSchemas): Record<string, JsonSchema> {
  const failures = errorTypes
    .filter(({ status }) => statusesOf(operation).has(status))
    .map(({ status, type }) => [status, ref('responses', nameOf(type))] as const);
  const done = success(operation, schemas);
  return {
    ...(operation.status === 202 ? { 200: done, 202: accepted(done) } : { [operation.status]: done }),
    ...Object.fromEntries(failures),
  };
}

function success(operation: Operation, schemas: ComponentSchemas): JsonSchema {
  const { output, effect } = operation;
  const view = schemas.reference(output.view);
  if (output.kind === 'stream') {
    // OpenAPI 3.1 cannot describe a single event of a stream: the schema describes each event's data.
    const content = { 'text/event-stream': { schema: { type: 'string', contentSchema: view } } };
    return { description: 'Server-sent events, until the connection is closed.', headers: authenticated, content };
  }
  if (output.kind === 'lines') {
    // As for a stream, the schema describes each line.
    const content = { 'application/x-ndjson': { schema: { type: 'string', contentSchema: view } } };
    return { description: 'One JSON value per line.', headers: authenticated, content };
  }
  const body = objectOf({
    data: dataSchemaOf(output, view),
    meta: schemaRef(isPaged(output) ? 'PageMeta' : 'Meta'),
  });
  return {
    description: output.kind === 'page' ? 'One page of the list.' : 'Done.',
    headers: {
      ...authenticated,
      ...(hasVersion(operation) && { ETag: headerRef('ETag') }),
      ...(effect !== 'read' && { 'Idempotent-Replayed': headerRef('IdempotentReplayed') }),
    },
    content: { 'application/json': { schema: body } },
  };
}

/** The same record before it is done. */
const accepted = (done: JsonSchema): JsonSchema => ({
  ...done,
  description: 'In progress; Location is where to follow it.',
  headers: { ...(done.headers as object), Location: headerRef('Location') },
});

const always = [400, 401, 403, 429, 500, 503];

/**
 * 404 if the input refers to a record; operations other than GET may meet a record in the wrong state; writes can also
 * break a rule or fail at a provider.
 */
function statusesOf({ input, effect, method }: Operation): Set<number> {
  const refers = fieldsOf(input).some(({ schema }) => JSON.stringify(schema).includes('"x-id"'));
  return new Set([
    ...always,
    ...(refers ? [404] : []),
    ...(method === 'GET' ? [] : [409]),
    ...(effect === 'read' ? [] : [422, 502]),
  ]);
}
