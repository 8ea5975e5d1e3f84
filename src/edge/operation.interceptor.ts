import type { Response } from 'express';
import {
  type CallHandler,
  type ExecutionContext,
  Injectable,
  type NestInterceptor,
  StreamableFile,
} from '@nestjs/common';
import { lastValueFrom, type Observable, of } from 'rxjs';
import { type Caller, may, type RequestCaller } from '#access';
import type { ReadLarge, RequestContext } from '#context';
import { type Answer, bodyOf } from '#errors';
import {
  contextOf,
  deprecationHeaders,
  deprecationOf,
  isPaged,
  type Lines,
  type Operation,
  type Stream,
} from '#operations';
import { EventsService } from '../platform/events/events.service.js';
import { FeedCursors } from '../platform/events/feed-cursors.js';
import { isUndoable } from '../platform/events/undo.js';
import { envelopeFor, writeHead } from '../platform/http/error-envelope.js';
import { ApprovalGate } from './writes/approval-gate.js';
import { AuditedOperations } from './writes/audited-operations.js';
import { AwaitedJobs } from './answers/awaited-jobs.js';
import { IdempotentWrites } from './writes/idempotent-writes.js';
import { ItemBudget } from './limits/item-budget.js';
import { LargeBodies } from './input/large-bodies.js';
import { Namesakes } from './input/namesakes.js';
import { LongOperations } from './overload/long-operations.js';
import { ModelBudget } from './limits/model-budget.js';
import { readOperationInput } from './input/operation-input.js';
import { RecordStreams } from './answers/record-streams.js';
import { ReferenceSight } from './answers/reference-sight.js';
import { isDryRun, Rehearsals } from './writes/rehearsals.js';
import { ShownRecords } from './answers/shown-records.js';
import { successAnswer } from './answers/success-answer.js';

/**
 * What an operation passes after the guards: its input is read, a write runs once in a transaction and creates an audit
 * entry, the result becomes the value of the response, and an error becomes the specification's envelope. One
 * interceptor, because four took 3 to 4 % more of a small request's CPU.
 */
@Injectable()
export class OperationInterceptor implements NestInterceptor {
  constructor(
    private readonly writes: IdempotentWrites,
    private readonly streams: RecordStreams,
    private readonly audit: AuditedOperations,
    private readonly budget: ModelBudget,
    private readonly items: ItemBudget,
    private readonly jobs: AwaitedJobs,
    private readonly bodies: LargeBodies,
    private readonly namesakes: Namesakes,
    private readonly rehearsals: Rehearsals,
    private readonly gate: ApprovalGate,
    private readonly feed: FeedCursors,
    private readonly records: ShownRecords,
    private readonly events: EventsService,
    private readonly sight: ReferenceSight,
    private readonly long: LongOperations,
  ) {}

  async intercept(host: ExecutionContext, next: CallHandler): Promise<Observable<unknown>> {
    const context = contextOf(host);
    const { operation } = context;
    if (!operation) return next.handle();
    const answer = await this.answer(context, operation, () => lastValueFrom(next.handle())).catch((error: unknown) =>
      envelopeFor(error, context),
    );
    if (operation.maxBodyBytes !== undefined) this.bodies.free(context.raw?.body);
    if (answer instanceof StreamableFile) return of(answer);
    context.answer = answer;
    if (context.door !== 'rest') return of(answer);
    const response = host.switchToHttp().getResponse<Response>();
    writeHead(response, answer);
    const deprecated = deprecationOf(operation, context.input);
    if (deprecated) response.setHeaders(new Map(Object.entries(deprecationHeaders(deprecated))));
    return of(await bodyOf(answer));
  }

  private async answer(
    context: RequestContext,
    operation: Operation,
    call: () => Promise<unknown>,
  ): Promise<Answer | StreamableFile> {
    const readLarge: ReadLarge = (bytes, owner) => this.bodies.read(bytes, [operation], owner);
    await readOperationInput(context, operation, readLarge).catch(async (error: unknown) => {
      throw await this.namesakes.explain(error, context);
    });
    const { caller, requestId } = context;
    if (operation.includes) this.records.check(context, operation);
    const isRehearsal = isDryRun(context, operation);
    if (operation.output.kind === 'stream') {
      return this.streams.events(context, operation, (await call()) as Stream<{ id: string }>);
    }
    const isLines = operation.output.kind === 'lines';
    if (isLines && context.door === 'rest') {
      return this.streams.lines(context, operation, ((await call()) as Lines<object>).all());
    }
    const work = async (): Promise<Answer> => {
      const follows = isPaged(operation.output) && caller && may(caller, 'events:read');
      const feedCursor = follows ? await this.feed.before(caller.orgId) : undefined;
      const perform = () => this.audit.run(context, operation, call);
      if (operation.effect !== 'read') {
        const { result, happened } = await this.events.collect(perform);
        return await this.shown(
          caller,
          operation,
          successAnswer(operation, result, requestId, { undoable: isUndoable(happened) }),
        );
      }
      const result = await perform();
      const shown = isLines ? await (result as Lines<object>).page() : result;
      const answer = successAnswer(operation, shown, requestId, feedCursor ? { feedCursor } : {});
      if (caller && operation.includes) await this.records.show(context, caller, shown, answer);
      return await this.shown(caller, operation, answer);
    };
    const handle = async (): Promise<Answer> => {
      if (operation.modelBacked && caller && !isRehearsal) await this.budget.spend(caller);
      if (operation.countsItems && caller)
        await this.items.spend(caller, (context.input as { items: object[] }).items.length);
      context.client?.onHandling();
      return await work();
    };
    if (!caller) return await handle();
    return await this.decided(context, operation, caller, { isRehearsal, work, handle });
  }

  /** As rules of approval decide: forbidden, asked for, rehearsed or performed. */
  private async decided(
    context: RequestContext,
    operation: Operation,
    caller: RequestCaller,
    { isRehearsal, work, handle }: { isRehearsal: boolean; work: () => Promise<Answer>; handle: () => Promise<Answer> },
  ): Promise<Answer> {
    const mode = await this.gate.modeFor(context, operation, caller);
    if (mode === 'forbid' || (mode === 'ask' && !isRehearsal))
      return await this.gate.answer(mode, context, operation, caller, work);
    const answer = await this.long.during(caller.orgId, operation.name, () => {
      if (operation.effect === 'read') return handle();
      if (isRehearsal) return this.rehearsals.run(context, operation, caller, handle);
      return this.writes.run(context, operation, caller, handle);
    });
    const mayWait = operation.modelBacked && !isRehearsal;
    return mayWait ? await this.jobs.finished(context, operation, caller, answer) : answer;
  }

  private async shown(caller: Caller | undefined, operation: Operation, answer: Answer): Promise<Answer> {
    if (caller) await this.sight.limit(caller, operation, answer);
    return answer;
  }
}
