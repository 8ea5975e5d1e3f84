import fc from 'fast-check';
import { type JsonSchema, type Operation, schemaOf } from '#operations';

/** What inputs refer to. */
export interface Known {
  /** By field name: ids that may be named, and ids that may not; undefined if it does not name a record. */
  idsFor(field: string): { ours: string[]; others: string[] } | undefined;
  cursors: string[];
}

/**
 * Of any code points; the unit `binary` of fast-check first creates a table of them, which takes more than a second.
 */
const anyText = fc
  .array(fc.oneof(fc.nat({ max: 0xff }), fc.nat({ max: 0x10_ffff })), { maxLength: 50 })
  .map((points) => String.fromCodePoint(...points));

/** Of every type but the expected one, at the limits of numbers and texts, and of no type at all. */
const odd: fc.Arbitrary<unknown> = fc.oneof(
  fc.constantFrom(null, true, -1, 0.1, 2 ** 31, 2 ** 53, 1e308, -1e308, [], {}, [null], [[]]),
  fc.constantFrom('', ' ', '\0', '\ud800', '\u202e', "'; --", '%00', '{{', 'x'.repeat(10_001), '9'.repeat(400)),
  fc.constantFrom('{"__proto__":{"x":1}}', '{"constructor":1,"hasOwnProperty":null}').map((text) => JSON.parse(text)),
  anyText,
  fc.jsonValue({ maxDepth: 3 }),
);

/** Mostly valid. */
const nearly = <T>(proper: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 20, arbitrary: proper }, { weight: 1, arbitrary: odd });

/**
 * Inputs of an operation, from its schema: mostly valid, and sometimes invalid at each level.
 *
 * @param least its minimum input.
 * @param address its path parameters.
 */
export function inputsOf(operation: Operation, known: Known, least: object, address: object): fc.Arbitrary<object> {
  const { properties = {}, required = [] } = schemaOf(operation.input) as ObjectSchema;
  const names = Object.keys(properties).filter((name) => !operation.pathParameters.includes(name));
  const fields = Object.fromEntries(names.map((name) => [name, nearly(valueOf(name, properties[name]!, known))]));
  const missing = fc.record(fields, { requiredKeys: [] });
  const given = fc.record(fields, {
    requiredKeys: required.filter((name) => names.includes(name) && !(name in least)),
  });
  const unknown = fc.record({ surprise: odd });
  const body = fc.oneof(
    { weight: 8, arbitrary: given.map((some) => ({ ...least, ...some })) },
    { weight: 1, arbitrary: missing },
    { weight: 1, arbitrary: unknown.map((some) => ({ ...least, ...some })) },
  );
  return fc.tuple(addressesOf(operation, known, address), body).map(([path, some]) => ({ ...some, ...path }));
}

const addressesOf = ({ pathParameters }: Operation, { idsFor }: Known, address: object): fc.Arbitrary<object> => {
  const others = (name: string): string[] => [...(idsFor(name)?.others ?? []), 'no id', 'a/b?c#d%', '\u{1f600}'];
  const one = (name: string) => fc.constantFrom(...others(name));
  const astray = fc.record(Object.fromEntries(pathParameters.map((name) => [name, one(name)])));
  return fc.oneof({ weight: 9, arbitrary: fc.constant(address) }, { weight: 1, arbitrary: astray });
};

interface ObjectSchema extends JsonSchema {
  properties?: Record<string, JsonSchema>;
  required?: string[];
}

/** A value that a field accepts, as far as its schema defines it. */
function valueOf(name: string, schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const ids = known.idsFor(name);
  if (schema.type === 'array') return listOf(name, schema, known);
  if (ids) return fc.constantFrom(...ids.ours, ...ids.ours, ...ids.others);
  if (name === 'cursor') return fc.constantFrom(...known.cursors);
  if (schema.anyOf) return fc.oneof(...(schema.anyOf as JsonSchema[]).map((option) => valueOf(name, option, known)));
  if (schema.enum) return fc.constantFrom(...(schema.enum as unknown[]));
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'null') return fc.constant(null);
  const { minimum: min = -1e9, maximum: max = 1e9 } = schema as { minimum?: number; maximum?: number };
  if (schema.type === 'integer') return fc.integer({ min, max });
  if (schema.type === 'number') return fc.double({ min, max, noNaN: true });
  return schema.type === 'object' ? objectOf(schema, known) : textOf(schema);
}

function listOf(name: string, schema: JsonSchema, known: Known): fc.Arbitrary<unknown> {
  const {
    items = {},
    minItems = 0,
    maxItems = 3,
  } = schema as { items?: JsonSchema; minItems?: number; maxItems?: number };
  const lengths = { minLength: minItems, maxLength: Math.min(maxItems, minItems + 3) };
  return fc.array(nearly(valueOf(name, items, known)), lengths);
}

function objectOf(schema: ObjectSchema, known: Known): fc.Arbitrary<unknown> {
  const { properties, required = [] } = schema;
  if (!properties) return fc.dictionary(fc.string({ maxLength: 41 }), nearly(fc.string()), { maxKeys: 3 });
  const fields = Object.entries(properties).map(([name, field]) => [name, nearly(valueOf(name, field, known))]);
  return fc.record(Object.fromEntries(fields) as Record<string, fc.Arbitrary<unknown>>, { requiredKeys: required });
}

/** The first and the last valid time, and others. */
const [min, max] = [new Date('0001-01-01T00:00:00.000Z'), new Date('9999-12-31T23:59:59.999Z')];
const moments = fc.oneof(
  { weight: 1, arbitrary: fc.constantFrom(min, max) },
  { weight: 4, arbitrary: fc.date({ min, max, noInvalidDate: true }) },
);

function textOf(schema: TextSchema): fc.Arbitrary<string> {
  const { format, pattern, contentEncoding, examples = [], minLength = 0, maxLength = 50 } = schema;
  const shown: fc.Arbitrary<string>[] = examples.length > 0 ? [fc.constantFrom(...examples)] : [];
  const lengths = { minLength, maxLength: Math.min(maxLength, minLength + 50) };
  if (format === 'date-time') return moments.map((date) => date.toISOString());
  if (format === 'date') return moments.map((date) => date.toISOString().slice(0, 10));
  if (format === 'email') return fc.emailAddress();
  if (contentEncoding) return fc.base64String({ maxLength: 50 });
  if (pattern) return fc.oneof(...shown, fc.stringMatching(new RegExp(pattern, 'u')));
  return fc.oneof(...shown, fc.string(lengths), fc.string({ ...lengths, unit: 'grapheme' }));
}

interface TextSchema extends JsonSchema {
  format?: string;
  pattern?: string;
  contentEncoding?: string;
  examples?: string[];
  minLength?: number;
  maxLength?: number;
}
