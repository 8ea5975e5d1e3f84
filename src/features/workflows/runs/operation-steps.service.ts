import { Injectable } from '@nestjs/common';
import type { Caller } from '#access';
import { RequestContext } from '#context';
import type { Answer, ErrorEnvelope } from '#errors';
import { type OperationCall, OperationCalls } from '#operations';
import { newId } from '#persistence';
import { EventsRepository, feedStart } from '../../../platform/events/events.repository.js';
import { everything } from '../../../platform/events/readable-events.js';
import { StepCatalogue } from '../step-catalogue.js';
import type { WorkflowRunError } from '../../../workflows/runs/run.dto.js';
import { done, failedWith, type StepOutcome, type UnderWay } from './step-outcome.js';

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
    private readonly events: EventsRepository,
  ) {}

  async perform(caller: Caller, operation: string, input: object, idempotencyKey: string): Promise<StepOutcome> {
    const call = this.callOf(operation);
    if (!call) return nobodyDoes(operation);
    const raw = { path: {}, query: {}, body: input };
    const logId = newId('request');
    const context = new RequestContext('workflow', caller.requestId, logId, () => Promise.resolve(raw));
    context.caller = { ...caller, logId };
    context.idempotencyKey = idempotencyKey;
    return outcomeOf(await call(context));
  }

  /** What has become by now of something that was under way when it was answered, as its events tell. */
  async look(orgId: string, operation: string, { id }: UnderWay['result']): Promise<StepOutcome> {
    const handled = this.catalogue.find(operation);
    if (!handled) return nobodyDoes(operation);
    const { events } = await this.events.after(everything(orgId), { subject: id }, feedStart, mostEvents);
    const view = events.at(-1)?.data as { error: WorkflowRunError | null } | undefined;
    if (!view || handled.operation.follow?.(view)) return { outcome: 'under way', result: { id } };
    return view.error ? failedWith(view.error.code, view.error.message, false) : done({ id });
  }

  private callOf(operation: string): OperationCall | undefined {
    let call = this.calls.get(operation);
    const handled = this.catalogue.find(operation);
    if (!call && handled) this.calls.set(operation, (call = this.operations.of(handled)));
    return call;
  }
}

/** More than there are of anything that is asked for and ends. */
const mostEvents = 10;

const nobodyDoes = (operation: string) => failedWith('NOT_FOUND', `No step can do ${operation} any more.`, false);

/** What another try may end otherwise; where the answer was kept, it ends the same. */
const passing = [429, 500, 502, 503];

function outcomeOf({ status, body, headers }: Answer): StepOutcome {
  if (status < 400) {
    const { id } = (JSON.parse(body) as { data: { id?: string } }).data;
    if (status === 202 && id !== undefined) return { outcome: 'under way', result: { id } };
    return done(id === undefined ? {} : { id });
  }
  const { code, message } = (JSON.parse(body) as ErrorEnvelope).error;
  // 409 with Retry-After: an earlier try of the same step is still under way.
  const isPassing = passing.includes(status) || (status === 409 && 'Retry-After' in headers);
  return failedWith(code, message, isPassing && !('Idempotent-Replayed' in headers));
}
