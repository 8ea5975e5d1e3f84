import { fieldsOf, type JsonSchema, type Operation, schemaOf } from '#operations';
import { stayMoments } from '../../../workflows/definition.dto.js';
import type { NamedRecord } from '../known-records.repository.js';

/** What a model may name, by the prefix of the ids. */
export type Choices = Readonly<Record<string, readonly NamedRecord[]>>;

export const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

const aFact: JsonSchema = { type: 'string', pattern: '^\\{\\{[^{}]+\\}\\}$' };
const id: JsonSchema = { type: 'string', pattern: '^[a-z][a-zA-Z0-9_]{0,39}$' };

/** A step that does an operation; ids are those there are, or facts. */
export function operationSchema({ name, input }: Operation, choices: Choices): JsonSchema {
  const { properties, required = [] } = schemaOf(input) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  const fields = fieldsOf(input).map(({ name: field, schema }) => [
    field,
    withFacts(properties[field] as JsonSchema, schema, choices),
  ]);
  const given = object(Object.fromEntries(fields) as Record<string, JsonSchema>, required);
  const step = { id, kind: { const: 'operation' }, operation: { const: name }, input: given };
  return object(step, ['kind', 'operation', 'input']);
}

/** A field as a model may fill it in: with a value of its own, or with a fact in its place. */
function withFacts(written: JsonSchema, field: JsonSchema, choices: Choices): JsonSchema {
  const { description, examples: _, ...schema } = written;
  const value = (field.anyOf as JsonSchema[] | undefined)?.[0] ?? field;
  const item = value.items as JsonSchema | undefined;
  const closed = idSchema(value, choices) ?? (item && listSchema(schema, item, choices)) ?? schema;
  if (closed.type === 'string' && !('enum' in closed) && !('format' in closed)) return { ...closed, description };
  return { description, anyOf: [closed, aFact] };
}

function idSchema({ 'x-id': prefix }: JsonSchema, choices: Choices): JsonSchema | undefined {
  if (typeof prefix !== 'string') return undefined;
  const known = choices[prefix] ?? [];
  return known.length > 0 ? { type: 'string', enum: known.map((record) => record.id) } : aFact;
}

function listSchema(schema: JsonSchema, item: JsonSchema, choices: Choices): JsonSchema | undefined {
  const items = idSchema(item, choices);
  return items && { ...schema, items: { anyOf: [items, aFact] } };
}

/** The kinds of records that an operation's input names, and conditions may. */
export const prefixesOf = (operations: readonly Operation[], plan: { does: readonly string[] }): string[] => [
  'property',
  ...(plan.does.includes('send_email') ? ['template', 'member'] : []),
  ...operations.flatMap(({ input }) => fieldsOf(input).flatMap(({ schema }) => prefixIn(schema))),
];

function prefixIn(schema: JsonSchema): string[] {
  const value = (schema.anyOf as JsonSchema[] | undefined)?.[0] ?? schema;
  const prefix = ((value.items as JsonSchema | undefined) ?? value)['x-id'];
  return typeof prefix === 'string' ? [prefix] : [];
}

/** Steps that send email: to the guest where a stay is known, or to a member. */
export function emailSchemas({ template = [], member = [] }: Choices, knowsStay: boolean): JsonSchema[] {
  const templateId = { type: 'string', enum: template.map((record) => record.id) };
  const memberId = { type: 'string', enum: member.map((record) => record.id) };
  const step = { id, kind: { const: 'send_email' }, templateId };
  const required = ['kind', 'templateId', 'to'];
  return [
    ...(knowsStay ? [object({ ...step, to: { const: 'guest' } }, required)] : []),
    object({ ...step, to: { const: 'member' }, memberId }, [...required, 'memberId']),
  ];
}

export const webhookSchema = (addresses: readonly string[]): JsonSchema =>
  object({ id, kind: { const: 'webhook' }, url: { type: 'string', enum: [...addresses] } }, ['kind', 'url']);

export function waitSchemas(knowsStay: boolean): JsonSchema[] {
  const wait = { id, kind: { const: 'wait' } };
  const until = { until: { type: 'string', enum: [...stayMoments] }, offsetMinutes: { type: 'integer' } };
  return [
    object({ ...wait, minutes: { type: 'integer', minimum: 1 } }, ['kind', 'minutes']),
    ...(knowsStay ? [object({ ...wait, ...until }, ['kind', 'until'])] : []),
  ];
}

/** @param inner what a branch may hold. */
export function branchSchema(conditions: JsonSchema, inner: readonly JsonSchema[]): JsonSchema {
  const steps = { type: 'array', minItems: 1, maxItems: 10, items: { anyOf: [...inner] } };
  const branch = { id, kind: { const: 'branch' }, conditions, steps, otherwise: { ...steps, minItems: 0 } };
  return object(branch, ['kind', 'conditions', 'steps']);
}
