import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { RequestContext } from '#context';
import type { Answer, ErrorEnvelope } from '#errors';
import { type OperationCall, OperationCalls } from '#operations';
import { StepCatalogue } from '../step-catalogue.js';
import { done, failedWith, type StepOutcome } from './step-outcome.js';

/**
 * Has an operation done just as a request would: through the same guards, validation, idempotency and audit. The key
 * makes it happen once, however often the step is begun.
 */
@Injectable()
export class OperationSteps {
  private readonly calls = new Map<string, OperationCall>();

  constructor(
    private readonly catalogue: StepCatalogue,
    private readonly operations: OperationCalls,
  ) {}

  async perform(caller: Caller, operation: string, input: object, idempotencyKey: string): Promise<StepOutcome> {
    const call = this.callOf(operation);
    if (!call) return failedWith('NOT_FOUND', `No step can do ${operation} any more.`, false);
    const raw = { path: {}, query: {}, body: input };
    const context = new RequestContext('workflow', caller.requestId, () => Promise.resolve(raw));
    context.caller = caller;
    context.idempotencyKey = idempotencyKey;
    return outcomeOf(await call(context));
  }

  private callOf(operation: string): OperationCall | undefined {
    let call = this.calls.get(operation);
    const handled = this.catalogue.find(operation);
    if (!call && handled) this.calls.set(operation, (call = this.operations.of(handled)));
    return call;
  }
}

/** What another try may end otherwise; where the answer was kept, it ends the same. */
const passing = [429, 500, 502, 503];

function outcomeOf({ status, body, headers }: Answer): StepOutcome {
  if (status < 400) {
    const { id } = (JSON.parse(body) as { data: { id?: string } }).data;
    return done(id === undefined ? {} : { id });
  }
  const { code, message } = (JSON.parse(body) as ErrorEnvelope).error;
  // 409 with Retry-After: an earlier try of the same step is still under way.
  const isPassing = passing.includes(status) || (status === 409 && 'Retry-After' in headers);
  return failedWith(code, message, isPassing && !('Idempotent-Replayed' in headers));
}
