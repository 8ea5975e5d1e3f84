import { one, operation } from '#operations';
import { ThisTask } from './task-changes.dto.js';
import { TaskView } from './task.dto.js';
import {
  cannotBegin,
  cannotCancelTask,
  cannotReopen,
  checklistIncomplete,
  taskIsArchived,
  taskIsNotOpen,
} from './tasks.errors.js';

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
