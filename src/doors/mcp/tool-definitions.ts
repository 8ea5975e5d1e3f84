import { canBeHeld } from '../../auth/approval-rules/mode-for.js';
import {
  dataSchemaOf,
  deprecationSentence,
  type Effect,
  isPaged,
  type JsonSchema,
  type Operation,
  schemaOf,
  shownFields,
} from '#operations';

/** A tool as tools/list describes it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema?: JsonSchema;
  annotations: Record<'readOnlyHint' | 'destructiveHint' | 'openWorldHint', boolean> & { idempotentHint?: true };
  _meta?: Record<string, unknown>;
}

export function toolDefinition(operation: Operation): ToolDefinition {
  const { name, title, showsSecret, effect, method, transaction, modelBacked } = operation;
  const isRepeatable = effect === 'read' || ['PUT', 'PATCH', 'DELETE'].includes(method);
  return {
    name,
    title,
    description: descriptionOf(operation),
    inputSchema: inputSchemaOf(operation),
    // Such a handler contacts providers outside of the service, or a language model does the work.
    annotations: annotationsOf(effect, isRepeatable, transaction === 'own' || modelBacked === true),
    ...(showsSecret && { _meta: { 'property-operations/showsSecret': true } }),
  };
}

export const annotationsOf = (
  effect: Effect,
  isRepeatable: boolean,
  isOpen: boolean,
): ToolDefinition['annotations'] => ({
  readOnlyHint: effect === 'read',
  destructiveHint: effect === 'destructive',
  // Left out, it is false.
  ...(isRepeatable && { idempotentHint: true as const }),
  openWorldHint: isOpen,
});

export function descriptionOf({ description, askedAs, showsSecret, deprecated }: Operation): string {
  const asked = askedAs === undefined ? '' : ` For: ${askedAs}.`;
  const ending = deprecated ? ` ${deprecationSentence(deprecated)}` : '';
  return `${description}${ending}${asked}${showsSecret ? ' The result contains a secret.' : ''}`;
}

/** The whole schema of an input, less what only costs tokens. */
export function inputSchemaOf({
  input,
  fieldsAs,
  includes,
}: Pick<Operation, 'input' | 'fieldsAs' | 'includes'>): JsonSchema {
  const said = new Set(fieldsAs && sentencesOf(schemaOf(fieldsAs)).filter((sentence) => !isAboutId(sentence)));
  const { properties, ...rest } = brief(withOpenItems(schemaOf(input), fieldsAs), said) as JsonSchema;
  const shown = includes && shownFields(Object.keys(includes));
  return {
    ...rest,
    ...(properties || shown ? { properties: { ...(properties as object), ...shown } } : {}),
    additionalProperties: false,
  };
}

/** Items have the fields of that other operation too, and their own id. */
function withOpenItems(schema: JsonSchema, fieldsAs: Operation['fieldsAs']): JsonSchema {
  const properties = schema.properties as Record<string, JsonSchema>;
  const { items } = properties;
  return fieldsAs && items
    ? { ...schema, properties: { ...properties, items: { ...items, items: openItem } } }
    : schema;
}

const openItem: JsonSchema = {
  type: 'object',
  properties: { externalId: { type: 'string' } },
  required: ['externalId'],
};

function sentencesOf(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  const { description } = value as JsonSchema;
  const inside = Object.values(value).flatMap(sentencesOf);
  return typeof description === 'string' ? [description, ...inside] : inside;
}

/** The form of an id is said wherever one is passed: what it looks like decides whether a call succeeds. */
const isAboutId = (sentence: string): boolean => /\(\w+_…\)/.test(sentence);

/** From this size on, a limit is one that an assistant does not reach; the input reader knows it. */
const far = 200;
/** Names and codes are shorter than that; the input reader knows the exact limit. */
const farText = 100;

/** Leaves out limits that say nothing, examples of simple values, and sentences that were said before. */
function brief(value: unknown, said: Set<string>): unknown {
  if (Array.isArray(value)) return value.map((part) => brief(part, said));
  if (typeof value !== 'object' || value === null) return value;
  const { pattern } = value as JsonSchema;
  const idle: Readonly<Record<string, (part: unknown) => boolean>> = {
    minLength: (part) => part === 1,
    maxLength: (part) => typeof pattern === 'string' || Number(part) >= farText,
    minItems: (part) => part === 0,
    maxItems: (part) => Number(part) >= far,
    maxProperties: () => true,
    'x-deprecated': () => true,
    // A number of things is at least none or one.
    minimum: (part) => part === 0 || part === 1 || Math.abs(Number(part)) >= far,
    maximum: (part) => Number(part) >= far,
    additionalProperties: (part) => part === false,
    // The rule of a text or a number shows its form; an object needs an example.
    examples: (part) => Array.isArray(part) && typeof part[0] !== 'object',
    description: (part) => typeof part === 'string' && (said.has(part) || !said.add(part)),
  };
  const kept = Object.entries(value).filter(([name, part]) => idle[name]?.(part) !== true);
  return Object.fromEntries(kept.map(([name, part]) => [name, brief(part, said)]));
}

const meta: JsonSchema = { type: 'object', properties: { requestId: { type: 'string' } }, required: ['requestId'] };

const pageMeta: JsonSchema = {
  type: 'object',
  properties: {
    requestId: { type: 'string' },
    pagination: {
      type: 'object',
      properties: { limit: { type: 'integer' }, nextCursor: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      required: ['limit', 'nextCursor'],
    },
    truncated: { type: 'string' },
  },
  required: ['requestId'],
};

const savedMeta: JsonSchema = {
  type: 'object',
  properties: { requestId: { type: 'string' }, outcome: { type: 'string' }, contentHash: { type: 'string' } },
  required: ['requestId'],
};

const metaOf = (output: Operation['output']): JsonSchema => {
  if (output.kind === 'saved') return savedMeta;
  return isPaged(output) ? pageMeta : meta;
};

/**
 * The body of a response, without descriptions. Some clients reject a root `anyOf`, so `data` and `error` are both
 * optional; `isError` says which one there is. Nothing inside `data` is required, so that an answer may leave fields out.
 */
export function outputSchemaOf(operation: Operation): JsonSchema {
  const { output } = operation;
  const view = optional(schemaOf(output.view, { describe: false })) as JsonSchema;
  return {
    type: 'object',
    properties: {
      // What waits for approval by a person is another record.
      data: canBeHeld(operation)
        ? { anyOf: [dataSchemaOf(output, view), { type: 'object' }] }
        : dataSchemaOf(output, view),
      meta: metaOf(output),
      error: { type: 'object' },
    },
    required: ['meta'],
  };
}

/** A schema that requires no field and forbids none. */
function optional(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(optional);
  if (typeof value !== 'object' || value === null) return value;
  const isSchema = 'type' in value && typeof value.type === 'string';
  const kept = Object.entries(value).filter(
    ([name, part]) => !isSchema || (name !== 'required' && !(name === 'additionalProperties' && part === false)),
  );
  return Object.fromEntries(kept.map(([name, part]) => [name, optional(part)]));
}
