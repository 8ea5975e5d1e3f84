import type { JsonSchema } from '#operations';

const ref = (section: string, name: string): JsonSchema => ({ $ref: `#/components/${section}/${name}` });

export const schemaRef = (name: string): JsonSchema => ref('schemas', name);
export const parameterRef = (name: string): JsonSchema => ref('parameters', name);
export const responseRef = (name: string): JsonSchema => ref('responses', name);
export const headerRef = (name: string): JsonSchema => ref('headers', name);

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
  Location: { description: 'Address to poll for progress.', schema: { type: 'string', format: 'uri-reference' } },
  ETag: { description: 'Version of the record in quotes; send it as If-Match.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: 'true if this is the response to the first request with this key.',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: { description: 'Seconds to wait before sending the request again.', schema: { type: 'integer' } },
  WWWAuthenticate: { description: 'Where to get a credential (RFC 6750, RFC 9728).', schema: { type: 'string' } },
};

export const everyAnswer = { 'X-Request-Id': headerRef('RequestId') };

export const authenticated = {
  ...everyAnswer,
  'X-RateLimit-Limit': headerRef('RateLimitLimit'),
  'X-RateLimit-Remaining': headerRef('RateLimitRemaining'),
  'X-RateLimit-Reset': headerRef('RateLimitReset'),
};

export function objectOf(properties: Record<string, JsonSchema>, optional: string[] = []): JsonSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required, additionalProperties: false };
}
