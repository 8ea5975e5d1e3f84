import {
  changesOne,
  deprecationSentence,
  exampleOf,
  exampleOfField,
  fieldsOf,
  type Handled,
  type JsonSchema,
  type Operation,
  schemaOf,
  shownFields,
  takesQuery,
} from '#operations';
import type { ComponentSchemas } from './component-schemas.js';
import { type ErrorResponses, errorsOf } from './error-responses.js';
import { parameterRef } from './parts.js';
import { responsesOf } from './responses.js';

/** The headers that requests may carry, by the names under which the document refers to them. */
export const parameterComponents = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description:
      'A unique key for this write; retries with the same key and input are applied once. Kept for 24 hours.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description:
      'ETag of the version that you read; if the record has changed since, the response is 409 VERSION_MISMATCH.',
    schema: { type: 'string', examples: ['"3"'] },
  },
  Prefer: {
    name: 'Prefer',
    in: 'header',
    description: 'wait=N waits up to N seconds, at most 30, and returns 200 if the work is done by then (RFC 7240).',
    schema: { type: 'string', examples: ['wait=20'] },
  },
};

/** One operation as an OpenAPI 3.1 operation object. */
export function operationEntry(
  { operation, feature }: Handled,
  schemas: ComponentSchemas,
  errors: ErrorResponses,
): JsonSchema {
  const { name, title, description, scope, effect, reach, modelBacked = false, deprecated } = operation;
  const parameters = [
    ...fieldParameters(operation, schemas),
    ...shownParameters(operation),
    ...headerParameters(operation),
  ];
  return {
    operationId: name,
    tags: [feature],
    summary: title,
    description: [description, deprecated && deprecationSentence(deprecated), scope && `Scope: \`${scope}\``]
      .filter(Boolean)
      .join('\n\n'),
    ...(scope && { 'x-scope': scope }),
    ...(deprecated && { deprecated: true, 'x-deprecated': deprecated }),
    ...(operation.onlyInTests && { 'x-only-in-tests': true }),
    'x-effect': effect,
    'x-reach': reach,
    'x-model-backed': modelBacked,
    'x-errors': errorsOf(operation),
    security: [{ apiKey: [] }, { oauth2: scope ? [scope] : [] }],
    ...(parameters.length > 0 && { parameters }),
    ...requestBody(operation, schemas),
    responses: responsesOf(operation, schemas, errors),
  };
}

/** The parts of the path, and the query of operations that read or delete. */
function fieldParameters(operation: Operation, { reference }: ComponentSchemas): JsonSchema[] {
  const { properties } = schemaOf(operation.input, { reference }) as { properties: Record<string, JsonSchema> };
  return fieldsOf(operation.input).flatMap(({ name, schema: field }): JsonSchema[] => {
    const { description, ...schema } = properties[name] as JsonSchema;
    if (operation.pathParameters.includes(name)) {
      return [{ name, in: 'path', required: true, description, schema, example: exampleOfField(field) }];
    }
    if (!takesQuery(operation)) return [];
    const list = schema.type === 'array' && { style: 'form', explode: false };
    return [{ name, in: 'query', required: field.required !== false, description, schema, ...list }];
  });
}

/** The parameters of reads with `includes`, in addition to their own. */
const shownParameters = ({ includes }: Operation): JsonSchema[] =>
  Object.entries(includes ? shownFields(Object.keys(includes)) : {}).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }));

function headerParameters(operation: Operation): JsonSchema[] {
  if (operation.effect === 'read') return [];
  return [
    parameterRef('IdempotencyKey'),
    ...(changesOne(operation) ? [parameterRef('IfMatch')] : []),
    ...(operation.modelBacked ? [parameterRef('Prefer')] : []),
  ];
}

function requestBody(operation: Operation, { reference }: ComponentSchemas): { requestBody?: JsonSchema } {
  if (takesQuery(operation)) return {};
  const schema = withoutFields(schemaOf(operation.input, { reference }), operation.pathParameters);
  if (Object.keys(schema.properties).length === 0) return {};
  const example = exampleOf(operation.input, operation.pathParameters);
  return {
    requestBody: { required: schema.required !== undefined, content: { 'application/json': { schema, example } } },
  };
}

interface ObjectSchema extends JsonSchema {
  properties: Record<string, JsonSchema>;
  required?: string[];
}

function withoutFields(schema: JsonSchema, names: readonly string[]): ObjectSchema {
  const { properties, required = [], ...rest } = schema as ObjectSchema;
  const kept = required.filter((name) => !names.includes(name));
  return {
    ...rest,
    properties: Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name))),
    ...(kept.length > 0 && { required: kept }),
  };
}
