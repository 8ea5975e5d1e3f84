import type { JsonSchema } from '#operations';

/** The parts of the OpenAPI document that pages show. */
export interface Described {
  info: { description: string };
  tags: { name: string }[];
  paths: Record<string, Record<string, Entry>>;
  webhooks: Record<string, { post: { summary: string; 'x-scope': string | string[] } }>;
  components: { parameters: Record<string, Parameter>; schemas: Record<string, Schema> };
}
interface Entry {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  'x-scope'?: string;
  'x-effect': string;
  'x-errors'?: { status: number; code: string; key?: string }[];
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { schema: Schema; example: unknown } } };
  responses: Record<string, { content?: Record<string, { schema: Schema }> }>;
}
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  required?: boolean;
  description: string;
  schema: Schema;
  example?: unknown;
}
export interface Schema extends JsonSchema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: string[];
  const?: unknown;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  items?: Schema;
  contentSchema?: Schema;
  description?: string;
  properties?: Record<string, Schema>;
  required?: string[];
}

/** A field that an operation takes, or that a record has. */
export interface Field {
  name: string;
  place?: 'path' | 'query' | 'body';
  isRequired: boolean;
  description: string;
  schema: Schema;
}

/** An operation as its page shows it. */
export interface Shown {
  name: string;
  title: string;
  description: string;
  method: string;
  path: string;
  scope: string | undefined;
  effect: string;
  fields: Field[];
  example: unknown;
  /** The status of success, and what it returns. */
  status: string;
  returns: Schema | undefined;
  errors: { status: number; code: string }[];
}

export interface Feature {
  name: string;
  operations: Shown[];
}

export function featuresOf({ tags, paths, components }: Described): Feature[] {
  const all = Object.entries(paths).flatMap(([path, entries]) =>
    Object.entries(entries).map(([method, entry]) => ({
      feature: entry.tags[0],
      shown: shownOf(method, path, entry, components.parameters),
    })),
  );
  const common = commonErrors(all.map(({ shown }) => shown));
  return tags.map(({ name }) => ({
    name,
    operations: all
      .filter(({ feature }) => feature === name)
      .map(({ shown }) => ({ ...shown, errors: shown.errors.filter(({ code }) => !common.has(code)) })),
  }));
}

/** Errors of at least half of all operations: the guide describes them once. */
function commonErrors(operations: readonly Shown[]): ReadonlySet<string> {
  const codes = operations.flatMap(({ errors }) => [...new Set(errors.map(({ code }) => code))]);
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return new Set([...counts].filter(([, count]) => 2 * count >= operations.length).map(([code]) => code));
}

function shownOf(method: string, path: string, entry: Entry, parameters: Described['components']['parameters']): Shown {
  const given = (entry.parameters ?? []).map((one) =>
    '$ref' in one ? (parameters[nameIn(one.$ref)] as Parameter) : one,
  );
  const body = entry.requestBody?.content['application/json'];
  const [status, { content = {} }] = Object.entries(entry.responses)[0] as [string, Entry['responses'][string]];
  const { schema } = Object.values(content)[0] ?? {};
  return {
    name: entry.operationId,
    title: entry.summary,
    description: entry.description.replace(/\n\nScope: .*$/, ''),
    method: method.toUpperCase(),
    path,
    scope: entry['x-scope'],
    effect: entry['x-effect'],
    fields: [
      ...given.flatMap(({ name, in: place, required = false, description, schema: type }) =>
        place === 'header' ? [] : [{ name, place, isRequired: required, description, schema: type }],
      ),
      ...(body ? fieldsOf(body.schema, 'body') : []),
    ],
    example: body?.example,
    status,
    returns: schema?.properties?.data ?? schema?.contentSchema,
    errors: (entry['x-errors'] ?? []).map(({ status: refused, code, key }) => ({ status: refused, code: key ?? code })),
  };
}

export const fieldsOf = ({ properties = {}, required = [] }: Schema, place?: 'body'): Field[] =>
  Object.entries(properties).map(([name, schema]) => ({
    name,
    ...(place && { place }),
    isRequired: required.includes(name),
    description: schema.description ?? '',
    schema,
  }));

export const nameIn = (ref: string): string => ref.split('/').at(-1) as string;

/** The names of the schemas that these lead to, each once. */
export function namesFrom(schemas: readonly unknown[], all: Record<string, Schema>): string[] {
  const names = new Set<string>();
  const visit = (value: unknown): void => {
    if (typeof value !== 'object' || value === null) return;
    const { $ref } = value as Schema;
    if (typeof $ref !== 'string') {
      Object.values(value).forEach(visit);
      return;
    }
    const name = nameIn($ref);
    if (names.has(name)) return;
    names.add(name);
    visit(all[name]);
  };
  schemas.forEach(visit);
  return [...names];
}
