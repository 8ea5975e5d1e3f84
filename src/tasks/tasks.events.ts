import { OmitType } from '@nestjs/swagger';
import { Id, Text, Timestamp } from '#operations';
import { event } from '../platform/events/event-type.js';
import { TaskView } from './task.dto.js';
import type { TaskMove } from '../features/tasks/task-moves.js';

/** A task without its attachments, whose links open files to whoever holds them. */
export class TaskEventData extends OmitType(TaskView, ['attachments'] as const) {}

export class TaskCommentedData {
  @Id('task', { about: 'The task.' }) id: string;
  @Id('property', { about: 'Where it is to be done.', nullable: true }) propertyId: string | null;
  @Id('comment', { about: 'The comment.' }) commentId: string;
  @Id('member', { about: 'Who said it.' }) memberId: string;
  @Text({ about: 'What was said.', max: 10_000 }) text: string;
  @Timestamp({ about: 'When it was said.' }) createdAt: string;
}

const task = { subject: 'task', scope: 'tasks:read' as const, data: TaskEventData, freeText: ['description' as const] };

export const taskCreated = event('task.created', { ...task, tells: 'opening', says: 'A task was created.' });
export const taskUpdated = event('task.updated', { ...task, says: 'A task was changed, or moved with its stay.' });
export const taskAssigned = event('task.assigned', {
  ...task,
  says: 'A task was given to other people, or to nobody.',
});
export const taskArchived = event('task.archived', { ...task, says: 'A task was taken out of the lists.' });
export const taskRestored = event('task.restored', { ...task, says: 'An archived task was brought back.' });
export const taskFileAttached = event('task.file_attached', { ...task, says: 'A file was attached to a task.' });
export const taskFileRemoved = event('task.file_removed', { ...task, says: 'A file was removed from a task.' });
export const taskCommented = event('task.commented', {
  subject: 'task',
  scope: 'tasks:read',
  data: TaskCommentedData,
  freeText: ['text'],
  tells: 'addition',
  says: 'Something was said about a task.',
});

export const taskMoved = {
  start: event('task.started', { ...task, says: 'Somebody began to work on a task.' }),
  complete: event('task.completed', { ...task, says: 'A task was done.' }),
  cancel: event('task.cancelled', { ...task, says: 'A task was called off.' }),
  reopen: event('task.reopened', { ...task, says: 'A completed task was taken back to work.' }),
} satisfies Record<TaskMove, unknown>;
