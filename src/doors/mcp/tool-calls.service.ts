import type { Request, Response } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import { RequestContext } from '#context';
import { type Answer, ServiceError } from '#errors';
import { CONFIG } from '../../platform/config/app.config.js';
import type { Config } from '../../platform/config/app.config.js';
import { writeHead } from '../../platform/http/error-envelope.js';
import { longestWaitSeconds } from '../../edge/prefer.js';
import {
  errorResponse,
  invalidParams,
  isObject,
  type JsonRpcRequest,
  resultResponse,
  sendMessage,
} from './json-rpc.js';
import { ProgressStream } from './progress-stream.js';
import type { Era } from './protocol.service.js';
import { callResult, refusesRequest } from '../../mcp/results.js';
import { inTheEra } from './step-up.js';
import type { ToolSelection } from './tool-selection.js';
import { type Tool, ToolsService } from './tools.service.js';

/** What a client puts in `_meta` where it cannot set headers of its own. */
const metaKeys = {
  idempotencyKey: 'property-operations/idempotencyKey',
  ifMatch: 'property-operations/ifMatch',
} as const;

/** tools/call: from a message to the operation and back. */
@Injectable()
export class ToolCallsService {
  constructor(
    private readonly tools: ToolsService,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async answer(
    era: Era,
    { id, params = {} }: JsonRpcRequest,
    selection: ToolSelection,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { name, arguments: given = {}, _meta: meta } = params;
    const tool = typeof name === 'string' ? this.tools.find(name, selection) : undefined;
    const fault = !tool ? unknownTool(name) : !isObject(given) ? 'The arguments must be an object.' : undefined;
    if (!tool || fault !== undefined) {
      return sendMessage(response, 200, errorResponse(id, { code: invalidParams, message: fault as string }));
    }
    const stream = ProgressStream.of(request, response, isObject(meta) ? meta.progressToken : undefined);
    const context = contextOfCall(request, given as object, isObject(meta) ? meta : {});
    if (stream) {
      context.prefer ??= `wait=${longestWaitSeconds}`;
      context.onProgress = (progress, message) => stream.report(progress, message);
    }
    context.onHandling = () => {
      if (request.socket.destroyed) throw clientHasGone();
      stream?.open();
    };
    const answer = await this.run(tool, era, context);
    request.context.toolCall = { operation: tool.operation, status: answer.status };
    const message = resultResponse(id, callResult(era, answer));
    if (stream?.isOpen) return stream.end(message);
    writeHead(response, refusesRequest(answer) ? answer : { ...answer, status: 200 });
    response.send(refusesRequest(answer) ? answer.body : message);
  }

  private async run(tool: Tool, era: Era, context: RequestContext): Promise<Answer> {
    const answer = await tool.run(context);
    return inTheEra(era, answer, tool.operation, this.config);
  }
}

const unknownTool = (name: unknown): string =>
  typeof name === 'string' ? `There is no tool ${name} here; tools/list names those there are.` : 'Name a tool.';

/** A call is a request of its own to one operation; who asks and the request's id are the HTTP request's. */
function contextOfCall(request: Request, given: object, meta: Readonly<Record<string, unknown>>): RequestContext {
  const { requestId, logId, caller, idempotencyKey, ifMatch, prefer } = request.context;
  const input = { path: {}, query: {}, body: given };
  const context = new RequestContext('mcp', requestId, logId, () => Promise.resolve(input));
  context.caller = caller;
  context.prefer = prefer;
  context.idempotencyKey = idempotencyKey ?? textOf(meta[metaKeys.idempotencyKey]);
  context.ifMatch = ifMatch ?? textOf(meta[metaKeys.ifMatch]);
  return context;
}

/** What is no text becomes text that is refused, and is not passed over. */
const textOf = (value: unknown): string | undefined => (value === undefined || typeof value === 'string' ? value : '');

/** A closed connection is a cancellation, until the handler runs; what it then does is done. Nobody reads this. */
const clientHasGone = (): ServiceError =>
  new ServiceError({ status: 499, message: 'The client closed the connection; nothing was done.' });
