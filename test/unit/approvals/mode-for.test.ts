import type { Operation } from '#operations';
import type { ApprovalMode, ApprovalRule, ApprovalRules, AskBefore } from '#access';
import { couldBear, modeFor, wideRules } from '../../../src/auth/approval-rules/mode-for.js';
import { assignUnits } from '../../../src/features/reservations/assignments/assignments.operations.js';
import {
  saveGuestByRef,
  saveGuestsInBulk,
  saveReservationByRef,
  saveReservationsInBulk,
} from '../../../src/features/reservations/by-reference/stay-references.operations.js';
import { updateUnitBlock } from '../../../src/features/reservations/blocks/unit-blocks.operations.js';
import {
  createReservation,
  moveReservation,
  updateReservation,
} from '../../../src/features/reservations/reservations.operations.js';
import { createTask, updateTask } from '../../../src/features/tasks/tasks.operations.js';
import { updateUnit } from '../../../src/tenancy/units/units.operations.js';
import { markNoShow } from '../../../src/features/reservations/stay-states.operations.js';
import { editTranslations } from '../../../src/features/guides/translations/translations.operations.js';
import { savePropertiesInBulk, saveUnitByRef } from '../../../src/outside/by-reference/places/places.operations.js';
import { disconnectConnection } from '../../../src/outside/connections/connections.operations.js';

const operations = {
  listTasks: { name: 'listTasks', effect: 'read' },
  createTask: { name: 'createTask', effect: 'write' },
  archiveTask: { name: 'archiveTask', effect: 'destructive' },
  revealWifi: { name: 'revealWifi', effect: 'read', showsSecret: 'password' },
  createApiKey: { name: 'createApiKey', effect: 'write', showsSecret: 'key' },
  inviteMember: { name: 'inviteMember', effect: 'write' },
  withdrawApproval: { name: 'withdrawApproval', effect: 'write' },
} as const;

/** For an operation a rule considers nothing else. */
const operationOf = (named: Pick<Operation, 'name' | 'effect' | 'showsSecret'>) => named as Operation;

const all = (what: string, mode: ApprovalMode): ApprovalRule => ({ isOwn: false, what, mode });
const own = (what: string, mode: ApprovalMode): ApprovalRule => ({ isOwn: true, what, mode });

/** The operations that are not simply performed, as `ask` or `forbid`. */
function held(rules: ApprovalRule[], askBefore: AskBefore = 'nothing'): Record<string, ApprovalMode> {
  const modes = Object.values(operations).map(
    (one) => [one.name, modeFor({ rules, askBefore }, operationOf(one), {})] as const,
  );
  return Object.fromEntries(modes.filter(([, mode]) => mode !== 'auto'));
}

const everySecret = { revealWifi: 'ask', createApiKey: 'ask' };
const around = { ...everySecret, inviteMember: 'ask' };

it.each<[string, ApprovalRule[], object]>([
  ['not at all without a rule', [], {}],
  ['to one operation', [all('createTask', 'ask')], { createTask: 'ask' }],
  ['to secrets, whether they are revealed or written', [all('secrets', 'ask')], everySecret],
  [
    'to destructive operations, and to those that would bypass the rule',
    [all('destructive', 'ask')],
    { archiveTask: 'ask', ...around },
  ],
  [
    'to writes, including destructive ones',
    [all('write', 'ask')],
    { createTask: 'ask', archiveTask: 'ask', ...around },
  ],
  ['to everything but plain reads', [all('everything', 'ask')], { createTask: 'ask', archiveTask: 'ask', ...around }],
  [
    'by forbidding operations, and asking for those that would bypass that',
    [all('destructive', 'forbid')],
    { archiveTask: 'forbid', ...around },
  ],
  ['not at all if they allow operations', [all('destructive', 'auto')], {}],
  [
    'for an operation before its effect',
    [all('write', 'ask'), all('createTask', 'auto')],
    { archiveTask: 'ask', ...around },
  ],
  [
    'for an operation before secrets',
    [all('secrets', 'forbid'), all('createApiKey', 'ask')],
    { ...everySecret, revealWifi: 'forbid' },
  ],
  [
    'for secrets before an effect',
    [all('write', 'forbid'), all('secrets', 'auto')],
    { createTask: 'forbid', archiveTask: 'forbid', inviteMember: 'forbid' },
  ],
  ['for an effect before everything', [all('everything', 'forbid'), all('write', 'auto')], { revealWifi: 'forbid' }],
  [
    'with the stricter of two effects',
    [all('write', 'auto'), all('destructive', 'ask')],
    { archiveTask: 'ask', ...around },
  ],
  ['for the credential before everyone', [all('createTask', 'forbid'), own('everything', 'auto')], {}],
  [
    'for the credential first, and for everyone where it has none',
    [all('archiveTask', 'ask'), own('createTask', 'ask')],
    { createTask: 'ask', archiveTask: 'ask' },
  ],
])('rules apply %s', (_, rules, expected) => {
  expect(held(rules)).toEqual(expected);
  expect(held(rules.toReversed())).toEqual(expected);
});

it("only becomes stricter through a person's choice at consent", () => {
  expect(held([], 'destructive')).toEqual({ archiveTask: 'ask', ...around });
  expect(held([], 'write')).toEqual({ createTask: 'ask', archiveTask: 'ask', ...around });
  expect(held([own('everything', 'auto')], 'destructive')).toEqual({ archiveTask: 'ask', ...around });
  expect(held([all('archiveTask', 'forbid')], 'write')).toMatchObject({ archiveTask: 'forbid', createTask: 'ask' });
});

it.each<[ApprovalRule[], ApprovalMode]>([
  [[all('archiveTask', 'ask')], 'ask'],
  [[own('archiveTask', 'forbid')], 'ask'],
  [[all('archiveTask', 'auto')], 'auto'],
  [[], 'auto'],
])(
  'asks before an undo, and before a workflow starts, if it asks before anything: they could do the same',
  (rules, mode) => {
    for (const name of ['undoChanges', 'activateWorkflow', 'runWorkflow', 'retryWorkflowRun'])
      expect(modeFor({ rules, askBefore: 'nothing' }, operationOf({ name, effect: 'write' }), {})).toBe(mode);
    expect(modeFor({ rules, askBefore: 'nothing' }, operationOf({ name: 'saveWorkflow', effect: 'write' }), {})).toBe(
      'auto',
    );
  },
);

it.each<[string, string, Operation, object, ApprovalMode]>([
  ['creating a stay', 'createReservation', saveReservationByRef, {}, 'ask'],
  ['changing stays', 'updateReservation', saveReservationsInBulk, { items: [{}] }, 'ask'],
  ['changing guests', 'updateGuest', saveGuestsInBulk, { items: [{}] }, 'ask'],
  ['creating a guest', 'createGuest', saveGuestByRef, {}, 'ask'],
  ['creating a unit', 'createUnit', saveUnitByRef, {}, 'ask'],
  ['changing properties', 'updateProperty', savePropertiesInBulk, { items: [] }, 'ask'],
  ['assigning', 'assignUnit', assignUnits, {}, 'ask'],
  ['reinstating', 'reinstateReservation', saveReservationByRef, {}, 'ask'],
  ['cancelling', 'reinstateReservation', saveReservationByRef, { status: 'cancelled' }, 'auto'],
  ['moving', 'moveReservation', saveReservationsInBulk, { items: [{}, { checkOutDate: '2031-01-04' }] }, 'ask'],
  ['saving without dates', 'moveReservation', saveReservationByRef, { notes: 'Late' }, 'auto'],
  ['assigning by reference', 'assignUnit', saveReservationByRef, { unitRef: '101' }, 'ask'],
  ['unassigning by reference', 'unassignUnit', saveReservationByRef, { unitId: null }, 'ask'],
  ['saving without a unit', 'unassignUnit', saveReservationByRef, {}, 'auto'],
  ['checking in', 'checkInReservation', saveReservationByRef, { stayStatus: 'checked_in' }, 'ask'],
  ['undoing a check-out', 'undoCheckOut', saveReservationByRef, { stayStatus: 'checked_in' }, 'ask'],
  ['checking out', 'checkOutReservation', saveReservationByRef, { stayStatus: 'checked_out' }, 'ask'],
  ['undoing a check-in', 'undoCheckIn', saveReservationByRef, { stayStatus: 'not_arrived' }, 'ask'],
  ['undoing a no-show', 'undoNoShow', saveReservationByRef, { stayStatus: 'not_arrived' }, 'ask'],
  ['a no-show', 'markNoShow', saveReservationsInBulk, { items: [{ stayStatus: 'no_show' }] }, 'ask'],
  ['moving to a unit', 'assignUnit', moveReservation, { unitId: 'unit_1' }, 'ask'],
  ['moving to a type', 'unassignUnit', moveReservation, { unitId: null, unitTypeId: 'unittype_1' }, 'ask'],
  ['moving the unit', 'unassignUnit', moveReservation, { unitId: 'unit_1', unitTypeId: 'unittype_1' }, 'auto'],
  ['moving the nights', 'unassignUnit', moveReservation, { checkInDate: '2031-01-04' }, 'auto'],
  ['saving the unit', 'unassignUnit', saveReservationByRef, { unitRef: '101', propertyRef: 'lake' }, 'auto'],
  ['moving to other dates', 'assignUnit', moveReservation, { checkInDate: '2031-01-04' }, 'auto'],
  ['ending a block earlier', 'endUnitBlock', updateUnitBlock, { until: '2031-01-04' }, 'ask'],
  ['explaining a block', 'endUnitBlock', updateUnitBlock, { reason: 'Leak' }, 'auto'],
  ['declining', 'cancelReservation', updateReservation, { status: 'declined' }, 'ask'],
  ['confirming', 'cancelReservation', updateReservation, { status: 'confirmed' }, 'auto'],
  ['creating a task for somebody', 'assignTask', createTask, { name: 'New', assigneeIds: ['member_1'] }, 'ask'],
  ['creating a task', 'assignTask', createTask, { name: 'New', assigneeIds: [] }, 'auto'],
  ['booking a room', 'assignUnit', createReservation, { unitId: 'unit_1' }, 'auto'],
  ['assigning a task', 'assignTask', updateTask, { assigneeIds: [] }, 'ask'],
  ['renaming a task', 'assignTask', updateTask, { name: 'New' }, 'auto'],
  ['the status of a unit', 'setUnitStatus', updateUnit, { cleaningStatus: 'clean' }, 'ask'],
  ['the name of a unit', 'setUnitStatus', updateUnit, { name: '101' }, 'auto'],
  ['the status of a unit by reference', 'setUnitStatus', saveUnitByRef, { cleaningStatus: 'clean' }, 'ask'],
  ['the name of a unit by reference', 'setUnitStatus', saveUnitByRef, { name: '101' }, 'auto'],
  ['translating', 'editTranslation', editTranslations, { texts: [] }, 'ask'],
  ['cancelling with a connection', 'cancelReservation', disconnectConnection, { stays: 'cancel' }, 'ask'],
  ['releasing the nights of a no-show', 'cancelReservation', markNoShow, { release: true }, 'ask'],
  ['a no-show that keeps them', 'cancelReservation', markNoShow, {}, 'auto'],
  ['keeping stays', 'cancelReservation', disconnectConnection, { stays: 'keep' }, 'auto'],
])('a rule about an operation applies to equivalent ones: %s', (_, what, operation, input, mode) => {
  const rules: ApprovalRules = { rules: [{ isOwn: true, what, mode: 'ask' }], askBefore: 'nothing' };
  expect(modeFor(rules, operation, input)).toBe(mode);
});

it.each([...wideRules, 'archiveTask', 'createTask'])('rules about %s are read where they could hold', (what) => {
  const read = Object.values(operations).filter((one) => couldBear([what], operationOf(one), {}));
  const holding = (['ask', 'forbid'] as const).flatMap((mode) => Object.keys(held([own(what, mode)])));
  expect(read.map(({ name }) => name as string).sort()).toEqual([...new Set(holding)].sort());
});
