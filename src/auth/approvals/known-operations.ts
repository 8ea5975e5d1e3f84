import { Injectable } from '@nestjs/common';
import { Catalogue, fieldsOf, type Operation, type OperationCall, OperationCalls } from '#operations';

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

  /** The names of the fields that a read shows of the record with this id. */
  shownOf(id: string): ReadonlySet<string> {
    const prefix = id.slice(0, id.lastIndexOf('_'));
    const reads = this.catalogue.all().filter(({ operation }) => operation.effect === 'read');
    const fields = reads
      .filter(({ operation: { output } }) => output.kind === 'one')
      .map(({ operation: { output } }) => fieldsOf(output.view))
      .find((all) => all.some(({ name, schema }) => name === 'id' && schema['x-id'] === prefix));
    return new Set(fields?.map(({ name }) => name));
  }

  /** Through the same guards, validation, idempotency and audit. */
  callOf(name: string): OperationCall | undefined {
    let call = this.calls.get(name);
    const handled = call ? undefined : this.catalogue.all().find(({ operation }) => operation.name === name);
    if (handled) this.calls.set(name, (call = this.operations.of(handled)));
    return call;
  }
}
