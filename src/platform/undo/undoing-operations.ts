import { Injectable } from '@nestjs/common';
import type { RequestCaller } from '#access';
import { RequestContext } from '#context';
import { ServiceError } from '#errors';
import { Catalogue, fieldsOf, type Operation, type OperationCall, OperationCalls } from '#operations';
import { newId } from '#persistence';
import type { Fields } from '../events/images.js';

/** Other operations, as an undo performs them: with the caller's permissions, in the transaction of the undo. */
@Injectable()
export class UndoingOperations {
  private readonly calls = new Map<string, OperationCall>();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly operations: OperationCalls,
  ) {}

  find(name: string): Operation | undefined {
    return this.handledOf(name)?.operation;
  }

  /** @param input of which the operation takes the fields that it knows. @throws what it refuses. */
  async perform(caller: RequestCaller, name: string, input: Fields): Promise<void> {
    const handled = this.handledOf(name);
    if (!handled) throw new Error(`Nothing is called ${name}`);
    let call = this.calls.get(name);
    if (!call) this.calls.set(name, (call = this.operations.of(handled)));
    const known = new Set(fieldsOf(handled.operation.input).map((field) => field.name));
    const body = Object.fromEntries(Object.entries(input).filter(([field]) => known.has(field)));
    const logId = caller.logId ?? newId('request');
    const context = new RequestContext('workflow', caller.requestId, logId, () =>
      Promise.resolve({ path: {}, query: {}, body }),
    );
    context.caller = caller;
    const { status, code, value } = await call(context);
    if (code !== undefined)
      throw new ServiceError({
        status,
        ...(status !== 403 && { code }),
        message: value.error.message,
        deterministic: status < 500,
      });
  }

  private handledOf(name: string) {
    return this.catalogue.all().find(({ operation }) => operation.name === name);
  }
}
