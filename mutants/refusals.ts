import { type Mutant, mutantsOf, suite } from './mutant.js';

/** Each error of an operation is declared, and an error under a key explains how to retry. */
export const refusals: Mutant[] = [
  ...mutantsOf(
    'src/features/tasks/task-moves.operations.ts',
    suite('integration/openapi/refusals', 'include what an operation declares'),
    {
      'an error is not declared': ['refuses: [checklistIncomplete, ', 'refuses: ['],
    },
  ),
  ...mutantsOf(
    'src/edge/guards/refusal-details.dto.ts',
    suite('integration/openapi/refusals', 'types for the details'),
    {
      'details of an error need no class': ['if (refusal.hasOpenDetails)', "if (refusal.code === '')"],
    },
  ),
  ...mutantsOf(
    'src/edge/writes/idempotent-writes.ts',
    suite('integration/tasks/create-task-once', 'keeps an error that a retry would get again'),
    {
      'an error under an idempotency key does not ask for a new one': [
        "[said.message, ...(howToRepeat[context.door] ?? [])].join(' ')",
        'said.message',
      ],
    },
  ),
  ...mutantsOf('src/platform/http/error-envelope.ts', 'unit/edge/error-envelope', {
    'what is not set up is logged with each request': 'if (told.has(message)) return;',
    'what is not set up is logged as an error': ['error instanceof NotSetUp', 'false'],
  }),
];
