import { type Mutant, mutantsOf, suite } from './mutant.js';

const scopes = (only: string) => suite('integration/events/event-scopes', only);
const runs = suite('integration/workflows/runs', 'an event that the member may no longer read');

/** Events go to those who may read what they are about, and work done later to those who still may. */
export const readers: Mutant[] = [
  ...mutantsOf('src/events/events.repository.ts', scopes('is shown to those who may read its subject'), {
    'the feed shows every type of event': "      .when(readable.types, 'e.type = any(?)')\n",
    'every job of a model is shown':
      "      where.and('(e.type <> all(?) or e.data ->> ? = any(?))', types, field, values);",
  }),
  ...mutantsOf('src/events/event-feed.service.ts', scopes('is refused to a filter'), {
    'a filter of listEvents names types that may not be read': ['refuseUnreadable(caller, filters.types ?? []);', ''],
  }),
  ...mutantsOf('src/events/event-feed.service.ts', scopes('a stream'), {
    'a filter of a stream names types that may not be read': ['refuseUnreadable(caller, input.types ?? []);', ''],
  }),
  ...mutantsOf('src/edge/record-streams.ts', scopes('ends soon after'), {
    'a stream goes on with permissions that have ended': ['[...(caller?.permissions ?? [])].sort()', 'null'],
  }),
  ...mutantsOf('src/workflows/runs/run-steps.service.ts', runs, {
    'a run acts on an event that its member may not read': [
      '    if (refused) return await this.progress.fail(turn.claim, step, refused);\n    switch',
      '    switch',
    ],
  }),
  ...mutantsOf('src/workflows/runs/runs.service.ts', runs, {
    'a run shows an event to those who may not read it': [
      'if (!event || mayReadEvent(event, permissions)) return run;',
      'if (!event || permissions) return run;',
    ],
  }),
  ...mutantsOf(
    'src/workflows/definition-checks.service.ts',
    suite('integration/workflows/definitions', 'are needed of whoever writes a step'),
    {
      'a workflow waits for events that its member may not read': [
        'missingFor(trigger.eventType ? [trigger.eventType] : [], permissions)',
        'missingFor([], permissions)',
      ],
    },
  ),
];
