import { Injectable } from '@nestjs/common';
import { Catalogue, type Operation, type OperationCall, OperationCalls } from '#operations';

/** The operations by name, and how to call them as a request would. */
@Injectable()
export class KnownOperations {
  private readonly calls = new Map<string, OperationCall>();
  private byName?: ReadonlyMap<string, Operation>;

  constructor(
    private readonly catalogue: Catalogue,
    private readonly operations: OperationCalls,
  ) {}

  find(name: string): Operation | undefined {
    this.byName ??= new Map(this.catalogue.all().map(({ operation }) => [operation.name, operation]));
    return this.byName.get(name);
  }

  /** Through the same guards, validation, idempotency and audit. */
  callOf(name: string): OperationCall | undefined {
    let call = this.calls.get(name);
    const handled = call ? undefined : this.catalogue.all().find(({ operation }) => operation.name === name);
    if (handled) this.calls.set(name, (call = this.operations.of(handled)));
    return call;
  }
}
