import { randomUUID } from 'node:crypto';
import { errorTypes } from '#errors';
import { type Api, apiOf, type Json } from './api.js';
import { keyWith } from './factories.js';
import { type Mcp, mcpOf } from './mcp.js';
import { startApp } from './start-app.js';

/**
 * The service that the acceptance suite tests, only over HTTP: this process, or a deployment with TARGET_URL and
 * TARGET_API_KEY. TARGET_API_KEY needs every scope; TARGET_MCP_URL defaults to TARGET_URL.
 */
export interface Target {
  url: string;
  mcpUrl: string;
  /** With every scope, and a limit that no test reaches. */
  api: Api;
  mcp: Mcp;
  ask: Record<DoorName, Ask>;
  close(): Promise<void>;
}

export type DoorName = (typeof doorNames)[number];
export const doorNames = ['REST', 'MCP'] as const;

interface Options {
  key?: string | undefined;
  idempotencyKey?: string;
  headers?: Record<string, string>;
}
type Ask = (
  operation: keyof typeof routes,
  input?: object,
  options?: Options,
) => Promise<{ status: number; headers: Headers; body: Json }>;

/** Method and path of the operations that are called over both doors. */
const routes = {
  getMe: 'GET /me',
  createTask: 'POST /tasks',
  listTasks: 'GET /tasks',
  getTask: 'GET /tasks/{taskId}',
  updateTask: 'PATCH /tasks/{taskId}',
  completeTask: 'POST /tasks/{taskId}/complete',
  createProperty: 'POST /properties',
  createReservation: 'POST /reservations',
  listReservations: 'GET /reservations',
  listProperties: 'GET /properties',
  getProperty: 'GET /properties/{propertyId}',
  createConnection: 'POST /connections',
  updateConnection: 'PATCH /connections/{connectionId}',
  getConnection: 'GET /connections/{connectionId}',
  disconnectConnection: 'POST /connections/{connectionId}/disconnect',
  listDevices: 'GET /devices',
  getDevice: 'GET /devices/{deviceId}',
  updateDevice: 'PATCH /devices/{deviceId}',
  archiveDevice: 'POST /devices/{deviceId}/archive',
  restoreDevice: 'POST /devices/{deviceId}/restore',
  lockDevice: 'POST /devices/{deviceId}/lock',
  unlockDevice: 'POST /devices/{deviceId}/unlock',
  setDeviceTemperature: 'POST /devices/{deviceId}/temperature',
  setDeviceMode: 'POST /devices/{deviceId}/mode',
  createApiKey: 'POST /api-keys',
  listApiKeys: 'GET /api-keys',
  getApiKey: 'GET /api-keys/{keyId}',
  revokeApiKey: 'POST /api-keys/{keyId}/revoke',
} as const;

/**
 * TARGET_OPS is the command that runs operators' commands on the deployment, such as `docker compose exec -T app npm
 * run -s ops --`: the suite creates people and organizations with it.
 */
export const { TARGET_URL, TARGET_API_KEY, TARGET_MCP_URL, TARGET_OPS } = process.env;

/** For tests that move the clock, end the service or look inside it: skipped at a deployment, with a message. */
export function onlyHere(why: string): jest.It {
  if (!TARGET_URL) return it;
  console.warn(`Skipped at ${TARGET_URL}: ${why}`);
  return it.skip;
}

/** For tests that need people or other organizations: at a deployment, its operators' commands create them. */
export function withOps(why: string): jest.It {
  return TARGET_OPS ? it : onlyHere(`${why}, which needs TARGET_OPS`);
}

export async function openTarget(): Promise<Target> {
  if (TARGET_URL) return await targetAt(TARGET_URL, TARGET_MCP_URL ?? TARGET_URL, TARGET_API_KEY, () => undefined);
  const { url, config, key, close } = await startApp();
  return await targetAt(url, config.mcpUrl, key, close);
}

async function targetAt(
  url: string,
  mcpUrl: string,
  first: string | undefined,
  end: () => Promise<void> | undefined,
): Promise<Target> {
  const { api, key, id } = await keyWith(apiOf(url, first), { name: `Acceptance ${randomUUID()}` });
  return {
    url,
    mcpUrl,
    api,
    mcp: mcpOf(mcpUrl, key),
    ask: asking(url, mcpUrl, key),
    close: async () => {
      await api.post(`/api-keys/${id}/revoke`);
      await end();
    },
  };
}

/** Operations over both doors, called with a key unless another one is given. */
export const asking = (url: string, mcpUrl: string, key: string): Target['ask'] => ({
  REST: overRest(url, key),
  MCP: overMcp(mcpUrl, key),
});

const keyOf = (options: Options, otherwise: string): string | undefined => ('key' in options ? options.key : otherwise);

function overRest(url: string, first: string): Ask {
  return async (operation, input = {}, options = {}) => {
    const [method = '', template = ''] = routes[operation].split(' ');
    const rest: Record<string, unknown> = { ...input };
    const path = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
      const value = String(rest[name]);
      delete rest[name];
      return encodeURIComponent(value);
    });
    const query = method === 'GET' ? `?${new URLSearchParams(rest as Record<string, string>).toString()}` : '';
    const headers = {
      ...options.headers,
      ...(options.idempotencyKey !== undefined && { 'idempotency-key': options.idempotencyKey }),
    };
    const body = method === 'GET' || Object.keys(rest).length === 0 ? undefined : rest;
    return await apiOf(url, keyOf(options, first)).send(method, path + query, body, headers);
  };
}

function overMcp(mcpUrl: string, first: string): Ask {
  return async (operation, input = {}, options = {}) => {
    const { status, headers, isError, body } = await mcpOf(mcpUrl, keyOf(options, first)).call(operation, input, {
      headers: options.headers,
      ...(options.idempotencyKey !== undefined && {
        meta: { 'property-operations/idempotencyKey': options.idempotencyKey },
      }),
    });
    if (status !== 200) return { status, headers, body };
    const type = isError ? (body as Json).error.type : undefined;
    const refused = errorTypes.find((row) => row.type === type)?.status;
    return {
      status: refused ?? (routes[operation].startsWith('POST') && !/\}/.test(routes[operation]) ? 201 : 200),
      headers,
      body,
    };
  };
}
