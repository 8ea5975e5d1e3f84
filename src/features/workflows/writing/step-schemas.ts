import { fieldsOf, type JsonSchema, type Operation, schemaOf, type Shape } from '#operations';
import type { NamedRecord } from '../known-records.repository.js';
import { BranchStep, EmailStep, OperationStep, WaitStep, WebhookStep } from '../step.dto.js';

/** The records that a model may name, by the prefix of the ids. */
export type Choices = Readonly<Record<string, readonly NamedRecord[]>>;

export const object = (properties: Record<string, JsonSchema>, required = Object.keys(properties)): JsonSchema => ({
  type: 'object',
  properties,
  required,
  additionalProperties: false,
});

/** Omits a field that the model does not need. */
export const leftOut = null;

/**
 * The schema of a class for a model: some fields allow fewer values, and others are omitted.
 *
 * @param required fields that the model must fill in although they are optional.
 * @param describe with descriptions and examples.
 */
export function narrowed(
  shape: Shape,
  fields: Readonly<Record<string, JsonSchema | typeof leftOut>>,
  required: readonly string[] = [],
  describe = false,
): JsonSchema {
  const schema = schemaOf(shape, { describe }) as {
    properties: Record<string, JsonSchema>;
    required?: string[];
  };
  const kept = Object.entries({ ...schema.properties, ...fields }).filter(([, field]) => field !== leftOut);
  return object(Object.fromEntries(kept) as Record<string, JsonSchema>, [...(schema.required ?? []), ...required]);
}

const aFact: JsonSchema = { type: 'string', pattern: '^\\{\\{[^{}]+\\}\\}$' };

/** A step that performs an operation; its ids are existing ones, or facts. */
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
  return narrowed(OperationStep, { operation: { const: name }, input: given }, ['input']);
}

/** A field as a model may fill it in: with a literal value, or with a fact in its place. */
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

/** The kinds of records that an operation's input, and conditions, may name. */
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

/** Steps that send email: to the guest if a stay is known, or to a member. */
export function emailSchemas({ template = [], member = [] }: Choices, knowsStay: boolean): JsonSchema[] {
  const templateId = { type: 'string', enum: template.map((record) => record.id) };
  const memberId = { type: 'string', enum: member.map((record) => record.id) };
  return [
    ...(knowsStay ? [narrowed(EmailStep, { templateId, to: { const: 'guest' }, memberId: leftOut })] : []),
    narrowed(EmailStep, { templateId, to: { const: 'member' }, memberId }, ['memberId']),
  ];
}

export const webhookSchema = (addresses: readonly string[]): JsonSchema =>
  narrowed(WebhookStep, { url: { type: 'string', enum: [...addresses] }, payload: leftOut });

export const waitSchemas = (knowsStay: boolean): JsonSchema[] => [
  narrowed(WaitStep, { until: leftOut, offsetMinutes: leftOut }, ['minutes']),
  ...(knowsStay ? [narrowed(WaitStep, { minutes: leftOut }, ['until'])] : []),
];

/** @param inner the steps that a branch may contain. */
export function branchSchema(conditions: JsonSchema, inner: readonly JsonSchema[]): JsonSchema {
  const steps = { type: 'array', minItems: 1, maxItems: 10, items: { anyOf: [...inner] } };
  return narrowed(BranchStep, { conditions, steps, otherwise: { ...steps, minItems: 0 } });
}
