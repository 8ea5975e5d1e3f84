import { connectionNotYours, referenceRefusals } from '../../tenancy/references/references.errors.js';
import { many, one, type Operation, operation, page, refuseBeside } from '#operations';
import {
  AssignTask,
  type BulkAction,
  BulkResult,
  ChangeTasksInBulk,
  CreateTask,
  ThisTask,
  UpdateTask,
} from './task-changes.dto.js';
import { archiveTask, cancelTask, completeTask, startTask } from './task-moves.operations.js';
import { CountTasks, ListTasks, TaskCountsView } from './task-lists.dto.js';
import { TaskView } from './task.dto.js';
import {
  assigneeCannotSeeProperty,
  assigneeUnknown,
  dueBeforeStart,
  propertyHasSeries,
  recurrenceTooOld,
  recurrenceUnreadable,
  recurrenceWithoutTime,
  ruleBesideTimes,
  ruleWithoutStay,
  stayIsElsewhere,
  taskIsArchived,
  unitHasSeries,
  unitWithoutProperty,
} from './tasks.errors.js';
import { propertyIsArchived, unitIsArchived } from '../../tenancy/properties/properties.errors.js';
import { archiveProperty } from '../../tenancy/properties/properties.operations.js';
import { archiveUnit } from '../../tenancy/units/units.operations.js';

/** What can be shown beside each record, by the field that names it. */
const beside = { unit: 'unitId', property: 'propertyId', assignees: 'assigneeIds', devices: 'unitId' };

/** What a new task and a changed one can be refused for. */
const fieldRefusals = [
  ...referenceRefusals,
  assigneeCannotSeeProperty,
  assigneeUnknown,
  dueBeforeStart,
  propertyIsArchived,
  recurrenceTooOld,
  recurrenceUnreadable,
  recurrenceWithoutTime,
  ruleBesideTimes,
  ruleWithoutStay,
  stayIsElsewhere,
  unitIsArchived,
  unitWithoutProperty,
];

export const createTask = operation({
  name: 'createTask',
  route: 'POST /tasks',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Create a task',
  description: 'Creates a pending task, at a property or for the whole organization.',
  askedAs: 'order a repair, schedule a cleaning, something is broken, recurring work every week',
  everyday: true,
  refuses: fieldRefusals,
  input: CreateTask,
  carriesOut: ({ assigneeIds = [] }) => (assigneeIds.length === 0 ? [] : [assignTask]),
  output: one(TaskView),
  status: 201,
  repeatable: true,
});

export const listTasks = operation({
  name: 'listTasks',
  route: 'GET /tasks',
  scope: 'tasks:read',
  effect: 'read',
  reach: 'property',
  title: 'List tasks',
  description: 'Lists tasks by status, type, priority, place, assignee, text and time, newest first by default.',
  askedAs: 'cleanings and repairs due today, overdue, what to do or clean, which rooms need cleaning',
  everyday: true,
  includes: beside,
  refuses: [connectionNotYours],
  input: ListTasks,
  output: page(TaskView),
});

export const getTask = operation({
  name: 'getTask',
  route: 'GET /tasks/{taskId}',
  scope: 'tasks:read',
  effect: 'read',
  reach: 'property',
  title: 'Get a task',
  description: 'Returns one task with its checklist.',
  askedAs: 'one work order, checklist',
  everyday: true,
  resource: 'task://{taskId}',
  includes: beside,
  input: ThisTask,
  output: one(TaskView),
});

export const updateTask = operation({
  name: 'updateTask',
  route: 'PATCH /tasks/{taskId}',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Change a task',
  description: 'Changes the given fields; null clears a field.',
  askedAs: 'due date, priority, urgent, recurrence',
  everyday: true,
  refuses: [...fieldRefusals, taskIsArchived],
  input: UpdateTask,
  carriesOut: ({ assigneeIds }) => (assigneeIds === undefined ? [] : [assignTask]),
  output: one(TaskView),
});

export const assignTask = operation({
  name: 'assignTask',
  route: 'POST /tasks/{taskId}/assign',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Assign a task',
  description: 'Replaces the assignees of a task. Only members who can see its property can be assigned.',
  askedAs: 'who does it, hand over to a colleague',
  everyday: true,
  refuses: [assigneeCannotSeeProperty, assigneeUnknown, taskIsArchived],
  input: AssignTask,
  output: one(TaskView),
});

const ofEach: Record<BulkAction, Operation> = {
  start: startTask,
  complete: completeTask,
  cancel: cancelTask,
  archive: archiveTask,
  assign: assignTask,
};

export const changeTasksInBulk = operation({
  name: 'changeTasksInBulk',
  route: 'POST /tasks/bulk',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Change many tasks',
  description: 'Starts, completes, cancels, archives or assigns up to 500 tasks, with a result for each.',
  askedAs: 'several together, tick off everything',
  everyday: true,
  refuses: [assigneeUnknown],
  input: ChangeTasksInBulk,
  carriesOut: ({ action }) => [ofEach[action]],
  output: many(BulkResult),
});

export const countTasks = operation({
  name: 'countTasks',
  route: 'GET /tasks/counts',
  scope: 'tasks:read',
  effect: 'read',
  reach: 'property',
  title: 'Count tasks',
  description: 'Counts tasks by status, up to 1,001 of each.',
  askedAs: 'how many, how much is still open',
  input: CountTasks,
  output: one(TaskCountsView),
});

// Recurring tasks keep their place.
refuseBeside(archiveUnit, [unitHasSeries]);
refuseBeside(archiveProperty, [propertyHasSeries]);
