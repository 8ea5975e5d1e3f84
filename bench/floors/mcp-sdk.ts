import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import express from 'express';
import { listTasks, orgOf, port, ready } from './database.js';

/** One tool on the official SDK, stateless, as in its examples: a server and a transport for each request. */
const app = express();
app.set('etag', false).disable('x-powered-by').use(express.json());

app.post('/mcp', async (request, response) => {
  const orgId = await orgOf(request.headers.authorization);
  const server = new McpServer({ name: 'floor', version: '1' });
  server.registerTool('listTasks', { description: 'Lists the newest tasks.' }, async () => {
    const structuredContent = { data: await listTasks(orgId) };
    return { content: [{ type: 'text', text: JSON.stringify(structuredContent) }], structuredContent };
  });
  const transport = new StreamableHTTPServerTransport({ sessionIdGenerator: undefined, enableJsonResponse: true });
  response.on('close', () => void Promise.all([transport.close(), server.close()]));
  await server.connect(transport);
  await transport.handleRequest(request, response, request.body);
});

app.listen(port, '127.0.0.1', ready);
