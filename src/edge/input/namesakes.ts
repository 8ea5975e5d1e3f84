import { Injectable } from '@nestjs/common';
import { RequestContext } from '#context';
import { MalformedId } from '#errors';
import { Catalogue, fieldsOf, type Handled, isPaged, type OperationCall, OperationCalls } from '#operations';

/** A list that can be searched by the names of its records. */
interface NamedList {
  readonly call: OperationCall;
  readonly takesText: boolean;
}

/** A search needs three characters, and no name has more than two hundred. */
const [shortest, longest] = [3, 200];

/**
 * People and models give a name where an id is needed. That is 404, but if the caller can see exactly one record of this
 * kind and name, the message contains its id. The service asks its own list as the caller, so the message never tells
 * more than the list.
 */
@Injectable()
export class Namesakes {
  private readonly lists = new Map<string, NamedList | undefined>();

  constructor(
    private readonly catalogue: Catalogue,
    private readonly calls: OperationCalls,
  ) {}

  /** The error as clients see it: with the id of the record that was probably meant, if it is one. */
  async explain(error: unknown, { requestId, logId, caller }: RequestContext): Promise<unknown> {
    if (!(error instanceof MalformedId) || !caller) return error;
    const { prefix, given } = error;
    const list = given.length < shortest || given.length > longest ? undefined : this.listOf(prefix);
    if (!list) return error;
    const body = { limit: 100, ...(list.takesText && { q: given.slice(0, 100) }) };
    const context = new RequestContext('workflow', requestId, logId, () =>
      Promise.resolve({ path: {}, query: {}, body }),
    );
    context.caller = caller;
    const { value } = await list.call(context);
    if ('error' in value || value.meta.pagination?.nextCursor !== null) return error;
    const isCalled = ({ name }: { name: string }): boolean => name.toLowerCase() === given.trim().toLowerCase();
    const [record, another] = (value.data as { id: string; name: string }[]).filter(isCalled);
    return record && !another ? error.named(record.id) : error;
  }

  private listOf(prefix: string): NamedList | undefined {
    if (!this.lists.has(prefix)) {
      const found = this.catalogue.all().find((handled) => isNamedListOf(prefix, handled));
      this.lists.set(prefix, found && { call: this.calls.of(found), takesText: hasField(found, 'q') });
    }
    return this.lists.get(prefix);
  }
}

/** Whether an operation lists records with ids of a kind and with names, and needs nothing to do so. */
function isNamedListOf(prefix: string, { operation: { output, effect, input } }: Handled): boolean {
  if (effect !== 'read' || !isPaged(output) || fieldsOf(input).some(({ schema }) => schema.required !== false))
    return false;
  const fields = new Map(fieldsOf(output.view).map(({ name, schema }) => [name, schema]));
  return fields.get('id')?.['x-id'] === prefix && fields.has('name');
}

const hasField = ({ operation }: Handled, field: string): boolean =>
  fieldsOf(operation.input).some(({ name }) => name === field);
