import { type Mutant, mutantsOf, suite } from './mutant.js';

const recurrence = (only: string) => suite('integration/tasks/recurrence', only);
const connected = suite('integration/connections/connections', 'that is not disconnected');

/** What keeps a place in use, what is allowed at an archived one, and who works there. */
export const places: Mutant[] = [
  ...mutantsOf('src/outside/connections/connected-places.ts', connected, {
    'a place with a connection is archived': [
      'return place.unitId ? unitHasConnections(live) : propertyHasConnections(live);',
      'return undefined;',
    ],
  }),
  ...mutantsOf('src/outside/connections/syncs.service.ts', connected, {
    'a sync adds stays to an archived property':
      "if (await this.isOutOfUse(connection)) return { outcome: 'failed', reason: outOfUse };",
  }),
  ...mutantsOf(
    'src/features/reservations/blocks/changed-nights.ts',
    suite('integration/reservations/assignments.slow', 'that stays of the type need'),
    {
      'a shortened block is rejected': ['held && isOpen(held)', 'held && !isOpen(held)'],
    },
  ),
  ...mutantsOf('src/features/tasks/recurrence/recurrences.service.ts', recurrence('archived'), {
    'a place with recurring tasks is archived': [
      'return place.unitId ? unitHasSeries(going) : propertyHasSeries(going);',
      'return undefined;',
    ],
    'tasks recur at an archived place': 'series.isOutOfUse ? undefined : ',
  }),
  ...mutantsOf('src/features/tasks/recurrence/recurrences.service.ts', recurrence('without assignees who left'), {
    'a series keeps assignees who left': ['await this.handedOn(task)', 'task'],
  }),
  ...mutantsOf(
    'src/features/tasks/task-rules.service.ts',
    suite('integration/tasks/create-task', 'an archived property'),
    {
      'tasks are created at an archived property': 'if (archivedAt) throw propertyIsArchived();',
    },
  ),
  ...mutantsOf('src/features/tasks/task-planner.ts', suite('integration/tasks/task-planning', 'lose the assignees'), {
    'a task keeps assignees who cannot see its new property': [
      'changes.assigneeIds = await this.rules.stillAble(row.orgId, row.assigneeIds, stay.propertyId);',
      'changes.assigneeIds = row.assigneeIds;',
    ],
  }),
  ...mutantsOf('libs/recurrence/recurrence-rule.ts', 'unit/recurrence/recurrence-rule', {
    'a rule may repeat a part': 'parts.size === named.length &&\n    ',
    'a rule that may have no occurrence is searched': ' && !mayNeverCome(parts)',
    'a rule may have a COUNT that is not a number': ["COUNT: one('[1-9]\\\\d{0,3}'),", "COUNT: one('.*'),"],
  }),
  ...mutantsOf('libs/operations/nested-fields.ts', 'integration/organizations/metadata', {
    'metadata of other programs is removed': ['{ ...record.metadata, ...metadata }', 'metadata'],
    'metadata grows without a limit': ['if (merged.length > mostKeys) throw tooManyKeys();', ''],
  }),
  ...mutantsOf('src/tenancy/stays/stays.repository.ts', 'integration/reservations/archived-places', {
    'a place is archived with overdue guests in it': [" or stay_status = 'checked_in'", ''],
  }),
  ...mutantsOf('src/features/reservations/stay-states.service.ts', 'integration/reservations/archived-places', {
    'guests come back to an archived place': 'await this.places.stillUsable(caller, stay, today);',
  }),
  ...mutantsOf(
    'src/features/reservations/blocks/blocked-nights.service.ts',
    'integration/reservations/archived-places',
    {
      'a stay goes back to an archived type': 'await canWait();',
    },
  ),
  ...mutantsOf(
    'src/features/reservations/explanations/other-stays.service.ts',
    'integration/reservations/explanations.slow',
    {
      'calls are offered to callers who may not make them': " || !may(caller, 'reservations:write')",
    },
  ),
];
