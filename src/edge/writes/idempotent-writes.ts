import { Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import type { Door, RequestContext } from '#context';
import { type Answer, cannotBeApplied, invalidField, ServiceError } from '#errors';
import {
  type Claim,
  fingerprintOf,
  type IdempotentRequest,
  IdempotencyRecords,
  isOfOldKey,
  readIdempotencyKey,
} from '#idempotency';
import { hasOwnTransactions, type Operation } from '#operations';
import { TenantDatabase } from '#persistence';
import { envelopeFor } from '../../platform/http/error-envelope.js';
import { organizationWide } from '../../tenancy/properties/property-limit.errors.js';

type Handle = () => Promise<Answer>;

/**
 * Every write is one transaction. With an Idempotency-Key, its response is stored in the same transaction, so the
 * response to a retry always matches what was applied (stored 24 hours, per credential). A handler that has its own
 * transactions has its key claimed before and its response stored after.
 */
@Injectable()
export class IdempotentWrites {
  constructor(
    private readonly database: TenantDatabase,
    private readonly records: IdempotencyRecords,
  ) {}

  async run(context: RequestContext, operation: Operation, caller: RequestCaller, handle: Handle): Promise<Answer> {
    const request = await requestOf(context, operation, caller);
    if (hasOwnTransactions(operation)) {
      if (!request) return await handle();
      context.caller = { ...caller, idempotency: request };
      return await this.leased(request, context, handle);
    }
    if (!request) return await this.database.transaction(caller.orgId, handle);
    // Within the transaction of another, such as one that carries out an approval, nothing would undo the first try.
    const isOwn = !this.database.inTransaction;
    const answer = operation.repeatable && isOwn ? await this.atOnce(request, handle) : undefined;
    return answer ?? (await this.once(request, context, handle));
  }

  /** The response that is kept for the key of a write, or undefined; nothing is done. */
  async kept(context: RequestContext, operation: Operation, caller: RequestCaller): Promise<Answer | undefined> {
    const request = operation.effect === 'read' ? undefined : await requestOf(context, operation, caller);
    if (!request) return undefined;
    return await this.database.transaction(request.orgId, async () => answerTo(await this.records.claim(request)));
  }

  /** Expects a new key and no refusal; anything else is undone, and undefined. */
  private async atOnce(request: IdempotentRequest, handle: Handle): Promise<Answer | undefined> {
    try {
      return await this.database.transaction(request.orgId, async () => {
        this.records.claimAtOnce(request);
        const answer = await handle();
        await this.records.record(request, answer);
        return answer;
      });
    } catch (error) {
      if (isOfOldKey(error) || (error instanceof ServiceError && error.deterministic)) return undefined;
      throw error;
    }
  }

  private once(request: IdempotentRequest, context: RequestContext, handle: Handle): Promise<Answer> {
    return this.database.transaction(request.orgId, async () => {
      const kept = answerTo(await this.records.claim(request));
      if (kept) return kept;
      const part = this.database.beginPart();
      const answer = await handle().catch(async (error: unknown) => {
        const refusal = refusalOf(error, context);
        // Only the error is stored.
        await this.database.undoPart(part);
        return refusal;
      });
      await this.records.record(request, answer);
      return answer;
    });
  }

  private async leased(request: IdempotentRequest, context: RequestContext, handle: Handle): Promise<Answer> {
    const lease = await this.database.transaction(
      request.orgId,
      async () => answerTo(await this.records.claim(request), leaseRetrySeconds) ?? this.records.lease(request),
    );
    if (typeof lease !== 'string') return lease;
    try {
      const answer = await handle().catch((error: unknown) => refusalOf(error, context));
      await this.records.settle(request, lease, answer);
      return answer;
    } catch (error) {
      // If this fails too, the lease expires.
      await this.records.settle(request, lease).catch(() => undefined);
      throw error;
    }
  }
}

/** The response without the handler; undefined for a new key. */
function answerTo(claim: Claim, retryAfterSeconds = 1): Answer | undefined {
  if (claim.verdict === 'in_flight') throw inFlight(retryAfterSeconds);
  if (claim.verdict === 'mismatch') throw usedForAnother();
  if (claim.verdict === 'beyond') throw organizationWide();
  return claim.verdict === 'replay' ? replayOf(claim.answer, claim.requestId) : undefined;
}

/**
 * An error that a retry would get again is stored like any other response, and says so; other errors leave no trace.
 */
function refusalOf(error: unknown, context: RequestContext): Answer {
  if (!(error instanceof ServiceError) || !error.deterministic) throw error;
  const answer = envelopeFor(error, context);
  if (answer.code === undefined || answer.status >= 500) return answer;
  const { error: said, meta } = answer.value;
  const message = [said.message, ...(howToRepeat[context.door] ?? [])].join(' ');
  return { ...answer, value: { error: { ...said, message }, meta } };
}

const newKey = ['When that has changed, send the request with a new key.'];

/** A page that is shown after an error has a new key, and the key of a workflow's step is part of its run. */
const howToRepeat: Partial<Record<Door, readonly string[]>> = {
  rest: newKey,
  mcp: newKey,
  approval: newKey,
};

async function requestOf(
  context: RequestContext,
  operation: Operation,
  caller: RequestCaller,
): Promise<IdempotentRequest | undefined> {
  const key = keyOf(context);
  if (key === undefined) return undefined;
  return {
    orgId: caller.orgId,
    principal: caller.credential.principal,
    key,
    fingerprint: await requestFingerprint(context, operation),
    operation: operation.name,
    requestId: context.requestId,
    secret: operation.showsSecret !== undefined,
    propertyIds: caller.propertyIds,
    leaseMs: operation.answersWithinSeconds && operation.answersWithinSeconds * 1_000,
  };
}

/** @throws validation_error if it has the wrong form. */
export function keyOf({ idempotencyKey }: RequestContext): string | undefined {
  if (idempotencyKey === undefined) return undefined;
  const key = readIdempotencyKey(idempotencyKey);
  if (key !== undefined) return key;
  throw invalidField(['Idempotency-Key'], 'Send one key of 1 to 255 printable ASCII characters.');
}

/** The identity of a request; one that carries out an approval is the request that was approved. */
export async function requestFingerprint({ approval, raw }: RequestContext, { name }: Operation): Promise<string> {
  if (approval) return approval.fingerprint;
  const { path, query, body } = raw ?? { path: {}, query: {}, body: {} };
  return await fingerprintOf(name, { ...path, ...query, ...(body as object | undefined) });
}

const replayOf = (answer: Answer, requestId: string): Answer => ({
  ...answer,
  headers: { ...answer.headers, 'X-Request-Id': requestId, 'Idempotent-Replayed': 'true' },
});

/** What has its own transactions may be in flight, for all that is known, until its lease ends. */
const leaseRetrySeconds = 2;

const inFlight = (retryAfterSeconds: number): ServiceError =>
  new ServiceError({
    status: 409,
    message: 'The first request with this Idempotency-Key is still in flight. Send it again in a moment.',
    headers: { 'Retry-After': String(retryAfterSeconds) },
  });

const usedForAnother = (): ServiceError =>
  cannotBeApplied('This Idempotency-Key was used for a different request. Use a new key for a new request.');
