import type { Request, Response } from 'express';
import { Inject, Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import { RequestContext } from '#context';
import { bodyOf } from '#errors';
import { CONFIG } from '../../platform/config/app.config.js';
import type { Config } from '../../platform/config/app.config.js';
import { sendError, writeHead } from '../../platform/http/error-envelope.js';
import { sizeLimit, usualMaxBytes } from '../../platform/http/json-body.js';
import { sendText } from '../../platform/http/send-text.js';
import { dryRunMeta, refusalOfMeta } from '../../edge/input/misplaced-dry-run.js';
import { longestWaitSeconds } from '../../edge/input/prefer.js';
import { ApprovalTasks } from './approval-tasks.service.js';
import { ByNameService, type Called, type OperationCalled } from './by-name.service.js';
import { CallClient } from './call-client.js';
import {
  errorResponse,
  invalidParams,
  isObject,
  type JsonRpcRequest,
  resultResponse,
  sendMessage,
} from './json-rpc.js';
import { type ApprovalState, Elicitations } from './elicitations.service.js';
import { type Written, withinCap } from './list-cap.js';
import { ProgressStream } from './progress-stream.js';
import type { Era } from './protocol.service.js';
import { callResult, refusesRequest } from './results.js';
import { ResourcesService } from './resources.service.js';
import { inTheEra } from './step-up.js';
import type { ToolSelection } from './tool-selection.js';
import { ToolsService } from './tools.service.js';

/** Clients wait no longer than this for a retry, which comes back after a person was sent to a page. */
const retryWaitSeconds = 25;

/** What a client sends in `_meta` if it cannot set its own headers. */
const metaKeys = {
  idempotencyKey: 'property-operations/idempotencyKey',
  ifMatch: 'property-operations/ifMatch',
  dryRun: dryRunMeta,
  reason: 'property-operations/reason',
} as const;

/** Performs tools/call: from a message to the operation and back. */
@Injectable()
export class ToolCallsService {
  constructor(
    private readonly tools: ToolsService,
    private readonly byName: ByNameService,
    private readonly resources: ResourcesService,
    private readonly elicitations: Elicitations,
    private readonly tasks: ApprovalTasks,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async answer(
    era: Era,
    { id, params = {} }: JsonRpcRequest,
    selection: ToolSelection,
    request: Request,
    response: Response,
  ): Promise<void> {
    const { name, arguments: given = {}, _meta, requestState } = params;
    const meta = isObject(_meta) ? _meta : {};
    if (!isObject(given)) return refuseCall(response, id, 'The arguments must be an object.');
    const called = this.called(name, given, selection, request.context);
    if (!called) return refuseCall(response, id, unknownTool(name));
    const misplaced = 'tool' in called && refusalOfMeta(called.tool.operation, meta);
    if (misplaced) return refuseCall(response, id, misplaced);
    const { caller, largeMessageBytes = 0 } = request.context;
    const mostBytes = ('tool' in called && called.tool.operation.maxBodyBytes) || usualMaxBytes;
    if (largeMessageBytes > mostBytes) return refuseCall(response, id, sizeLimit(mostBytes));
    const state = caller && this.elicitations.read(caller, requestState);
    if (requestState !== undefined && !state)
      return refuseCall(response, id, 'The requestState is invalid or has expired. Call the tool again without it.');
    const stream = ProgressStream.of(request, response, meta.progressToken);
    const written =
      'answer' in called
        ? { answer: called.answer, body: await bodyOf(called.answer) }
        : await this.run(called, era, { meta, state }, request, stream);
    const { answer } = written;
    const elicits = { era, id, meta, elicitsUrls: selection.elicitsUrls };
    const message =
      this.elicitations.messageFor(caller as RequestCaller, elicits, answer, state) ??
      (await this.tasks.messageFor(elicits, answer, request.context)) ??
      resultResponse(id, callResult(era, written, this.resources.linksOf(answer)));
    if (stream?.isOpen) return stream.end(message);
    if (refusesRequest(answer)) return sendError(response, answer);
    writeHead(response, { ...answer, status: 200 });
    sendText(response, message);
  }

  private called(name: unknown, given: object, selection: ToolSelection, context: RequestContext): Called | undefined {
    if (typeof name !== 'string') return undefined;
    const tool = this.tools.find(name, selection);
    if (tool) return { tool, input: given };
    return selection.byName ? this.byName.called(name, given, selection, context) : undefined;
  }

  private async run(
    { tool, input }: OperationCalled,
    era: Era,
    { meta, state }: { meta: Readonly<Record<string, unknown>>; state: ApprovalState | undefined },
    request: Request,
    stream: ProgressStream | undefined,
  ): Promise<Written> {
    const context = contextOfCall(request, input, meta);
    context.client = new CallClient(request.socket, stream);
    if (stream) context.prefer ??= `wait=${longestWaitSeconds}`;
    if (state) {
      context.askedApproval = state.approvalId;
      context.prefer ??= `wait=${retryWaitSeconds}`;
    }
    const answer = inTheEra(era, await tool.run(context), tool.operation, this.config);
    request.context.toolCall = { operation: tool.operation, answer };
    return await withinCap(answer, (limit) => tool.run(contextOfCall(request, { ...input, limit }, meta)));
  }
}

const refuseCall = (response: Response, id: JsonRpcRequest['id'], message: string): void =>
  sendMessage(response, 200, errorResponse(id, { code: invalidParams, message }));

const unknownTool = (name: unknown): string =>
  typeof name === 'string'
    ? `Unknown tool ${name}. tools/list returns the tools that you can use.`
    : 'Pass the name of a tool.';

/** A call is a separate request to one operation, with the caller and the request id of the HTTP request. */
function contextOfCall(request: Request, given: object, meta: Readonly<Record<string, unknown>>): RequestContext {
  const { requestId, logId, caller, idempotencyKey, ifMatch, prefer } = request.context;
  const input = { path: {}, query: {}, body: given };
  const context = new RequestContext('mcp', requestId, logId, () => Promise.resolve(input));
  context.caller = caller;
  context.prefer = prefer;
  context.idempotencyKey = idempotencyKey ?? textOf(meta[metaKeys.idempotencyKey]);
  context.dryRun = meta[metaKeys.dryRun];
  context.reason = reasonIn(meta[metaKeys.reason]);
  context.ifMatch = ifMatch ?? textOf(meta[metaKeys.ifMatch]);
  return context;
}

const longestReason = 300;

/** A reason is only shown to a person, so anything but text is ignored. */
const reasonIn = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, longestReason) : undefined;

/** A value that is not text becomes invalid text, so that it is rejected and not ignored. */
const textOf = (value: unknown): string | undefined => (value === undefined || typeof value === 'string' ? value : '');
