import type { Config } from '../../platform/config/app.config.js';

/** A description of the service and its doors for language models (llmstxt.org). */
export const llmsText = ({
  baseUrl,
  mcpUrl,
}: Pick<Config, 'baseUrl' | 'mcpUrl'>): string => `# Property Operations Service

> A hosted operations backend for short-term rentals and hotels: tasks, reservations, devices, guides and more. Every
> operation can be called over REST and as a tool of the Model Context Protocol (MCP).

Requests carry \`Authorization: Bearer <API key or OAuth access token>\`. getMe (GET /api/v1/me) tells what a credential
may do. Every error names what to change; retry 429 and 503 after Retry-After seconds.

## Doors

- [MCP](${mcpUrl}/mcp): streamable HTTP; \`?toolsets=core\` lists the tools of a usual day and finds the others by name, \`?readonly=true\` only reads
- [OpenAPI 3.1 document](${baseUrl}/openapi.json): every REST operation below ${baseUrl}/api/v1, with examples
- [Postman collection](${baseUrl}/postman.json): a request for each operation
- [API reference](${baseUrl}/docs): the same for people

## Optional

- [OAuth protected resource](${mcpUrl}/.well-known/oauth-protected-resource): where a client gets an access token
`;
