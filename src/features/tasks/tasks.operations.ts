import { DeletionView, many, one, operation, page, refuseBeside } from '#operations';
import { AttachToTask, ThisAttachment } from './attachments/attachment.dto.js';
import { CommentOnTask, CommentView, ListTaskComments } from './comments/comment.dto.js';
import { AssignTask, BulkResult, ChangeTasksInBulk, CreateTask, ThisTask, UpdateTask } from './task-changes.dto.js';
import { CountTasks, ListTasks, TaskCountsView } from './task-lists.dto.js';
import { TaskView } from './task.dto.js';
import {
  assigneeCannotSeeProperty,
  assigneeUnknown,
  cannotBegin,
  cannotCancelTask,
  cannotReopen,
  checklistIncomplete,
  dueBeforeStart,
  fileIsNotOfItsType,
  propertyHasSeries,
  recurrenceTooOld,
  recurrenceUnreadable,
  recurrenceWithoutTime,
  ruleBesideTimes,
  ruleWithoutStay,
  stayIsElsewhere,
  taskIsArchived,
  taskIsNotOpen,
  tooManyFiles,
  unitHasSeries,
  unitWithoutProperty,
} from './tasks.errors.js';
import { propertyIsArchived, unitIsArchived } from '../../tenancy/properties/properties.errors.js';
import { quotaExceeded } from '../../tenancy/quotas/quotas.errors.js';
import { archiveProperty } from '../../tenancy/properties/properties.operations.js';
import { archiveUnit } from '../../tenancy/units/units.operations.js';

/** What can be shown beside each record, by the field that names it. */
const beside = { unit: 'unitId', property: 'propertyId', assignees: 'assigneeIds', devices: 'unitId' };

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
  refuses: [
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
  ],
  input: CreateTask,
  output: one(TaskView),
  status: 201,
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
  refuses: [
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
    taskIsArchived,
    unitIsArchived,
    unitWithoutProperty,
  ],
  input: UpdateTask,
  output: one(TaskView),
});

export const completeTask = operation({
  name: 'completeTask',
  route: 'POST /tasks/{taskId}/complete',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Complete a task',
  description: 'Completes a pending or started task. Rejected while required checklist items are not done.',
  askedAs: 'done, finished cleaning or repair, tick off',
  everyday: true,
  refuses: [checklistIncomplete, taskIsArchived, taskIsNotOpen],
  input: ThisTask,
  output: one(TaskView),
});

export const startTask = operation({
  name: 'startTask',
  route: 'POST /tasks/{taskId}/start',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Start a task',
  description: 'Records that work on a pending task has started.',
  askedAs: 'begin cleaning or repairing',
  everyday: true,
  refuses: [cannotBegin, taskIsArchived],
  input: ThisTask,
  output: one(TaskView),
});

export const cancelTask = operation({
  name: 'cancelTask',
  route: 'POST /tasks/{taskId}/cancel',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Cancel a task',
  description: 'Cancels a pending or started task.',
  askedAs: 'no longer needed',
  refuses: [cannotCancelTask, taskIsArchived],
  input: ThisTask,
  output: one(TaskView),
});

export const reopenTask = operation({
  name: 'reopenTask',
  route: 'POST /tasks/{taskId}/reopen',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Reopen a task',
  description: 'Reopens a completed task.',
  askedAs: 'not done properly, do it again, undo completion',
  refuses: [cannotReopen, taskIsArchived],
  input: ThisTask,
  output: one(TaskView),
});

export const archiveTask = operation({
  name: 'archiveTask',
  route: 'POST /tasks/{taskId}/archive',
  scope: 'tasks:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Archive a task',
  description: 'Removes a task from lists; restoreTask brings it back.',
  askedAs: 'delete, put away',
  input: ThisTask,
  output: one(TaskView),
});

export const restoreTask = operation({
  name: 'restoreTask',
  route: 'POST /tasks/{taskId}/restore',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Restore a task',
  description: 'Restores an archived task.',
  askedAs: 'bring back, undo archiving',
  input: ThisTask,
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

export const commentOnTask = operation({
  name: 'commentOnTask',
  route: 'POST /tasks/{taskId}/comments',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Comment on a task',
  description: 'Adds a comment to a task.',
  askedAs: 'leave a note, tell colleagues about a repair',
  everyday: true,
  refuses: [taskIsArchived],
  input: CommentOnTask,
  output: one(CommentView),
  status: 201,
});

export const listTaskComments = operation({
  name: 'listTaskComments',
  route: 'GET /tasks/{taskId}/comments',
  scope: 'tasks:read',
  effect: 'read',
  reach: 'property',
  title: 'List comments',
  description: 'Lists the comments on a task, newest first.',
  askedAs: 'notes, what did somebody write about a repair',
  input: ListTaskComments,
  output: page(CommentView),
});

export const attachToTask = operation({
  name: 'attachToTask',
  route: 'POST /tasks/{taskId}/attachments',
  scope: 'tasks:write',
  effect: 'write',
  reach: 'property',
  title: 'Attach a file',
  description: 'Attaches a picture, PDF or text file of up to 5 MiB, encoded in base64.',
  askedAs: 'upload a photo of the damage',
  refuses: [fileIsNotOfItsType, quotaExceeded, taskIsArchived, tooManyFiles],
  input: AttachToTask,
  output: one(TaskView),
  status: 201,
  maxBodyBytes: 8 * 1_048_576,
});

export const removeAttachment = operation({
  name: 'removeAttachment',
  route: 'DELETE /tasks/{taskId}/attachments/{fileId}',
  scope: 'tasks:write',
  effect: 'destructive',
  reach: 'property',
  title: 'Remove a file',
  description: 'Deletes a file from a task permanently, also from an archived task. Links to it stop working.',
  askedAs: 'delete a photo',
  refuses: [taskIsArchived],
  input: ThisAttachment,
  output: one(DeletionView),
});

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
