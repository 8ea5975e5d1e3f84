import type { IncomingHttpHeaders } from 'node:http';
import type { Request } from 'express';
import type {
  InboundLadderRejection,
  InboundLegacyRoute,
  InboundModernRoute,
  McpHttpHandler,
} from '@modelcontextprotocol/server';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '#context';
import { CONFIG } from '../../platform/config/app.config.js';
import type { Config } from '../../platform/config/app.config.js';
import { followsTasks, tasksExtension } from './client-capabilities.js';
import { invalidParams, invalidRequest, isObject, type JsonRpcRequest, missingCapability } from './json-rpc.js';
import { ResourcesService } from './resources.service.js';
import { newServer, type Sdk } from './server.js';
import { namesAgree } from './standard-headers.js';

/** The supported revisions: one without a handshake, and those of the era that starts with `initialize`. */
const statelessRevision = '2026-07-28';
const handshakeRevisions = ['2025-11-25', '2025-06-18', '2025-03-26'];

/** `modern` is 2026-07-28, `legacy` the revisions of 2025, as the SDK calls them. */
export type Era = 'modern' | 'legacy';

/** What to do with a message that has been read. */
export type Route =
  | { kind: 'tools'; era: Era; request: JsonRpcRequest }
  | { kind: 'notification' }
  | { kind: 'refused'; status: number; error: { code: number; message: string; data?: unknown } }
  | { kind: 'protocol'; answer: () => Promise<Response> };

/**
 * The protocol around the tools, with the official SDK: the era of a message, the handshake, discovery, ping and errors
 * for malformed messages. `tools/list` and `tools/call` are the hot path, so this service dispatches them itself, and
 * `tasks/*`, of which the SDK knows only the names.
 */
@Injectable()
export class ProtocolService {
  private sdk?: Promise<Sdk>;
  private modern?: McpHttpHandler;
  /** The requests that the SDK is answering, and who asked. */
  private readonly asked = new WeakMap<globalThis.Request, RequestContext>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly resources: ResourcesService,
  ) {}

  async route({ headers, context }: Pick<Request, 'headers' | 'context'>, body: unknown): Promise<Route> {
    // Loaded with the first message, so that the start of the process does not wait for it.
    const sdk = await (this.sdk ??= import('@modelcontextprotocol/server'));
    const route = sdk.classifyInboundRequest({ httpMethod: 'POST', body, ...standardHeaders(headers) });
    if (route.kind === 'reject') return refused(route);
    if (route.kind === 'legacy' && route.reason === 'batch') return refusedBatch;
    if (route.kind === 'legacy' && route.reason === 'initialize' && !sdk.isInitializeRequest(body)) return refusedHello;
    if (isNotification(route)) return { kind: 'notification' };
    const request = body as JsonRpcRequest;
    if (isDispatchedHere(request, route.kind) && isAcceptable(route, headers, request)) {
      const { _meta: meta } = request.params ?? {};
      if (isAboutTasks(request) && !followsTasks(isObject(meta) ? meta : {})) return refusedTasks;
      return { kind: 'tools', era: route.kind, request };
    }
    return { kind: 'protocol', answer: () => this.answer(sdk, route.kind, { headers, context }, body) };
  }

  private async answer(
    sdk: Sdk,
    era: Era,
    { headers, context }: Pick<Request, 'headers' | 'context'>,
    body: unknown,
  ): Promise<Response> {
    const request = this.webRequest(headers);
    if (era === 'modern') {
      this.asked.set(request, context);
      this.modern ??= sdk.createMcpHandler(
        ({ requestInfo }) =>
          newServer(sdk, this.resources, this.asked.get(requestInfo as globalThis.Request) as RequestContext),
        { legacy: 'reject' },
      );
      return await this.modern.fetch(request, { parsedBody: body });
    }
    const server = newServer(sdk, this.resources, context, handshakeRevisions);
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

  private webRequest(headers: IncomingHttpHeaders): globalThis.Request {
    const given = ['mcp-protocol-version', 'mcp-method', 'mcp-name'].flatMap((name) => {
      const value = headers[name];
      return typeof value === 'string' ? [[name, value] as [string, string]] : [];
    });
    return new globalThis.Request(`${this.config.mcpUrl}/mcp`, {
      method: 'POST',
      headers: [...given, ['content-type', 'application/json'], ['accept', 'application/json, text/event-stream']],
    });
  }
}

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

/** As the extension demands: only who declares it with the request may ask about tasks. */
const refusedTasks: Route = {
  kind: 'refused',
  status: 400,
  error: {
    code: missingCapability,
    message: `Declare the extension ${tasksExtension} in the client's capabilities, with each request.`,
    data: { requiredCapabilities: { extensions: { [tasksExtension]: {} } } },
  },
};

const aboutTasks = ['tasks/get', 'tasks/update', 'tasks/cancel'];
const isAboutTasks = ({ method }: JsonRpcRequest): boolean => aboutTasks.includes(method);

const isDispatchedHere = (request: JsonRpcRequest, era: Era): boolean =>
  ['tools/list', 'tools/call'].includes(request.method) || (era === 'modern' && isAboutTasks(request));

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
