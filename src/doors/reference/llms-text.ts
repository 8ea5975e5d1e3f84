import { pageOf, titleOf } from './feature-names.js';
import { type Feature, type Field, nameIn, type Schema, type Shown } from './reading.js';

export interface Addresses {
  baseUrl: string;
  mcpUrl: string;
}

/** A description of the service and its doors for language models (llmstxt.org). */
export const llmsText = (
  { baseUrl, mcpUrl }: Addresses,
  features: readonly Feature[],
): string => `# Property Operations Service

> A hosted operations backend for short-term rentals and hotels: tasks, reservations, devices, guides and more. Every
> operation can be called over REST and as a tool of the Model Context Protocol (MCP).

Requests carry \`Authorization: Bearer <API key or OAuth access token>\`. getMe (GET /api/v1/me) returns what a
credential may do. Every error says what to change; retry 429 and 503 after Retry-After seconds.

## Doors

- [MCP](${mcpUrl}/mcp): streamable HTTP; \`?toolsets=core\` lists the everyday tools and finds the others by name; \`?readonly=true\` lists only read-only tools
- [OpenAPI 3.1 document](${baseUrl}/openapi.json): every REST operation below ${baseUrl}/api/v1, with examples
- [Postman collection](${baseUrl}/postman.json): a request for each operation
- [API reference](${baseUrl}/docs): the same for people
- [Every operation with its fields](${baseUrl}/llms-full.txt): one text

## Features

${features.map(({ name, operations }) => `- [${titleOf(name)}](${baseUrl}/docs/${pageOf(name)}): ${operations.map((one) => one.name).join(', ')}`).join('\n')}

## Optional

- [OAuth protected resource](${mcpUrl}/.well-known/oauth-protected-resource): where a client gets an access token
- [Guides](${baseUrl}/docs/guides): concepts, errors, webhooks, limits and more
`;

/** Every operation with its fields. */
export const llmsFullText = (addresses: Addresses, features: readonly Feature[]): string =>
  `${llmsText(addresses, features)}
${features.map(({ name, operations }) => `# ${titleOf(name)}\n\n${operations.map(operationText).join('\n')}`).join('\n')}`;

const operationText = ({
  name,
  title,
  method,
  path,
  scope,
  effect,
  description,
  fields,
  returns,
}: Shown): string => `## ${name}: ${title}

${method} ${path} · ${effect}${scope ? ` · scope ${scope}` : ''}

${description}
${fields.length > 0 ? `\n${fields.map(fieldText).join('\n')}\n` : ''}${returns ? `\nReturns ${typeText(returns)}\n` : ''}`;

const fieldText = ({ name, place, isRequired, schema, description }: Field): string =>
  `- ${name} (${place}, ${typeText(schema)}${isRequired ? ', required' : ''}): ${description}`;

function typeText({ $ref, anyOf, oneOf, items, enum: values, format, type }: Schema): string {
  if ($ref) return nameIn($ref);
  const several = anyOf ?? oneOf;
  if (several) return several.map(typeText).join(' or ');
  if (items) return `list of ${typeText(items)}`;
  return values?.join(' | ') ?? format ?? String(type ?? 'any');
}
