import { openRequiredItems } from './checklist.js';
import type { Task } from './task.entity.js';
import { cannotBegin, cannotCancelTask, cannotReopen, checklistIncomplete, taskIsNotOpen } from './tasks.errors.js';

type Move = (task: Task) => Partial<Task>;

const isOpen = ({ status }: Task): boolean => status === 'pending' || status === 'in_progress';
const now = (): string => new Date().toISOString();

const start: Move = (task) => {
  if (task.status !== 'pending') throw cannotBegin(task.status);
  return { status: 'in_progress', startedAt: now() };
};

const complete: Move = (task) => {
  if (!isOpen(task)) throw taskIsNotOpen(task.status);
  const open = openRequiredItems(task.checklist);
  if (open.length > 0) throw checklistIncomplete(open);
  return { status: 'completed', completedAt: now() };
};

const cancel: Move = (task) => {
  if (!isOpen(task)) throw cannotCancelTask(task.status);
  return { status: 'cancelled', cancelledAt: now() };
};

const reopen: Move = (task) => {
  if (task.status !== 'completed') throw cannotReopen(task.status);
  return { status: 'in_progress', completedAt: null, startedAt: task.startedAt ?? now() };
};

/** The transitions of a task: each returns the changes, or throws why it is not allowed. */
export const moves = { start, complete, cancel, reopen };
export type TaskMove = keyof typeof moves;
