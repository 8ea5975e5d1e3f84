import { Id, OmitType, Text, Timestamp } from '#operations';
import { event } from '../../platform/events/event-type.js';
import { cannotBeUndone, putBack, remains, undoneBy } from '../../platform/events/undo.js';
import { TaskView } from './task.dto.js';
import type { StoredFile } from './attachments/attachment.dto.js';
import type { TaskMove } from './task-moves.js';

/** A task without its attachments, because their links open files for anyone who has them, and references. */
export class TaskEventData extends OmitType(TaskView, ['attachments', 'externalRefs'] as const) {}

export class TaskCommentedData {
  @Id('task', { description: 'Task id (task_…).' }) id: string;
  @Id('property', { description: 'Property where the work is done (property_…).', nullable: true }) propertyId:
    | string
    | null;
  @Id('comment', { description: 'Comment id (comment_…).' }) commentId: string;
  @Id('member', { description: 'Member who wrote the comment (member_…).' }) memberId: string;
  @Text({ description: 'Text of the comment.', max: 10_000 }) text: string;
  @Timestamp({ description: 'When the comment was written.' }) createdAt: string;
}

/** The id of the file that the task did not have before. */
const newIn = (files: unknown, before: unknown): unknown => {
  const known = (before as StoredFile[]).map(({ id }) => id);
  return (files as StoredFile[]).find(({ id }) => !known.includes(id))?.id;
};

const task = { subject: 'task', scope: 'tasks:read' as const, data: TaskEventData, freeText: ['description' as const] };

export const taskCreated = event('task.created', {
  ...task,
  kind: 'opening',
  description: 'A task was created.',
  undo: undoneBy('archiveTask', ({ id }) => ({ taskId: id })),
});
export const taskUpdated = event('task.updated', {
  ...task,
  description: 'A task was changed, or moved with its stay.',
  undo: putBack('task.updated'),
});
export const taskAssigned = event('task.assigned', {
  ...task,
  description: 'The assignees of a task were changed.',
  undo: putBack('task.assigned'),
});
export const taskArchived = event('task.archived', {
  ...task,
  description: 'A task was archived.',
  undo: undoneBy('restoreTask', ({ id }) => ({ taskId: id })),
});
export const taskRestored = event('task.restored', {
  ...task,
  description: 'An archived task was restored.',
  undo: undoneBy('archiveTask', ({ id }) => ({ taskId: id })),
});
export const taskFileAttached = event('task.file_attached', {
  ...task,
  description: 'A file was attached to a task.',
  undo: undoneBy('removeAttachment', ({ id, files }, before) => ({ taskId: id, fileId: newIn(files, before.files) })),
});
export const taskFileRemoved = event('task.file_removed', {
  ...task,
  description: 'A file was removed from a task.',
  undo: cannotBeUndone('The file was deleted. Attach it again with attachToTask.'),
});
export const taskCommented = event('task.commented', {
  subject: 'task',
  scope: 'tasks:read',
  data: TaskCommentedData,
  freeText: ['text'],
  kind: 'addition',
  description: 'A comment was added to a task.',
  undo: remains('The comment is kept, because someone may have read it.'),
});

export const taskMoved = {
  start: event('task.started', { ...task, description: 'A task was started.', undo: putBack('task.updated') }),
  complete: event('task.completed', { ...task, description: 'A task was completed.', undo: putBack('task.reopened') }),
  cancel: event('task.cancelled', { ...task, description: 'A task was cancelled.', undo: putBack('task.updated') }),
  reopen: event('task.reopened', {
    ...task,
    description: 'A completed task was reopened.',
    undo: putBack('task.completed'),
  }),
} satisfies Record<TaskMove, unknown>;
