import type { SuccessEnvelope } from '#errors';
import type { Output, Page, Saved, Sections } from './output.js';
import { classOf, fieldsOf } from './schema.js';
import { isUnion, memberOf } from './union.js';
import type { JsonSchema, Shape } from './shape.js';

type Keep = (value: unknown) => unknown;

const kept = new WeakMap<Shape, Keep>();

/**
 * A function that copies only the fields of a view, generated once per class, so that no other column leaves the
 * service. Generated source with fixed keys is ten times as fast as a loop over names.
 */
function keepFields(shape: Shape): Keep {
  const known = kept.get(shape);
  if (known) return known;
  const keep = isUnion(shape) ? keepMember(shape) : keepOwn(shape);
  kept.set(shape, keep);
  return keep;
}

/** A value of a union has the fields of the member that it selects. */
function keepMember(shape: Shape): Keep {
  return (row) => {
    const member = memberOf(shape, row as object);
    if (member === shape) throw new Error(`The value selects no member of ${shape.name}`);
    return keepFields(member)(row);
  };
}

function keepOwn(shape: Shape): Keep {
  const inner: Keep[] = [];
  const parts = fieldsOf(shape).map(({ name, schema }) => {
    if (!/^\w+$/.test(name)) throw new Error(`${shape.name}.${name} is not a valid field name`);
    const value = `row.${name}`;
    const nested = classOf(schema);
    // A document that was stored before the field was there has no value for it.
    if (!nested) return isAlwaysShown(schema) ? `${name}: ${value} ?? null` : `${name}: ${value}`;
    const keep = `inner[${inner.push((item) => keepFields(nested)(item)) - 1}]`;
    return `${name}: Array.isArray(${value}) ? ${value}.map(${keep}) : ${value} == null ? ${value} : ${keep}(${value})`;
  });
  // oxlint-disable-next-line typescript/no-implied-eval -- out of field names alone, each checked above
  const make = new Function('inner', `return (row) => ({ ${parts.join(', ')} });`) as (inner: Keep[]) => Keep;
  return make(inner);
}

/** Whether every answer has the field, with null where there is no value. */
const isAlwaysShown = ({ anyOf, required }: JsonSchema): boolean =>
  required !== false && Array.isArray(anyOf) && anyOf.some(({ type }: JsonSchema) => type === 'null');

/** Whether the body's data is a list: a page or the whole list. */
export const isList = ({ kind }: Output<unknown>): boolean => kind === 'many' || kind === 'page' || kind === 'lines';

/** Whether the body contains a page. */
export const isPaged = ({ kind }: Output<unknown>): boolean =>
  kind === 'page' || kind === 'sections' || kind === 'lines';

/** The schema of a body's data, from that of one record. */
export function dataSchemaOf(output: Output<unknown>, view: JsonSchema): JsonSchema {
  if (output.kind === 'either') return { anyOf: [view, { type: 'array', items: view }] };
  return isList(output) ? { type: 'array', items: view } : view;
}

const keepOf = ({ view }: Output<unknown>): Keep => keepFields(view);

/** The visible part of a result: the fields of the output's view, for one record or for each of several. */
export function viewOf(output: Output<unknown>, result: unknown): unknown {
  const keep = keepOf(output);
  if (output.kind === 'one' || (output.kind === 'either' && !Array.isArray(result))) return keep(result);
  if (output.kind === 'sections' || output.kind === 'saved')
    return keep((result as Sections<unknown> | Saved<unknown>).record);
  return rowsOf(output, result).map(keep);
}

/** What a successful response contains (contract: `{data, meta: {requestId}}`, lists with `meta.pagination`). */
export function successEnvelope(output: Output<unknown>, result: unknown, requestId: string): SuccessEnvelope {
  const data = viewOf(output, result);
  if (output.kind === 'saved') {
    const { outcome, contentHash } = result as Saved<unknown>;
    return { data, meta: { requestId, outcome, contentHash } };
  }
  if (!isPaged(output)) return { data, meta: { requestId } };
  const { limit, nextCursor } = result as Page<unknown>;
  return { data, meta: { requestId, pagination: { limit, nextCursor } } };
}

const rowsOf = ({ kind }: Output<unknown>, result: unknown): unknown[] =>
  kind === 'many' || kind === 'either' ? (result as unknown[]) : (result as Page<unknown>).items;
