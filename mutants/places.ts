import { type Mutant, mutantsOf, suite } from './mutant.js';

const recurrence = (only: string) => suite('integration/tasks/recurrence', only);
const connected = suite('integration/connections/connections', 'that is not disconnected');

/** What keeps a place in use, what is allowed at an archived one, and who works there. */
export const places: Mutant[] = [
  ...mutantsOf('src/outside/connections/connected-places.ts', connected, {
    'a place is archived while a connection leads there': [
      'return place.unitId ? unitHasConnections(live) : propertyHasConnections(live);',
      'return undefined;',
    ],
  }),
  ...mutantsOf('src/outside/connections/syncs.service.ts', connected, {
    'stays come to an archived property':
      "if (await this.isOutOfUse(connection)) return { outcome: 'failed', reason: outOfUse };",
  }),
  ...mutantsOf(
    'src/features/reservations/blocks/unit-blocks.service.ts',
    suite('integration/reservations/assignments', 'that stays of the type need'),
    {
      'a block that becomes shorter is refused': [
        'takesNights(block) && !(held && isWithin(block, held))',
        'takesNights(block)',
      ],
    },
  ),
  ...mutantsOf('src/features/tasks/recurrence/recurrences.service.ts', recurrence('archived'), {
    'a place is archived while tasks recur there': [
      'return place.unitId ? unitHasSeries(going) : propertyHasSeries(going);',
      'return undefined;',
    ],
    'tasks recur at an archived place': 'series.isOutOfUse ? undefined : ',
  }),
  ...mutantsOf('src/features/tasks/recurrence/recurrences.service.ts', recurrence('without assignees who left'), {
    'a series continues with whoever left': ['await this.handedOn(task)', 'task'],
  }),
  ...mutantsOf(
    'src/features/tasks/task-rules.service.ts',
    suite('integration/tasks/create-task', 'an archived property'),
    {
      'tasks at an archived property': 'if (archivedAt) throw propertyIsArchived();',
    },
  ),
  ...mutantsOf('src/features/tasks/task-planner.ts', suite('integration/tasks/task-planning', 'lose the assignees'), {
    'a task moves with assignees who cannot see where': [
      'changes.assigneeIds = await this.rules.stillAble(row.orgId, row.assigneeIds, stay.propertyId);',
      'changes.assigneeIds = row.assigneeIds;',
    ],
  }),
  ...mutantsOf('libs/recurrence/recurrence-rule.ts', 'unit/recurrence/recurrence-rule', {
    'a rule says a part twice': 'parts.size === named.length &&\n    ',
    'what may never come is looked for': ' && !mayNeverCome(parts)',
    'a rule counts to no number': ["COUNT: one('[1-9]\\\\d{0,3}'),", "COUNT: one('.*'),"],
  }),
  ...mutantsOf('libs/operations/nested-fields.ts', 'integration/organizations/metadata', {
    'metadata of another program are removed': ['{ ...record.metadata, ...metadata }', 'metadata'],
    'metadata grow without a bound': ['if (merged.length > mostKeys) throw tooManyKeys();', ''],
  }),
];
