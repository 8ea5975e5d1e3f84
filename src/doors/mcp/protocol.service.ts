import type { IncomingHttpHeaders } from 'node:http';
import type {
  InboundLadderRejection,
  InboundLegacyRoute,
  InboundModernRoute,
  McpHttpHandler,
  Server,
} from '@modelcontextprotocol/server';
import { Inject, Injectable } from '@nestjs/common';
import { CONFIG } from '../../platform/config/app.config.js';
import type { Config } from '../../platform/config/app.config.js';
import { invalidParams, invalidRequest, type JsonRpcRequest } from './json-rpc.js';
import { namesAgree } from './standard-headers.js';

type Sdk = typeof import('@modelcontextprotocol/server');

/** The supported revisions: one without a handshake, and those of the era that starts with `initialize`. */
const statelessRevision = '2026-07-28';
const handshakeRevisions = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** `modern` is 2026-07-28, `legacy` the revisions of 2025, as the SDK calls them. */
export type Era = 'modern' | 'legacy';

export const serverInfo = { name: 'property-operations', title: 'Property Operations', version: '1.0.0' };

const instructions = [
  'Property operations for short-term rentals and hotels: properties and their units, reservations, guests, tasks, devices, guides.',
  'Call getMe with brief=true first: it returns today, the time zone, what you may do, and why tools may be missing.',
  'Who arrives or leaves, and is it clean? listReservations with arrivingOn or departingOn, then listTasks with type cleaning.',
  'Something is broken: find the place (listProperties, listUnits), then createTask with type maintenance and assignTask.',
  'Lock, unlock, heat, a code for the door: listDevices, then lockDevice, unlockDevice, setDeviceTemperature, createAccessCode.',
  'Every id has a prefix and comes from a list. Dates of stays are local to the property; times need an offset.',
  'Lists return 20 records; pass meta.pagination.nextCursor as cursor for more. meta.truncated says that a list was cut.',
  'What has no tool here: findOperations, then readByName, changeByName or destroyByName.',
  'Send your own _meta["property-operations/idempotencyKey"] with each write, and the same one when you retry it.',
  'An error says what to change. Ask a person before you repeat a device command whose outcome is unknown.',
].join('\n');

/** What to do with a message that has been read. */
export type Route =
  | { kind: 'tools'; era: Era; request: JsonRpcRequest }
  | { kind: 'notification' }
  | { kind: 'refused'; status: number; error: { code: number; message: string; data?: unknown } }
  | { kind: 'protocol'; answer: () => Promise<Response> };

/**
 * The protocol around the tools, with the official SDK: the era of a message, the handshake, discovery, ping and errors
 * for malformed messages. `tools/list` and `tools/call` are the hot path, so this service dispatches them itself.
 */
@Injectable()
export class ProtocolService {
  private sdk?: Promise<Sdk>;
  private modern?: McpHttpHandler;

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  async route(headers: IncomingHttpHeaders, body: unknown): Promise<Route> {
    // Loaded with the first message, so that the start of the process does not wait for it.
    const sdk = await (this.sdk ??= import('@modelcontextprotocol/server'));
    const route = sdk.classifyInboundRequest({ httpMethod: 'POST', body, ...standardHeaders(headers) });
    if (route.kind === 'reject') return refused(route);
    if (route.kind === 'legacy' && route.reason === 'batch') return refusedBatch;
    if (route.kind === 'legacy' && route.reason === 'initialize' && !sdk.isInitializeRequest(body)) return refusedHello;
    if (isNotification(route)) return { kind: 'notification' };
    const request = body as JsonRpcRequest;
    if (isForTools(request) && isAcceptable(route, headers, request))
      return { kind: 'tools', era: route.kind, request };
    return { kind: 'protocol', answer: () => this.answer(sdk, route.kind, headers, body) };
  }

  private async answer(sdk: Sdk, era: Era, headers: IncomingHttpHeaders, body: unknown): Promise<Response> {
    const request = this.webRequest(headers);
    if (era === 'modern') {
      this.modern ??= sdk.createMcpHandler(() => newServer(sdk), { legacy: 'reject' });
      return await this.modern.fetch(request, { parsedBody: body });
    }
    const server = newServer(sdk, handshakeRevisions);
    const transport = new sdk.WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: undefined,
      enableJsonResponse: true,
    });
    await server.connect(transport);
    try {
      return await transport.handleRequest(request, { parsedBody: body });
    } finally {
      await server.close();
    }
  }

  private webRequest(headers: IncomingHttpHeaders): Request {
    const given = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    return new Request(`${this.config.mcpUrl}/mcp`, {
      method: 'POST',
      headers: [...given, ['content-type', 'application/json'], ['accept', 'application/json, text/event-stream']],
    });
  }
}

const newServer = (sdk: Sdk, supportedProtocolVersions?: string[]): Server =>
  new sdk.Server(serverInfo, {
    capabilities: { tools: {} },
    instructions,
    ...(supportedProtocolVersions && { supportedProtocolVersions }),
  });

/** The part of the SDK's error that JSON-RPC has a place for. */
const refused = ({ httpStatus, code, message, data }: InboundLadderRejection): Route => ({
  kind: 'refused',
  status: httpStatus,
  error: { code, message, ...(data !== undefined && { data }) },
});

/** The SDK would call it an internal error. */
const refusedHello: Route = {
  kind: 'refused',
  status: 200,
  error: { code: invalidParams, message: 'initialize needs protocolVersion, capabilities and clientInfo.' },
};

/** A batch would be many calls for the price of one request; 2025-06-18 removed batches. */
const refusedBatch: Route = {
  kind: 'refused',
  status: 400,
  error: { code: invalidRequest, message: 'Send one message per request; batches are not supported.' },
};

const isForTools = ({ method }: JsonRpcRequest): boolean => method === 'tools/list' || method === 'tools/call';

const isNotification = (route: InboundLegacyRoute | InboundModernRoute): boolean =>
  route.kind === 'modern'
    ? route.messageKind === 'notification'
    : route.reason === 'notification' || route.reason === 'response';

/** Whether the revision is supported and its headers match the body; the SDK rejects other messages. */
function isAcceptable(
  route: InboundLegacyRoute | InboundModernRoute,
  headers: IncomingHttpHeaders,
  request: JsonRpcRequest,
): boolean {
  if (route.kind === 'modern') {
    return route.classification.revision === statelessRevision && namesAgree(headers, request);
  }
  const version = headers['mcp-protocol-version'];
  return version === undefined || (typeof version === 'string' && handshakeRevisions.includes(version));
}

function standardHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  const text = (name: string): string | undefined => headers[name]?.toString();
  const [version, method, name] = [text('mcp-protocol-version'), text('mcp-method'), text('mcp-name')];
  return {
    ...(version !== undefined && { protocolVersionHeader: version }),
    ...(method !== undefined && { mcpMethodHeader: method }),
    ...(name !== undefined && { mcpNameHeader: name }),
  };
}
