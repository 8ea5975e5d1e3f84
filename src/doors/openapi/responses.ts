import { errorTypes } from '#errors';
import { fieldsOf, isList, type JsonSchema, type Operation } from '#operations';
import type { ComponentSchemas } from './component-schemas.js';

const ref = (section: string, name: string): JsonSchema => ({ $ref: `#/components/${section}/${name}` });

export const schemaRef = (name: string): JsonSchema => ref('schemas', name);
export const parameterRef = (name: string): JsonSchema => ref('parameters', name);
const headerRef = (name: string): JsonSchema => ref('headers', name);

/** The headers that answers carry, by the names under which the document refers to them. */
export const headerComponents = {
  RequestId: {
    description: 'The id of the request: the one that was sent, else a UUID. A replay has the id of the original.',
    schema: { type: 'string' },
  },
  RateLimitLimit: { description: 'Requests a clock minute.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left in this minute.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'When the minute ends, in seconds since 1970.', schema: { type: 'integer' } },
  Location: { description: 'Where to read how it goes on.', schema: { type: 'string', format: 'uri-reference' } },
  ETag: { description: 'The version of the record in quotes; send it as If-Match.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: 'Present where the answer is the one that was given to the first request with this key.',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: { description: 'Seconds to wait before the request is sent again.', schema: { type: 'integer' } },
  WWWAuthenticate: { description: 'Where a credential is got (RFC 6750, RFC 9728).', schema: { type: 'string' } },
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

/** One answer for each row of the table of errors. */
export const errorResponses = Object.fromEntries(
  errorTypes.map(({ status, type, code }) => [
    nameOf(type),
    {
      description: `\`${type}\`; the code is \`${code}\` where no other says more.`,
      headers: errorHeaders[status] ?? authenticated,
      content: { 'application/json': { schema: schemaRef('ErrorEnvelope') } },
    },
  ]),
);

/** The schemas that no operation's class writes. */
export const fixedSchemas: Record<string, JsonSchema> = {
  ErrorEnvelope: objectOf({
    error: {
      ...objectOf(
        {
          type: { type: 'string', enum: errorTypes.map(({ type }) => type) },
          code: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
          message: { type: 'string', description: 'What went wrong and what to do about it.' },
          details: {
            type: 'object',
            description: 'More about it; a validation error names every failing field in `issues`.',
            additionalProperties: true,
          },
        },
        ['details'],
      ),
    },
    meta: schemaRef('Meta'),
  }),
  Meta: objectOf({ requestId: { type: 'string', description: 'The same as X-Request-Id.' } }),
  PageMeta: objectOf({
    requestId: { type: 'string', description: 'The same as X-Request-Id.' },
    pagination: objectOf({
      limit: { type: 'integer', description: 'How many were asked for.' },
      nextCursor: {
        anyOf: [{ type: 'string' }, { type: 'null' }],
        description: 'Send it as cursor to get the next page; null on the last one.',
      },
    }),
  }),
};

function objectOf(properties: Record<string, JsonSchema>, optional: string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}

export const hasVersion = ({ output }: Operation): boolean =>
  output.kind === 'one' && fieldsOf(output.view).some(({ name }) => name === 'version');

/** Every answer that an operation can give. */
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
    // OpenAPI 3.1 describes no single event of a stream: the schema is that of each one's data.
    const content = { 'text/event-stream': { schema: { type: 'string', contentSchema: view } } };
    return { description: 'Server-sent events, for as long as you listen.', headers: authenticated, content };
  }
  if (output.kind === 'lines') {
    // As for a stream, the schema is that of each line.
    const content = { 'application/x-ndjson': { schema: { type: 'string', contentSchema: view } } };
    return { description: 'A JSON value on each line.', headers: authenticated, content };
  }
  const body =
    output.kind === 'page'
      ? objectOf({ data: { type: 'array', items: view }, meta: schemaRef('PageMeta') })
      : objectOf({ data: isList(output) ? { type: 'array', items: view } : view, meta: schemaRef('Meta') });
  return {
    description: output.kind === 'page' ? 'A page of the list.' : 'Done.',
    headers: {
      ...authenticated,
      ...(hasVersion(operation) && { ETag: headerRef('ETag') }),
      ...(effect !== 'read' && { 'Idempotent-Replayed': headerRef('IdempotentReplayed') }),
    },
    content: { 'application/json': { schema: body } },
  };
}

/** The same record while it is not done yet. */
const accepted = (done: JsonSchema): JsonSchema => ({
  ...done,
  description: 'It goes on; Location says where to follow it.',
  headers: { ...(done.headers as object), Location: headerRef('Location') },
});

const always = [400, 401, 403, 429, 500, 503];

/**
 * 404 where the input refers to something; what is no GET may meet a record that is not as it must be; what writes can
 * also break a rule or fail at a provider.
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
