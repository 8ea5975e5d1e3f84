// What follows from the OpenAPI document: schema.ts with its types, and operations.ts with a method for each operation.
import openapiTypescript, { astToString } from 'openapi-typescript';

const header = '// Generated from docs/openapi.json by generate.mjs.\n';

export async function generatedFrom(document) {
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) => Object.entries(item).map(([method, entry]) => describe(document, path, method, entry)))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
  return {
    'schema.ts': header + astToString(await openapiTypescript(document)),
    'operations.ts': `${header}import type { Bulk, List, Read, Stream, Write } from '../methods.js';
import type { components } from './schema.js';

/** The kind, the method and the path of each operation. */
export const addresses = {
${operations.map(({ name, address }) => `  ${name}: '${address}',`).join('\n')}
} as const;

export interface Operations {
${operations.map(({ name, comment, type }) => `  /** ${comment} */\n  ${name}: ${type};`).join('\n')}
}
`,
  };
}

function describe(document, path, method, entry) {
  const name = entry.operationId;
  const [[contentType, { schema }]] = Object.entries(successOf(entry).content);
  const kind = kindOf(entry, path, contentType, schema);
  return {
    name,
    address: `${kind} ${method} ${path.replace('/api/v1', '')}`,
    comment: `${entry.summary}. ${entry.description}`.replaceAll('*/', '*\\/').replaceAll(/\s*\n+/g, '\n   *\n   * '),
    type:
      kind === 'stream'
        ? `Stream<'${name}', ${componentOf(schema)}>`
        : `${kind[0].toUpperCase()}${kind.slice(1)}<'${name}'>`,
  };
}

function kindOf(entry, path, contentType, schema) {
  if (contentType !== 'application/json') return 'stream';
  if (entry['x-effect'] !== 'read') return path.endsWith('/bulk') && bodyOf(entry).items ? 'bulk' : 'write';
  const { data, meta } = schema.properties;
  return meta.$ref?.endsWith('/PageMeta') && data.type === 'array' ? 'list' : 'read';
}

const successOf = ({ responses }) => responses[200] ?? responses[201];
const bodyOf = ({ requestBody }) => requestBody?.content['application/json'].schema.properties ?? {};
const componentOf = ({ contentSchema: { $ref } }) => `components['schemas']['${$ref.split('/').at(-1)}']`;
