import type { Request } from 'express';
import { Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import { RequestContext } from '#context';
import { type Answer, ServiceError } from '#errors';
import { Catalogue, isPaged, type Operation, type OperationCall, OperationCalls } from '#operations';
import { TenantDatabase, uuidIn } from '#persistence';
import { type Fields, submissionKey } from './forms.service.js';

/** For how long a page shows a secret again that it showed once. */
const shownAgainMs = 60_000;

/** The result of a form; for a replay, that of the earlier request with the same nonce. */
export interface Performed {
  readonly answer: Answer;
  /** The secret was shown before, and no longer is. */
  readonly isWithheld: boolean;
}

/**
 * The door of pages: they call operations as programs do, through the same guards, validation, idempotency and audit,
 * with a caller of kind `session`. Nothing on a page is reachable that the operation refuses.
 */
@Injectable()
export class PageCalls {
  private calls?: ReadonlyMap<Operation, OperationCall>;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly operations: OperationCalls,
    private readonly database: TenantDatabase,
  ) {}

  /** What a page shows. @throws what the operation refuses. */
  async ask<In extends object, Out>(
    request: Request,
    caller: RequestCaller,
    operation: Operation<In, Out>,
    input: Readonly<In>,
  ): Promise<Out> {
    const answer = await this.call(this.contextOf(request, caller, input), operation);
    if (answer.code !== undefined) throw errorOf(answer);
    const { data, meta } = answer.value;
    const rows = operation.output.kind === 'sections' ? { record: data } : { items: data };
    return (isPaged(operation.output) ? { ...rows, ...meta.pagination } : data) as Out;
  }

  /** What a form asks for, once for each submission. */
  async perform(
    request: Request,
    caller: RequestCaller,
    operation: Operation,
    input: object,
    fields: Fields,
  ): Promise<Performed> {
    const context = this.contextOf(request, caller, input);
    const key = submissionKey(fields);
    context.idempotencyKey = key;
    const answer = await this.call(context, operation);
    request.context.toolCall = { operation, answer };
    const { showsSecret } = operation;
    if (showsSecret === undefined || answer.code !== undefined || !('Idempotent-Replayed' in answer.headers))
      return { answer, isWithheld: false };
    return (await this.isRecent(caller, key as string))
      ? { answer, isWithheld: false }
      : { answer: withoutSecret(answer, showsSecret), isWithheld: true };
  }

  private contextOf(request: Request, caller: RequestCaller, body: object): RequestContext {
    const { requestId, logId } = request.context;
    const context = new RequestContext('page', requestId, logId, () => Promise.resolve({ path: {}, query: {}, body }));
    context.caller = caller;
    return context;
  }

  private call(context: RequestContext, operation: Operation): Promise<Answer> {
    this.calls ??= new Map(this.catalogue.all().map((one) => [one.operation, this.operations.of(one)]));
    return (this.calls.get(operation) as OperationCall)(context);
  }

  private async isRecent({ orgId, credential }: RequestCaller, key: string): Promise<boolean> {
    const [kept] = await this.database.rows(
      orgId,
      'select 1 from idempotency_records where org_id = $1 and principal = $2 and key = $3 and created_at > $4',
      [uuidIn(orgId), credential.principal, key, new Date(Date.now() - shownAgainMs).toISOString()],
    );
    return kept !== undefined;
  }
}

function withoutSecret(answer: Answer, field: string): Answer {
  if (answer.code !== undefined) return answer;
  const { data, meta } = answer.value;
  return { ...answer, value: { data: { ...(data as object), [field]: null }, meta } };
}

/** A refusal as an error, for those who throw it on. */
export function errorOf({ status, value, headers }: Answer & { code: string }): ServiceError {
  const { code, message, details } = value.error;
  return new ServiceError({ status, code, message, details, headers });
}
