import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import type { RequestContext } from '#context';
import { type Answer, cannotBeApplied, errorAnswer, invalidField, ServiceError } from '#errors';
import { fingerprintOf, type IdempotentRequest, IdempotencyRecords, readIdempotencyKey } from '#idempotency';
import type { Operation } from '#operations';
import { TenantDatabase } from '#persistence';

/**
 * Every write is one transaction, and with an Idempotency-Key its answer is kept in the same one: what was applied and
 * what a retry is told can never differ (design: kept 24 hours, per credential).
 */
@Injectable()
export class IdempotentWrites {
  constructor(
    private readonly database: TenantDatabase,
    private readonly records: IdempotencyRecords,
  ) {}

  async run(
    context: RequestContext,
    operation: Operation,
    caller: Caller,
    handle: () => Promise<Answer>,
  ): Promise<Answer> {
    const request = requestOf(context, operation, caller);
    if (request) return await this.once(request, context, handle);
    return await this.database.transaction(caller.orgId, handle);
  }

  private once(request: IdempotentRequest, context: RequestContext, handle: () => Promise<Answer>): Promise<Answer> {
    return this.database.transaction(request.orgId, async () => {
      const claim = await this.records.claim(request);
      if (claim.verdict === 'in_flight') throw inFlight();
      if (claim.verdict === 'mismatch') throw usedForAnother();
      if (claim.verdict === 'replay') return replayOf(claim.answer, claim.requestId);
      const answer = await handle().catch((error: unknown) => this.refusal(error, request, context));
      this.records.record(request, answer);
      return answer;
    });
  }

  /** A refusal that a retry would meet again is an answer like any other; everything else leaves no trace. */
  private async refusal(
    error: unknown,
    request: IdempotentRequest,
    { requestId, action }: RequestContext,
  ): Promise<Answer> {
    if (!(error instanceof ServiceError) || !error.deterministic) throw error;
    await this.records.undo(request);
    return errorAnswer(error, requestId, action);
  }
}

function requestOf(context: RequestContext, operation: Operation, caller: Caller): IdempotentRequest | undefined {
  if (context.idempotencyKey === undefined) return undefined;
  const key = readIdempotencyKey(context.idempotencyKey);
  if (key === undefined) {
    throw invalidField(['Idempotency-Key'], 'Give one key of 1 to 255 printable ASCII characters.');
  }
  const { path, query, body } = context.raw ?? { path: {}, query: {}, body: {} };
  return {
    orgId: caller.orgId,
    principal: caller.credential.principal,
    key,
    fingerprint: fingerprintOf(operation.name, { ...path, ...query, ...(body as object | undefined) }),
    operation: operation.name,
    requestId: context.requestId,
    secret: operation.showsSecret === true,
  };
}

const replayOf = (answer: Answer, requestId: string): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'X-Request-Id': requestId, 'Idempotent-Replayed': 'true' },
});

const inFlight = (): ServiceError =>
  new ServiceError({
    status: 409,
    message: 'The first request with this Idempotency-Key is still in flight; send it again in a moment.',
    headers: { 'Retry-After': '1' },
  });

const usedForAnother = (): ServiceError =>
  cannotBeApplied('This Idempotency-Key was used for a different request; use a new key for a new request.');
