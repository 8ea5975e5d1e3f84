import { performance } from 'node:perf_hooks';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { approvalOf, type RequestCaller } from '#access';
import type { Answer, Issue } from '#errors';
import { classOf, fieldsOf, type Operation, type Shape } from '#operations';
import { uuidIn } from '#persistence';
import type { RequestLog } from '../../platform/requests/request-log.service.js';
import { type LoggedRequest, requestIdOfLogId, slotOf } from '../../platform/requests/logged-request.js';
import { statusOf } from './request-metrics.middleware.js';

/** More are not named. */
const mostFields = 20;
const headers = ['Idempotency-Key', 'If-Match'];

/**
 * Keeps each authenticated request for its organization when its response is complete or its client has disconnected;
 * a tool call by the tool's outcome.
 */
export const keepRequests =
  (log: RequestLog): RequestHandler =>
  (request: Request, response: Response, next: NextFunction): void => {
    const [startedAt, at] = [performance.now(), Date.now()];
    response.once('close', () => {
      const { context } = request;
      if (context.caller)
        keep(log, context.caller, request, response, { at, milliseconds: performance.now() - startedAt });
    });
    next();
  };

function keep(
  log: RequestLog,
  { orgId, memberId, credential }: RequestCaller,
  request: Request,
  response: Response,
  { at, milliseconds }: { at: number; milliseconds: number },
): void {
  const { requestId, logId, toolCall, operation = toolCall?.operation, answer = toolCall?.answer } = request.context;
  const length = response.getHeader('Content-Length');
  const approval = approvalOf(credential);
  const isRead = operation?.effect !== 'write' && operation?.effect !== 'destructive';
  const row: LoggedRequest = {
    org_id: uuidIn(orgId),
    id: uuidIn(logId),
    slot: slotOf(at),
    request_id: requestId === requestIdOfLogId(logId) ? null : requestId,
    at: new Date(at).toISOString(),
    door: doorOf(request.originalUrl),
    operation: operation?.name ?? null,
    status: statusOf(request, response),
    code: answer?.code ?? null,
    credential_kind: credential.kind,
    credential_id: credential.id,
    application_id: approval === undefined ? null : uuidIn(approval),
    member_id: uuidIn(memberId),
    milliseconds: Math.round(milliseconds * 100) / 100,
    bytes: length === undefined ? null : Number(length),
    replayed: answer?.headers['Idempotent-Replayed'] !== undefined,
    dry_run: answer !== undefined && 'dryRun' in answer.value.meta,
    sampled: false,
    invalid_fields: answer?.status === 400 ? invalidFields(answer, operation) : null,
  };
  log.add(row, isRead);
}

const doorOf = (url: string): 'rest' | 'mcp' | 'page' =>
  url.startsWith('/api/') ? 'rest' : url.startsWith('/mcp') ? 'mcp' : 'page';

/** Only names of the operation's own fields: any other name in a path is the client's. */
function invalidFields({ value }: Answer, operation?: Operation): string[] | null {
  const issues = 'error' in value && (value.error.details?.issues as Issue[] | undefined);
  if (!issues) return null;
  // What is wrong with the body as a whole has no path.
  const ofFields = issues.filter(({ path }) => path.length > 0);
  return [...new Set(ofFields.slice(0, mostFields).map(({ path }) => fieldName(path, operation?.input)))];
}

function fieldName(path: Issue['path'], input?: Shape): string {
  let shape = input;
  return path
    .map((part) => {
      if (typeof part === 'number' || headers.includes(part)) return part;
      const field = shape && fieldsOf(shape).find(({ name }) => name === part);
      shape = field && classOf(field.schema);
      return field ? part : '…';
    })
    .join('.');
}
