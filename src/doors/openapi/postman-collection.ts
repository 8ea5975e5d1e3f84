import type { JsonSchema } from '#operations';

const schemaAddress = 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json';

/** What the collection needs of the OpenAPI document. */
interface Document {
  info: { title: string; version: string };
  servers: [{ url: string }];
  tags: { name: string }[];
  paths: Record<string, Record<string, Entry>>;
  components: { parameters: Record<string, Parameter> };
}
interface Entry {
  operationId: string;
  tags: [string];
  summary: string;
  description: string;
  parameters?: (Parameter | { $ref: string })[];
  requestBody?: { content: { 'application/json': { example: unknown } } };
}
interface Parameter {
  name: string;
  in: 'path' | 'query' | 'header';
  description: string;
  example?: unknown;
}

/** The OpenAPI document as a collection of Postman (version 2.1): a folder for each feature, a request for each operation. */
export function postmanCollection(document: JsonSchema): JsonSchema {
  const { info, servers, tags, paths, components } = document as unknown as Document;
  const all = Object.entries(paths).flatMap(([path, entries]) =>
    Object.entries(entries).map(([method, entry]) => ({ method, path, entry })),
  );
  return {
    info: {
      name: info.title,
      version: info.version,
      description: 'Set the variable apiKey to an API key or an access token.',
      schema: schemaAddress,
    },
    auth: { type: 'bearer', bearer: [{ key: 'token', value: '{{apiKey}}', type: 'string' }] },
    variable: [
      { key: 'baseUrl', value: servers[0].url },
      { key: 'apiKey', value: '' },
    ],
    item: tags.map(({ name }) => ({
      name,
      item: all
        .filter(({ entry }) => entry.tags[0] === name)
        .map(({ method, path, entry }) => requestOf(method, path, entry, components)),
    })),
  };
}

function requestOf(method: string, path: string, entry: Entry, { parameters }: Document['components']): JsonSchema {
  const given = (entry.parameters ?? []).map((one) =>
    '$ref' in one ? (parameters[one.$ref.split('/').at(-1) as string] as Parameter) : one,
  );
  const of = (place: Parameter['in']): Parameter[] => given.filter((one) => one.in === place);
  const segments = path.slice(1).replaceAll(/\{(\w+)\}/g, ':$1');
  const body = entry.requestBody?.content['application/json'].example;
  return {
    name: entry.summary,
    request: {
      method: method.toUpperCase(),
      description: entry.description,
      header: [
        ...of('header').map(headerOf),
        ...(body === undefined ? [] : [{ key: 'Content-Type', value: 'application/json' }]),
      ],
      url: {
        raw: `{{baseUrl}}/${segments}`,
        host: ['{{baseUrl}}'],
        path: segments.split('/'),
        variable: of('path').map(({ name, description, example = '' }) => ({ key: name, value: example, description })),
        // Switched off: an empty value is not the same as none.
        query: of('query').map(({ name, description }) => ({ key: name, value: '', description, disabled: true })),
      },
      ...(body !== undefined && {
        body: { mode: 'raw', raw: JSON.stringify(body, null, 2), options: { raw: { language: 'json' } } },
      }),
    },
  };
}

/** Each request that Postman sends has a new Idempotency-Key; the other headers are switched off. */
const headerOf = ({ name, description }: Parameter): JsonSchema =>
  name === 'Idempotency-Key'
    ? { key: name, value: '{{$guid}}', description }
    : { key: name, value: '', description, disabled: true };
