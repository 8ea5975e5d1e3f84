import { Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import { RequestContext } from '#context';
import { type Answer, isPassing } from '#errors';
import { type OperationCall, OperationCalls } from '#operations';
import { newId } from '#persistence';
import { giveWay } from '#turns';
import { EventsRepository, feedStart } from '../../../platform/events/events.repository.js';
import { everything } from '../../../platform/events/readable-events.js';
import { StepCatalogue } from '../step-catalogue.js';
import type { WorkflowRunError } from './run.dto.js';
import { done, failedWith, type StepOutcome, type InFlight } from './step-outcome.js';

/**
 * Performs an operation exactly as a request would: through the same guards, validation, idempotency and audit. The key
 * ensures that it happens once, however often the step starts.
 */
@Injectable()
export class OperationSteps {
  private readonly calls = new Map<string, OperationCall>();

  constructor(
    private readonly catalogue: StepCatalogue,
    private readonly operations: OperationCalls,
    private readonly events: EventsRepository,
  ) {}

  async perform(caller: RequestCaller, operation: string, input: object, idempotencyKey: string): Promise<StepOutcome> {
    const call = this.callOf(operation);
    if (!call) return nobodyDoes(operation);
    const raw = { path: {}, query: {}, body: input };
    const logId = newId('request');
    const context = new RequestContext('workflow', caller.requestId, logId, () => Promise.resolve(raw));
    context.caller = { ...caller, logId };
    context.idempotencyKey = idempotencyKey;
    await giveWay(caller.orgId);
    return outcomeOf(await call(context));
  }

  /** The current state of work that was still in progress when the operation responded, according to its events. */
  async look(orgId: string, operation: string, { id }: InFlight['result']): Promise<StepOutcome> {
    const handled = this.catalogue.find(operation);
    if (!handled) return nobodyDoes(operation);
    const { events } = await this.events.after(everything(orgId), { subject: id }, feedStart, mostEvents);
    const view = events.at(-1)?.data as { error: WorkflowRunError | null } | undefined;
    if (!view || handled.operation.follow?.(view)) return { outcome: 'in flight', result: { id } };
    return view.error ? failedWith(view.error.code, view.error.message, false) : done({ id });
  }

  private callOf(operation: string): OperationCall | undefined {
    let call = this.calls.get(operation);
    const handled = this.catalogue.find(operation);
    if (!call && handled) this.calls.set(operation, (call = this.operations.of(handled)));
    return call;
  }
}

/** More events than any such work has. */
const mostEvents = 10;

const nobodyDoes = (operation: string) => failedWith('NOT_FOUND', `Steps can no longer run ${operation}.`, false);

function outcomeOf(answer: Answer): StepOutcome {
  const { status, headers } = answer;
  if (answer.code === undefined) {
    const { id } = answer.value.data as { id?: string };
    if (status === 202 && id !== undefined) return { outcome: 'in flight', result: { id } };
    return done(id === undefined ? {} : { id });
  }
  // If the response was stored, another attempt gets the same one.
  const mayPass = isPassing(answer) && !('Idempotent-Replayed' in headers);
  return failedWith(answer.code, answer.value.error.message, mayPass);
}
