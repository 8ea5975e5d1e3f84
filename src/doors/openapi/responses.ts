import { dataSchemaOf, hasVersion, type Inclusion, isPaged, type JsonSchema, type Operation } from '#operations';
import type { ComponentSchemas } from './component-schemas.js';
import { canBeHeld } from '../../auth/approval-rules/mode-for.js';
import type { ErrorResponses } from './error-responses.js';
import { authenticated, headerRef, objectOf, responseRef, schemaRef } from './parts.js';

const pending = objectOf({ data: schemaRef('PendingApproval'), meta: schemaRef('Meta') });

/** The response to a request that waits for a person. */
export const pendingResponse = {
  description:
    'The request needs approval by a person, because of a rule of the organization or a choice at consent. Poll Location (getApproval).',
  headers: { ...authenticated, Location: headerRef('Location') },
  content: {
    'application/json': { schema: pending },
  },
};

/** All responses of an operation. */
export function responsesOf(
  operation: Operation,
  schemas: ComponentSchemas,
  errors: ErrorResponses,
): Record<string, JsonSchema> {
  const done = success(operation, schemas);
  const mayWait = canBeHeld(operation);
  const held = mayWait && operation.status !== 202 && { 202: responseRef('ApprovalPending') };
  return {
    ...(operation.status === 202 ? { 200: done, 202: accepted(done, mayWait) } : { [operation.status]: done }),
    ...(operation.output.kind === 'saved' &&
      operation.method === 'PUT' && { 201: { ...done, description: 'Created.' } }),
    ...held,
    ...errors.of(operation),
  };
}

function success(operation: Operation, schemas: ComponentSchemas): JsonSchema {
  const { output, effect } = operation;
  const view = schemas.reference(output.view);
  if (operation.includes) schemas.include(output.view, Object.keys(operation.includes) as Inclusion[]);
  if (output.kind === 'stream') {
    // OpenAPI 3.1 cannot describe a single event of a stream: the schema describes each event's data.
    const content = { 'text/event-stream': { schema: { type: 'string', contentSchema: view } } };
    return { description: 'Server-sent events, until the connection is closed.', headers: authenticated, content };
  }
  if (output.kind === 'lines') {
    // As for a stream, the schema describes each line.
    const content = { 'application/x-ndjson': { schema: { type: 'string', contentSchema: view } } };
    return { description: 'One JSON value per line.', headers: authenticated, content };
  }
  const body = objectOf({
    data: dataSchemaOf(output, view),
    meta: schemaRef(metaOf(output)),
  });
  return {
    description: output.kind === 'page' ? 'One page of the list.' : 'Done.',
    headers: {
      ...authenticated,
      ...(hasVersion(operation) && { ETag: headerRef('ETag') }),
      ...(effect !== 'read' && { 'Idempotent-Replayed': headerRef('IdempotentReplayed') }),
    },
    content: { 'application/json': { schema: body } },
  };
}

const metaOf = (output: Operation['output']): string => {
  if (output.kind === 'saved') return 'SavedMeta';
  return isPaged(output) ? 'PageMeta' : 'Meta';
};

/** The same record before it is done, or what waits for a person. */
const accepted = ({ content, ...done }: ReturnType<typeof success>, mayWait: boolean): JsonSchema => {
  const { schema } = (content as Record<'application/json', { schema: JsonSchema }>)['application/json'];
  return {
    ...done,
    description: `In progress${mayWait ? ', or waiting for approval by a person' : ''}; Location is where to follow it.`,
    headers: { ...(done.headers as object), Location: headerRef('Location') },
    content: { 'application/json': { schema: mayWait ? { anyOf: [schema, pending] } : schema } },
  };
};
