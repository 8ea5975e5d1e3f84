import { Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import type { RequestContext } from '#context';
import { type Answer, invalidField, ServiceError, unavailable } from '#errors';
import type { Operation } from '#operations';
import { TenantDatabase } from '#persistence';
import { Aftermath } from '../../platform/events/aftermath.js';
import type { Collected } from '../../platform/events/collecting.js';
import { EventsService } from '../../platform/events/events.service.js';
import { type Happening, shownChange } from '../../platform/events/happening.js';
import { mayReadEvent } from '../../platform/events/readable-events.js';
import { isStep } from '../../platform/events/undo.js';

/** A rehearsal holds the locks of its write, so it may take no longer than a write. */
const longestMs = 5_000;
const mostEffects = 200;
const callsOut =
  'The rehearsal does not include the call to the provider or the language model, or what follows from its response.';

/** @throws validation_error for a read, or if it is neither true nor false. */
export function isDryRun({ dryRun }: RequestContext, { effect }: Operation): boolean {
  if (dryRun === undefined) return false;
  if (effect === 'read') throw invalidField(['dryRun'], 'Only writes can be rehearsed. Remove it.');
  if (dryRun === true || dryRun === 'true') return true;
  if (dryRun === false || dryRun === 'false') return false;
  throw invalidField(['dryRun'], 'Send true to rehearse the write, or false.');
}

/**
 * Runs a write with all its checks, in a transaction that is undone. The response is that of the write, with the events
 * that it would have recorded. An Idempotency-Key is ignored, and a model's budget is not spent.
 */
@Injectable()
export class Rehearsals {
  constructor(
    private readonly database: TenantDatabase,
    private readonly events: EventsService,
    private readonly aftermath: Aftermath,
  ) {}

  async run(
    context: RequestContext,
    operation: Operation,
    caller: RequestCaller,
    handle: () => Promise<Answer>,
  ): Promise<Answer> {
    const { result, ...said } = await this.collect(caller, handle);
    context.rehearsed = said.happened;
    if (result.code !== undefined) return result;
    return rehearsed(operation, caller, result, said, await this.aftermath.foresee(caller, said.happened));
  }

  /** What the write would answer, and all that it would change. */
  async collect({ orgId }: RequestCaller, handle: () => Promise<Answer>) {
    try {
      return await this.events.collect(() => this.database.rehearse(orgId, longestMs, handle));
    } catch (error) {
      throw tookTooLong(error) ? tooLong(error) : error;
    }
  }
}

function rehearsed(
  operation: Operation,
  caller: RequestCaller,
  { value: { data, meta } }: Extract<Answer, { code?: undefined }>,
  { happened, foreseen }: Collected,
  afterwards: readonly string[],
): Answer {
  const isOut = operation.transaction === 'own' || operation.modelBacked === true;
  return {
    status: 200,
    headers: {},
    value: {
      data: Array.isArray(data) ? data : { ...(data as object), ...unknownYet(operation, isOut, data, happened) },
      meta: {
        ...meta,
        dryRun: true,
        effects: effectsFor(caller, happened, foreseen),
        effectsTotal: foreseen.reduce((total, { count }) => total + count, happened.length),
        warnings: [...(isOut ? [callsOut] : []), ...afterwards],
      },
    },
  };
}

/** Values that only the real write creates: a secret, and the id of work that continues elsewhere. */
function unknownYet(
  { showsSecret }: Operation,
  isOut: boolean,
  data: unknown,
  happened: readonly Happening[],
): Record<string, null> {
  const { id } = data as { id?: unknown };
  const isNew = isOut && happened.some(({ change }) => change.target.id === id && change.before === null);
  return { ...(isNew && { id: null }), ...(showsSecret !== undefined && { [showsSecret]: null }) };
}

/**
 * In the order of the events. For events that the caller may not read, and for those that would follow in the
 * background, only the number of each type.
 */
function effectsFor(
  { permissions, propertyIds }: RequestCaller,
  happened: readonly Happening[],
  foreseen: Collected['foreseen'],
): object[] {
  const isReadable = (one: Happening): boolean =>
    mayReadEvent(one, permissions) && (!propertyIds || propertyIds.includes(one.change.propertyId ?? ''));
  const hidden = Map.groupBy(
    happened.filter((one) => !isReadable(one)),
    ({ type }) => type,
  );
  const shown = happened.filter(isReadable).map((one) => ({
    type: one.type,
    subject: one.change.target,
    name: one.data.name ?? null,
    ...shownChange(one),
    undoable: isStep(one.undo),
  }));
  const counted = [...[...hidden].map(([type, all]) => ({ type, count: all.length })), ...foreseen];
  return [...shown.slice(0, mostEffects - counted.length), ...counted];
}

const tookTooLong = (error: unknown): error is ServiceError =>
  error instanceof ServiceError && (error.cause as { code?: unknown } | undefined)?.code === '25P04';

const tooLong = (cause: ServiceError): ServiceError =>
  unavailable(`The rehearsal took longer than ${longestMs / 1_000} seconds. Rehearse a smaller change.`, 1, cause);
