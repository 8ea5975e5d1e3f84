import type { Door, RawInput, ReadLarge, RequestContext } from '#context';
import type { Issue } from '#errors';
import { coerceText, type Operation, readInput } from '#operations';
import { expectedVersionOf } from './if-match.js';
import { takeMisplacedDryRun } from './misplaced-dry-run.js';
import { mergeInput } from '../../platform/http/rest-input.js';

/** Reads and validates the input after the guards, so that 401, 429 and 403 come before 400. */
export async function readOperationInput(
  context: RequestContext,
  operation: Operation,
  readLarge: ReadLarge,
): Promise<void> {
  const raw = takeShown(context, operation, takeDryRun(context, await context.readRaw(readLarge)));
  context.raw = raw;
  const { rest, misplaced } = takeMisplacedDryRun(context.door, operation, raw);
  const { fields, issues } = fieldsOf(context.door, rest, operation);
  context.input = readInput(operation.input, fields, [...misplaced, ...issues]);
  if (context.ifMatch !== undefined && context.caller) {
    context.caller = { ...context.caller, expectedVersion: expectedVersionOf(context.ifMatch) };
  }
}

/** The fields that were read, as they were sent, without their place in the request. */
export const fieldsIn = ({ door, raw }: RequestContext, operation: Operation): object =>
  fieldsOf(door, raw as RawInput, operation).fields;

const fieldsOf = (door: Door, raw: RawInput, operation: Operation): { fields: object; issues: Issue[] } =>
  door === 'rest' ? restFields(raw, operation) : argumentsOf(raw);

/** REST sends it in the query, MCP beside the arguments; it is not a field of any operation. The context keeps it. */
function takeDryRun(context: RequestContext, raw: RawInput): RawInput {
  if (context.door !== 'rest') return raw;
  const { dryRun, ...query } = raw.query;
  context.dryRun = dryRun;
  return { ...raw, query };
}

/** What a read is to show: part of the query or of the arguments, but no field of any operation. The context keeps it. */
function takeShown(context: RequestContext, { includes }: Operation, raw: RawInput): RawInput {
  if (!includes) return raw;
  const from = context.door === 'rest' ? 'query' : 'body';
  const { include, fields, ...rest } = raw[from] as Record<string, unknown>;
  Object.assign(context, { include, fields });
  return { ...raw, [from]: rest };
}

/** The arguments of an internal call are typed JSON, without path and query. */
const argumentsOf = ({ body }: RawInput): { fields: object; issues: Issue[] } => ({
  fields: body as object,
  issues: [],
});

function restFields(raw: RawInput, operation: Operation): { fields: object; issues: Issue[] } {
  const text = { path: coerceText(operation.input, raw.path), query: coerceText(operation.input, raw.query) };
  return mergeInput({ ...text, body: raw.body }, operation);
}
