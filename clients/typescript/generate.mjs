// What follows from the OpenAPI document: schema.ts with its types, operations.ts with a method for each operation, and
// errors.ts with the details of each error.
import openapiTypescript, { astToString } from 'openapi-typescript';

const header = '// Generated from docs/openapi.json by generate.mjs.\n';

export async function generatedFrom(document) {
  const operations = Object.entries(document.paths)
    .flatMap(([path, item]) => Object.entries(item).map(([method, entry]) => describe(document, path, method, entry)))
    .toSorted((a, b) => byName(a.name, b.name));
  return {
    'schema.ts': header + astToString(await openapiTypescript(document)),
    'errors.ts': `${header}import type { components } from './schema.js';

type Open = Record<string, unknown>;

/** What details each code of each status has. */
export interface ErrorDetails {
${errorsOf(document)}
}
`,
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
const componentOf = ({ contentSchema }) => `components['schemas']['${nameIn(contentSchema)}']`;

/** `x-errors` has the codes of all operations, and the schemas of the responses have their details. */
function errorsOf(document) {
  const entries = Object.values(document.paths).flatMap((item) => Object.values(item));
  const errors = entries.flatMap((entry) => entry['x-errors']);
  const details = new Map(
    entries
      .flatMap(({ responses }) => Object.values(responses))
      .flatMap((response) => typedIn(response.$ref ? document.components.responses[nameIn(response)] : response))
      .map(({ code, details: schema }) => [code.const, schema]),
  );
  const keys = [...new Set(errors.flatMap(({ key }) => key ?? []))].sort(byName);
  const validation = `{ service: string; method: string; issues?: components['schemas']['Issue'][]; key?: ${union(keys)} }`;
  const typeOf = (status, code) => {
    if (status === 400) return validation;
    return details.has(code) ? `components['schemas']['${nameIn(details.get(code))}']` : 'Open';
  };
  return [...Map.groupBy(errors, ({ status }) => status)]
    .toSorted(([one], [other]) => one - other)
    .map(([status, all]) => {
      const codes = [...new Set(all.map(({ code }) => code))].sort(byName);
      return `  ${status}: {\n${codes.map((code) => `    ${code}: ${typeOf(status, code)};`).join('\n')}\n  };`;
    })
    .join('\n');
}

/** The codes that have details of their own, in the schema of a response. */
function typedIn({ content }) {
  const { oneOf = [], properties } = content?.['application/json']?.schema.properties?.error ?? {};
  if (properties?.details?.$ref) return [{ code: { const: properties.code.enum[0] }, details: properties.details }];
  return oneOf.map(({ properties: typed }) => typed).filter(({ details }) => details);
}

const nameIn = ({ $ref }) => $ref.split('/').at(-1);
const byName = (a, b) => (a < b ? -1 : 1);
const union = (names) => names.map((name) => `'${name}'`).join(' | ');
