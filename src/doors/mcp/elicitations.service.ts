import { Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import type { Answer } from '#errors';
import { Keyring } from '#secrets';
import { followsTasks, type Meta, opensPages } from './client-capabilities.js';
import { errorResponse, type RequestId, resultResponse } from './json-rpc.js';
import { pendingIn } from './pending-approval.js';
import type { Era } from './protocol.service.js';
import type { ToolSelection } from './tool-selection.js';

/** What a client returns with its retry: which approval it waits for, and how often it was told to wait. */
export interface ApprovalState {
  readonly approvalId: string;
  readonly round: number;
}

interface Sealed extends ApprovalState {
  readonly principal: string;
  readonly until: number;
}

const urlElicitationRequired = -32_042;
const sealContext = 'approval state';
const validMs = 12 * 3_600_000;
/** Each retry waits, and clients end a call after some rounds; then they get the approval itself, or its task. */
const mostRounds = 6;

/**
 * Has clients that can do so open the page of an approval: by `input_required` in 2026-07-28, and by an error in the
 * revisions of 2025 at `/mcp?elicitation=url`. Never a form, which the client itself could answer.
 */
@Injectable()
export class Elicitations {
  constructor(private readonly keyring: Keyring) {}

  /** @returns undefined for a state that this service did not give to this caller, or that is too old. */
  read({ credential }: RequestCaller, state: unknown): ApprovalState | undefined {
    if (typeof state !== 'string') return undefined;
    try {
      const opened = this.keyring.open(Buffer.from(state, 'base64url'), sealContext);
      const { principal, until, ...read } = JSON.parse(opened) as Sealed;
      return principal === credential.principal && until > Date.now() ? read : undefined;
    } catch {
      return undefined;
    }
  }

  /** @returns undefined if the result itself says what to do: nothing waits, or the client opens no pages. */
  messageFor(
    caller: RequestCaller,
    { era, id, meta, elicitsUrls }: { era: Era; id: RequestId; meta: Meta } & Pick<ToolSelection, 'elicitsUrls'>,
    answer: Answer,
    earlier: ApprovalState | undefined,
  ): string | undefined {
    const pending = pendingIn(answer);
    if (!pending) return undefined;
    const asked = { mode: 'url', message: `Approve: ${pending.summary}`, url: pending.url };
    if (era === 'legacy') {
      if (!elicitsUrls) return undefined;
      const elicitations = [{ ...asked, elicitationId: pending.id }];
      return errorResponse(id, { code: urlElicitationRequired, message: 'Needs approval.', data: { elicitations } });
    }
    const round = (earlier?.round ?? 0) + 1;
    if (!opensPages(meta) || round > (followsTasks(meta) ? 1 : mostRounds)) return undefined;
    const inputRequests = earlier ? undefined : { approval: { method: 'elicitation/create', params: asked } };
    const requestState = this.seal({
      approvalId: pending.id,
      round,
      principal: caller.credential.principal,
      until: Date.now() + validMs,
    });
    return resultResponse(id, JSON.stringify({ resultType: 'input_required', inputRequests, requestState }));
  }

  private seal(state: Sealed): string {
    return this.keyring.seal(JSON.stringify(state), sealContext).toString('base64url');
  }
}
