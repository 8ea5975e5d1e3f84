import type { Output, Page } from './output.js';
import { classOf, fieldsOf, type Shape } from './schema.js';

type Keep = (value: unknown) => unknown;

const kept = new WeakMap<Shape, Keep>();

/**
 * A function that copies only the fields of a view, made once for each class: whatever else a row carries never leaves.
 * It is generated source, because a literal with fixed keys is an order of magnitude cheaper than a loop over names.
 */
function keepFields(shape: Shape): Keep {
  const known = kept.get(shape);
  if (known) return known;
  const inner: Keep[] = [];
  const parts = fieldsOf(shape).map(({ name, schema }) => {
    if (!/^\w+$/.test(name)) throw new Error(`${shape.name}.${name} is no name for a field`);
    const value = `row.${name}`;
    const nested = classOf(schema);
    if (!nested) return `${name}: ${value}`;
    const keep = `inner[${inner.push((item) => keepFields(nested)(item)) - 1}]`;
    return `${name}: Array.isArray(${value}) ? ${value}.map(${keep}) : ${value} == null ? ${value} : ${keep}(${value})`;
  });
  // oxlint-disable-next-line typescript/no-implied-eval -- out of field names alone, each checked above
  const make = new Function('inner', `return (row) => ({ ${parts.join(', ')} });`) as (inner: Keep[]) => Keep;
  const keep = make(inner);
  kept.set(shape, keep);
  return keep;
}

/** Whether the body's data are a list: a page, or the whole. */
export const isList = (output: Output<unknown>): boolean => output.kind === 'many' || isPaged(output);

/** Whether the body holds a page. */
export const isPaged = ({ kind }: Output<unknown>): boolean => kind === 'page' || kind === 'lines';

/** What of a result may be shown: the fields of the output's view, of one record or of each of several. */
export function viewOf(output: Output<unknown>, result: unknown): unknown {
  const keep = keepFields(output.view);
  if (output.kind === 'one') return keep(result);
  const rows = output.kind === 'many' ? (result as unknown[]) : (result as Page<unknown>).items;
  return rows.map(keep);
}

/** The body of a successful answer (contract: `{data, meta: {requestId}}`, lists with `meta.pagination`). */
export function successBody(output: Output<unknown>, result: unknown, requestId: string): string {
  const data = viewOf(output, result);
  if (!isPaged(output)) return JSON.stringify({ data, meta: { requestId } });
  const { limit, nextCursor } = result as Page<unknown>;
  return JSON.stringify({ data, meta: { requestId, pagination: { limit, nextCursor } } });
}
