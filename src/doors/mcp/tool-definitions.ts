import { type Handled, isList, isPaged, type JsonSchema, type Operation, schemaOf } from '#operations';

/** A tool as tools/list describes it. */
export interface ToolDefinition {
  name: string;
  title: string;
  description: string;
  inputSchema: JsonSchema;
  outputSchema: JsonSchema;
  annotations: Record<'readOnlyHint' | 'destructiveHint' | 'idempotentHint' | 'openWorldHint', boolean>;
  _meta?: Record<string, unknown>;
}

export function toolDefinition({ operation }: Handled): ToolDefinition {
  const { name, title, description, input, showsSecret } = operation;
  return {
    name,
    title,
    description: showsSecret ? `${description} The result holds a secret.` : description,
    inputSchema: schemaOf(input),
    outputSchema: bodySchema(operation),
    annotations: annotationsOf(operation),
    ...(showsSecret && { _meta: { 'property-operations/showsSecret': true } }),
  };
}

const annotationsOf = ({ effect, method, transaction, modelBacked }: Operation): ToolDefinition['annotations'] => ({
  readOnlyHint: effect === 'read',
  destructiveHint: effect === 'destructive',
  idempotentHint: effect === 'read' || method === 'PATCH' || method === 'DELETE',
  // Such a handler contacts providers outside of the service, or a language model does the work.
  openWorldHint: transaction === 'own' || modelBacked === true,
});

const meta: JsonSchema = {
  type: 'object',
  properties: { requestId: { type: 'string' } },
  required: ['requestId'],
};

const pageMeta: JsonSchema = {
  type: 'object',
  properties: {
    requestId: { type: 'string' },
    pagination: {
      type: 'object',
      properties: { limit: { type: 'integer' }, nextCursor: { anyOf: [{ type: 'string' }, { type: 'null' }] } },
      required: ['limit', 'nextCursor'],
    },
  },
  required: ['requestId'],
};

/**
 * The body of a response, without descriptions, which would double the tokens of the list. It also allows the error
 * envelope, without pagination: clients of the 2025 era validate the structured content of an error too.
 */
function bodySchema({ output }: Operation): JsonSchema {
  const view = schemaOf(output.view, { describe: false });
  const isPage = isPaged(output);
  return {
    type: 'object',
    properties: {
      data: isList(output) ? { type: 'array', items: view } : view,
      meta: isPage ? pageMeta : meta,
      error: { type: 'object' },
    },
    required: ['meta'],
    anyOf: [{ required: ['data'] }, { required: ['error'] }],
  };
}
