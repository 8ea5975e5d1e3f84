import { errorTypes } from '#errors';
import { type JsonSchema, savedOutcomes } from '#operations';
import { objectOf, schemaRef } from './parts.js';

const ofWrites = ['undoable', 'dryRun', 'effects', 'effectsTotal', 'warnings'];
const metaProperties: Record<string, JsonSchema> = {
  requestId: { type: 'string', description: 'The same as X-Request-Id.' },
  undoable: { type: 'boolean', description: 'For a write: whether undoChanges can currently undo it.' },
  dryRun: { type: 'boolean', const: true, description: 'The write was rehearsed, and nothing was changed.' },
  effects: {
    type: 'array',
    maxItems: 200,
    description:
      'What the write would change, in the form of its events; only a type and a count for records that you may not read.',
    items: schemaRef('Effect'),
  },
  effectsTotal: { type: 'integer', description: 'The number of effects, of which at most 200 are listed.' },
  warnings: { type: 'array', items: { type: 'string' }, description: 'What the rehearsal could not include.' },
};

/** The schemas that belong to no class of an operation. */
export const fixedSchemas: Record<string, JsonSchema> = {
  ErrorEnvelope: objectOf({
    error: {
      ...objectOf(
        {
          type: { type: 'string', enum: errorTypes.map(({ type }) => type) },
          code: { type: 'string', pattern: '^[A-Z][A-Z0-9_]*$' },
          message: { type: 'string', description: 'What is wrong and what to do about it.' },
          details: {
            type: 'object',
            description: 'Details of the error; a validation error lists every invalid field in `issues`.',
            additionalProperties: true,
          },
        },
        ['details'],
      ),
    },
    meta: schemaRef('Meta'),
  }),
  Issue: objectOf({
    path: { type: 'array', items: { type: ['string', 'integer'] }, description: 'Path in the input.' },
    message: { type: 'string', description: 'What to pass.' },
  }),
  PendingApproval: objectOf({
    id: { type: 'string', description: 'Approval id (approval_…).' },
    status: { type: 'string', enum: ['pending', 'approved', 'done', 'failed'] },
    operation: { type: 'string', description: 'Operation that was requested.' },
    summary: { type: 'string', description: 'What the operation does, in a few words.' },
    url: { type: 'string', format: 'uri', description: 'Page where a person decides.' },
    expiresAt: { type: 'string', format: 'date-time', description: 'When it expires if nobody decides.' },
    next: { type: 'string', description: 'What to do next.' },
  }),
  Meta: objectOf(metaProperties, ofWrites),
  SavedMeta: objectOf(
    {
      ...metaProperties,
      outcome: { type: 'string', enum: [...savedOutcomes], description: 'Outcome for the record.' },
      contentHash: { type: 'string', description: 'Hash of the last saved content, for reconciling.' },
    },
    ofWrites,
  ),
  Effect: objectOf(
    {
      type: { type: 'string', description: 'The type of the event.', examples: ['task.updated'] },
      subject: objectOf({ type: { type: 'string' }, id: { type: 'string' } }),
      name: { type: ['string', 'null'], description: 'The name of the record, if it has one.' },
      before: { type: ['object', 'null'], description: 'The fields that would change; null for a new record.' },
      after: { type: ['object', 'null'], description: 'The same fields afterwards; null for a deleted record.' },
      undoable: { type: 'boolean', description: 'Whether undoChanges can undo this effect.' },
      count: { type: 'integer', description: 'Number of effects of this type, instead of the other fields.' },
    },
    ['subject', 'name', 'before', 'after', 'undoable', 'count'],
  ),
  PageMeta: objectOf(
    {
      requestId: { type: 'string', description: 'The same as X-Request-Id.' },
      pagination: objectOf({
        limit: { type: 'integer', description: 'Limit of the request.' },
        nextCursor: {
          anyOf: [{ type: 'string' }, { type: 'null' }],
          description: 'Send it as cursor to get the next page; null on the last page.',
        },
      }),
      feedCursor: {
        type: 'string',
        description:
          'With events:read: cursor of listEvents. Every event before it is reflected in this page; follow it from the first page of a list.',
      },
    },
    ['feedCursor'],
  ),
};
