import { Injectable } from '@nestjs/common';
import { RequestContext } from '#context';
import { type Answer, errorAnswer } from '#errors';
import type { ApprovalWithResponse } from '../../auth/approvals/approval.dto.js';
import { getApproval, withdrawApproval } from '../../auth/approvals/approvals.operations.js';
import { notApproved } from '../../auth/approvals/approvals.errors.js';
import { followsTasks, type Meta } from './client-capabilities.js';
import {
  errorResponse,
  internalError,
  invalidParams,
  isObject,
  type JsonRpcRequest,
  type RequestId,
  resultResponse,
} from './json-rpc.js';
import { pendingIn } from './pending-approval.js';
import type { Era } from './protocol.service.js';
import { ResourcesService } from './resources.service.js';
import { callResult } from './results.js';
import type { ToolSelection } from './tool-selection.js';
import { ToolsService } from './tools.service.js';

const pollEveryMs = 5_000;
/** The result is kept for this long after the end, which comes at the latest soon after the expiry. */
const keptMs = 24 * 3_600_000;

/**
 * What waits for a person as a task, for clients of 2026-07-28 that know the extension: the id of the task is that of
 * the approval, and the task is read from its row.
 */
@Injectable()
export class ApprovalTasks {
  constructor(
    private readonly tools: ToolsService,
    private readonly resources: ResourcesService,
  ) {}

  /** The task in place of a result; undefined if nothing waits, or the client does not know tasks. */
  async messageFor(
    { era, id, meta }: { era: Era; id: RequestId; meta: Meta },
    answer: Answer,
    context: RequestContext,
  ): Promise<string | undefined> {
    const pending = pendingIn(answer);
    if (!pending || era === 'legacy' || !followsTasks(meta)) return undefined;
    const approval = approvalIn(await this.run(getApproval.name, pending.id, context));
    return approval && resultResponse(id, JSON.stringify({ resultType: 'task', ...seedOf(approval) }));
  }

  /** Answers tasks/get, tasks/update and tasks/cancel. Nothing is asked of the client, so updates change nothing. */
  async answer({ id, method, params = {} }: JsonRpcRequest, selection: ToolSelection, context: RequestContext) {
    const { taskId } = params;
    const cancels = method === 'tasks/cancel';
    if (cancels && !selection.allows(withdrawApproval))
      return errorResponse(id, { code: invalidParams, message: 'This address is read-only.' });
    const answer = await this.run(cancels ? withdrawApproval.name : getApproval.name, taskId, context);
    const approval = approvalIn(answer);
    // A task that was decided continues: its end is what the client learns next.
    if (!approval && !(cancels && answer.status === 409)) return errorResponse(id, refusalOf(answer));
    if (method !== 'tasks/get') return resultResponse(id, '{"resultType":"complete"}');
    return resultResponse(id, this.detailed(approval as ApprovalWithResponse, context));
  }

  private async run(name: string, approvalId: unknown, { requestId, logId, caller }: RequestContext): Promise<Answer> {
    const input = { path: {}, query: {}, body: { approvalId } };
    const context = new RequestContext('mcp', requestId, logId, () => Promise.resolve(input));
    context.caller = caller;
    return await (this.tools.named(name) as NonNullable<ReturnType<ToolsService['named']>>).run(context);
  }

  private detailed(approval: ApprovalWithResponse, context: RequestContext): string {
    const task = JSON.stringify({ resultType: 'complete', ...seedOf(approval) });
    const ended = endOf(approval, context);
    if (!ended) return task;
    const result = callResult(
      'modern',
      { answer: ended, body: JSON.stringify(ended.value) },
      this.resources.linksOf(ended),
    );
    return `${task.slice(0, -1)},"result":${result}}`;
  }
}

const approvalIn = ({ code, value }: Answer): ApprovalWithResponse | undefined =>
  code === undefined ? (value as { data: ApprovalWithResponse }).data : undefined;

function refusalOf({ status, value }: Answer): { code: number; message: string } {
  const message = 'error' in value && isObject(value.error) ? String(value.error.message) : 'Not possible now.';
  return { code: status < 500 ? invalidParams : internalError, message };
}

/** The task without its result. */
function seedOf({ id, status, summary, url, next, createdAt, updatedAt, expiresAt, response }: ApprovalWithResponse) {
  const task = {
    taskId: id,
    status: statuses[status],
    statusMessage: status === 'pending' ? `${summary}: a person has to approve it at ${url}` : next,
    createdAt,
    lastUpdatedAt: updatedAt,
    ttlMs: Date.parse(expiresAt) - Date.parse(createdAt) + keptMs,
    pollIntervalMs: pollEveryMs,
  };
  const isGone = (status === 'done' || status === 'failed') && response === null;
  return isGone
    ? { ...task, status: 'failed', error: { code: internalError, message: 'The result is no longer available.' } }
    : task;
}

/** A refusal by a person is the result of the tool, as any other refusal is. */
const statuses = {
  pending: 'working',
  approved: 'working',
  done: 'completed',
  failed: 'completed',
  refused: 'completed',
  expired: 'completed',
  withdrawn: 'cancelled',
} as const;

/** The result of the call; undefined as long as the task has none. */
function endOf({ id, status, note, response }: ApprovalWithResponse, context: RequestContext): Answer | undefined {
  if (status === 'refused' || status === 'expired')
    return errorAnswer(notApproved(status, id, note), context.requestId, context.action);
  if (!response) return undefined;
  const value = response.body as Answer['value'];
  return {
    status: response.status,
    headers: {},
    value,
    code: 'error' in value ? value.error.code : undefined,
  } as Answer;
}
