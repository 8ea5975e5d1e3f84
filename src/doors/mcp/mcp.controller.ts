import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { All, Controller, Req, Res } from '@nestjs/common';
import type { Caller } from '#access';
import { type Issue, ServiceError } from '#errors';
import { sizeLimit, usualMaxBytes } from '../../platform/http/json-body.js';
import { readQuery } from '../../platform/http/rest-input.js';
import { ApprovalTasks } from './approval-tasks.service.js';
import {
  errorResponse,
  invalidParams,
  invalidRequest,
  type JsonRpcRequest,
  parseError,
  sendMessage,
  sendResult,
} from './json-rpc.js';
import { MessagesService } from './messages.service.js';
import { type Era, ProtocolService } from './protocol.service.js';
import { listResult } from './results.js';
import { ToolCallsService } from './tool-calls.service.js';
import { readSelection, type ToolSelection } from './tool-selection.js';
import { ToolsService } from './tools.service.js';

/**
 * The door for assistants: Model Context Protocol over Streamable HTTP, one message per request and no session, in the
 * revisions 2026-07-28, 2025-11-25, 2025-06-18 and 2025-03-26. The guards accept the HTTP request before its body is
 * read.
 */
@Controller()
export class McpController {
  constructor(
    private readonly messages: MessagesService,
    private readonly protocol: ProtocolService,
    private readonly tools: ToolsService,
    private readonly calls: ToolCallsService,
    private readonly tasks: ApprovalTasks,
  ) {}

  @All('mcp')
  async answer(@Req() request: Request, @Res() response: Response): Promise<void> {
    if (request.method !== 'POST') throw methodNotAllowed();
    if (!request.accepts('application/json')) throw notAcceptable();
    const selection = readSelection(readQuery(request.originalUrl), () => this.tools.toolsets);
    const body = await this.messages.read(request).catch((error: unknown) => refuseUnreadable(response, error));
    if (response.headersSent) return;
    try {
      await this.answerMessage(body, selection, request, response);
    } finally {
      this.messages.free(body);
    }
  }

  private async answerMessage(
    body: unknown,
    selection: ToolSelection,
    request: Request,
    response: Response,
  ): Promise<void> {
    const route = await this.protocol.route(request, body);
    if (route.kind === 'refused') return sendMessage(response, route.status, errorResponse(idOf(body), route.error));
    const callsTool = route.kind === 'tools' && route.request.method === 'tools/call';
    if (request.context.largeMessageBytes !== undefined && !callsTool) {
      const error = { code: invalidRequest, message: sizeLimit(usualMaxBytes) };
      return sendMessage(response, 400, errorResponse(idOf(body), error));
    }
    if (route.kind === 'notification') return void response.status(202).end();
    if (route.kind === 'protocol') return await pass(await route.answer(), response);
    if (route.request.method === 'tools/list') return this.list(route.era, route.request, selection, request, response);
    if (callsTool) return await this.calls.answer(route.era, route.request, selection, request, response);
    sendMessage(response, 200, await this.tasks.answer(route.request, selection, request.context));
  }

  private list(
    era: Era,
    { id, params }: JsonRpcRequest,
    selection: ToolSelection,
    request: Request,
    response: Response,
  ): void {
    if (params?.cursor !== undefined) {
      const message = 'The list of tools has one page. Remove the cursor.';
      return sendMessage(response, 200, errorResponse(id, { code: invalidParams, message }));
    }
    const tools = this.tools.list(request.context.caller as Caller, selection);
    sendResult(response, id, listResult(era, tools));
  }
}

const methodNotAllowed = (): ServiceError =>
  new ServiceError({
    status: 405,
    message: 'Send messages with POST; there is no session.',
    headers: { Allow: 'POST' },
  });

const notAcceptable = (): ServiceError =>
  new ServiceError({ status: 406, message: 'Accept both application/json and text/event-stream.' });

/** Invalid JSON gets a JSON-RPC error. */
function refuseUnreadable(response: Response, error: unknown): void {
  if (!(error instanceof ServiceError) || error.status >= 500) throw error;
  const [issue] = (error.details.issues ?? []) as Issue[];
  for (const [name, value] of Object.entries(error.headers)) response.setHeader(name, value);
  sendMessage(response, 400, errorResponse(null, { code: parseError, message: issue?.message ?? error.message }));
}

/** The id of a message that is rejected before its shape is known. */
function idOf(body: unknown): string | number | null {
  const { id, method } = (body ?? {}) as { id?: unknown; method?: unknown };
  return typeof method === 'string' && (typeof id === 'string' || typeof id === 'number') ? id : null;
}

/** Passes on the SDK's response. */
async function pass(answer: globalThis.Response, response: Response): Promise<void> {
  response.status(answer.status);
  const type = answer.headers.get('content-type');
  if (type) response.setHeader('Content-Type', type);
  if (!answer.body) return void response.end();
  await pipeline(answer.body, response);
}
