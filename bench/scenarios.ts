import { randomUUID } from 'node:crypto';
import { httpRequest } from './client.js';
import type { Tenant } from './fixtures.js';

/** One kind of request, as every server receives it. */
export interface Scenario {
  name: string;
  /** The servers that receive it, besides the service. The first is what the service is compared with, if any. */
  floors: readonly string[];
  status: number;
  /** The requesting organization: lists do not change while others create. */
  tenant: 'reader' | 'writer';
  request: (token: string, tenant: Tenant, index: number) => Buffer;
}

/** The body of a request that creates a task. */
export const createTask = JSON.stringify({
  name: 'Clean apartment 12',
  description: 'Linen is in the hall; the code of the safe has changed.',
  type: 'cleaning',
  priority: 'high',
  dueAt: '2027-03-01T15:00:00+01:00',
  durationMinutes: 90,
  checklist: [{ title: 'Change the linen', required: true }, { title: 'Water the plants' }],
  metadata: { floor: '2' },
});

const rest = ['express', 'http', 'nest'];

/** A message to /mcp, as a client of the 2025-11-25 protocol sends it. */
export const mcpRequest = (token: string, method: string, params: object, query = ''): Buffer =>
  httpRequest(`POST /mcp${query}`, {
    token,
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
    headers: { Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': '2025-11-25' },
  });

/** A request to the token endpoint. */
const tokenRequest = (form: URLSearchParams): Buffer =>
  httpRequest('POST /oauth/token', {
    body: String(form),
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
  });

export const scenarios: readonly Scenario[] = [
  {
    name: 'list 20',
    floors: rest,
    status: 200,
    tenant: 'reader',
    request: (token) => httpRequest('GET /api/v1/tasks', { token }),
  },
  {
    name: 'get one',
    floors: rest,
    status: 200,
    tenant: 'reader',
    request: (token, { taskIds }, index) =>
      httpRequest(`GET /api/v1/tasks/${taskIds[index % taskIds.length]}`, { token }),
  },
  {
    name: 'create',
    floors: rest,
    status: 201,
    tenant: 'writer',
    request: (token) => httpRequest('POST /api/v1/tasks', { token, body: createTask }),
  },
  {
    name: 'create, told',
    floors: ['express-told'],
    status: 201,
    tenant: 'writer',
    request: (token) => httpRequest('POST /api/v1/tasks', { token, body: createTask }),
  },
  {
    // The floors have no idempotency keys: a keyed create is compared with their plain one.
    name: 'create with key',
    floors: rest,
    status: 201,
    tenant: 'writer',
    request: (token) =>
      httpRequest('POST /api/v1/tasks', { token, body: createTask, headers: { 'Idempotency-Key': randomUUID() } }),
  },
  {
    name: 'tools/call',
    floors: ['mcp-sdk'],
    status: 200,
    tenant: 'reader',
    request: (token) => mcpRequest(token, 'tools/call', { name: 'listTasks', arguments: {} }),
  },
  {
    name: 'tools/list',
    floors: ['mcp-sdk'],
    status: 200,
    tenant: 'reader',
    request: (token) => mcpRequest(token, 'tools/list', {}),
  },
  {
    name: 'tools/list, core',
    floors: [],
    status: 200,
    tenant: 'reader',
    request: (token) => mcpRequest(token, 'tools/list', {}, '?toolsets=core'),
  },
  {
    name: 'list 20 with OAuth',
    floors: ['express'],
    status: 200,
    tenant: 'reader',
    request: (_key, { approvals }) => httpRequest('GET /api/v1/tasks', { token: approvals.nextAccessToken() }),
  },
  {
    name: 'refresh',
    floors: [],
    status: 200,
    tenant: 'reader',
    request: (_key, { approvals }) => tokenRequest(approvals.nextRefresh()),
  },
  {
    name: 'code exchange',
    floors: [],
    status: 200,
    tenant: 'reader',
    request: (_key, { approvals }) => tokenRequest(approvals.nextCode()),
  },
];
