import { Injectable } from '@nestjs/common';
import { Catalogue, fieldsOf, type Operation, type OperationCall, OperationCalls } from '#operations';

/** The operations by name, and how to call them as a request would. */
@Injectable()
export class KnownOperations {
  private readonly calls = new Map<string, OperationCall>();
  private byName?: ReadonlyMap<string, Operation>;
  private views?: ReadonlyMap<string, ReadonlySet<string>>;

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
    this.views ??= this.fieldsByKind();
    return this.views.get(id.slice(0, id.lastIndexOf('_'))) ?? new Set();
  }

  /** The first view of each kind of record, by the prefix of its ids. */
  private fieldsByKind(): ReadonlyMap<string, ReadonlySet<string>> {
    const views = new Map<string, ReadonlySet<string>>();
    for (const { operation } of this.catalogue.all()) {
      if (operation.effect !== 'read' || operation.output.kind !== 'one') continue;
      const fields = fieldsOf(operation.output.view);
      const kind = fields.find(({ name }) => name === 'id')?.schema['x-id'];
      if (typeof kind === 'string' && !views.has(kind)) views.set(kind, new Set(fields.map(({ name }) => name)));
    }
    return views;
  }

  /** Through the same guards, validation, idempotency and audit. */
  callOf(name: string): OperationCall | undefined {
    let call = this.calls.get(name);
    const handled = call ? undefined : this.catalogue.all().find(({ operation }) => operation.name === name);
    if (handled) this.calls.set(name, (call = this.operations.of(handled)));
    return call;
  }
}
